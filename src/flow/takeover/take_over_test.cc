#include "flow/takeover/take_over.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

OldDownload row(int id, const std::string& status) {
  return {.id = std::to_string(id),
          .status = status,
          .title = "A Film",
          .release_name = fmt::format("A.Film.{}-GRP", id),
          .kind = "movie",
          .added_at = "2026-01-19 10:00:00",
          .files = {{fmt::format("/lib/{}.mkv", id), 10}}};
}

class Rows final : public OldDownloads {
 public:
  explicit Rows(std::vector<OldDownload> rows) : rows_{std::move(rows)} {}

  std::size_t count() override { return rows_.size(); }
  std::vector<OldDownload> next(std::size_t limit) override {
    const std::size_t end = std::min(rows_.size(), at_ + limit);
    std::vector<OldDownload> page{rows_.begin() + static_cast<long>(at_),
                                  rows_.begin() + static_cast<long>(end)};
    at_ = end;
    return page;
  }

 private:
  std::vector<OldDownload> rows_;
  std::size_t at_ = 0;
};

const std::vector<OldDownload> kAll{row(1, "queued"),   row(2, "downloading"), row(3, "completed"),
                                    row(4, "imported"), row(5, "failed"),      row(6, "cleaned"),
                                    row(7, "skipped")};

enum class Trial : std::uint8_t { no, yes };

// The keys that a store has are looked up by adding: none is known beforehand.
flow::TakenOver take(Store& store, const std::vector<OldDownload>& rows, Time now,
                     Trial trial = Trial::no) {
  Rows old{rows};
  flow::TakeOver what{.old = old,
                      .known = [](auto keys) { return std::vector<bool>(keys.size()); },
                      .open = {},
                      .now = now};
  if (trial == Trial::no) what.open = [&]() -> Store& { return store; };
  return flow::take_over(what);
}

// "completed 1, queued 1; 2 already, 1 over, 1 left out"
std::string shown(const flow::TakenOver& taken) {
  std::string text;
  for (const auto& [state, count] : taken.added)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", state, count);
  return fmt::format("{}; {} already, {} over, {} left out", text, taken.already, taken.over,
                     taken.left_out);
}

std::string states_in(Bench& b) {
  std::string text;
  for (const Job& job : b.reader().list({.limit = kListMax}).jobs)
    text.insert(0, std::string{job.version.state} + " ");
  return text;
}

constexpr const char* kOnce =
    "completed 1, downloading 1, failed 1, imported 1, queued 1; 0 already, 1 over, 1 left out";

}  // namespace

TEST_CASE("Z-17, Z-31: a takeover adds each row in its state, and the store counts as restored") {
  Bench b;
  const flow::TakenOver taken = take(b.store(), kAll, b.now());

  CHECK(shown(taken) == kOnce);
  CHECK(taken.rows == 7);
  REQUIRE(taken.problems.size() == 1);
  CHECK(taken.problems[0].row + " " + taken.problems[0].code == "7 bad_status");
  CHECK(states_in(b) == "queued downloading completed imported failed ");
  CHECK(b.store().identity().restored_at() == to_iso(b.now()));
  const auto audits = b.store().ledger().audits(0, 10);
  REQUIRE(audits.size() == 1);
  CHECK(audits[0].action + ": " + audits[0].detail == "IMPORT_DB: an old database of 7 downloads");
}

TEST_CASE("Z-17: a second takeover adds nothing, whatever has become of the films") {
  Bench b;
  take(b.store(), kAll, b.now());
  REQUIRE(b.ask(JobId{1}, On::fail).has_value());
  REQUIRE(b.store().identity().clear_restored(kAdmin, b.now()));
  const std::string before = states_in(b);
  std::vector<OldDownload> later = kAll;
  later[0].status = "imported";  // The old program went on.

  const flow::TakenOver again = take(b.store(), later, b.after(1h).now());

  CHECK(shown(again) == "; 5 already, 1 over, 1 left out");
  CHECK(states_in(b) == before);
}

TEST_CASE("Z-31: rows that are known already do not open the store, and mark nothing") {
  Rows old{kAll};
  const flow::TakenOver again =
      flow::take_over({.old = old,
                       .known = [](auto keys) { return std::vector<bool>(keys.size(), true); },
                       .open = []() -> Store& { throw std::runtime_error{"it was opened"}; },
                       .now = Bench::kStart});
  CHECK(shown(again) == "; 5 already, 1 over, 1 left out");
}

TEST_CASE("Z-17: a trial says what a takeover would do, and does nothing") {
  Bench b;
  CHECK(shown(take(b.store(), kAll, b.now(), Trial::yes)) == kOnce);
  CHECK(states_in(b).empty());
  CHECK_FALSE(b.store().identity().is_restored());
}

TEST_CASE("Z-17: two rows of one release: the second is there already, or says which job is") {
  Bench b;
  std::vector<OldDownload> rows{row(1, "imported"), row(2, "imported"), row(3, "failed")};
  for (OldDownload& each : rows) each.release_name = "A.Film-GRP";
  CHECK(shown(take(b.store(), rows, b.now())) == "imported 1; 2 already, 0 over, 0 left out");

  rows = {row(4, "imported")};
  rows[0].release_name = "A.Film-GRP";
  rows[0].season = 2;
  const flow::TakenOver other = take(b.store(), rows, b.now());
  CHECK(shown(other) == "; 0 already, 0 over, 1 left out");
  CHECK(other.problems[0].code == "already_asked");
}

TEST_CASE("Z-17: a takeover that is cut off goes on where it ended, and each film is whole") {
  for (const CommitPhase phase : {CommitPhase::before, CommitPhase::after})
    for (int commit = 1; commit <= 4; ++commit) {
      CAPTURE(commit);
      int left = 0;
      Bench b{open_test_store(Bench::kStart, [&](CommitPhase now) {
        if (now == phase && left > 0 && --left == 0) throw std::runtime_error{"killed"};
      })};
      std::vector<OldDownload> rows;
      for (int i = 1; i <= 501; ++i) rows.push_back(row(i, "imported"));
      left = commit;
      CHECK_THROWS_WITH(take(b.store(), rows, b.now()), "killed");
      // Whatever is there is imported, and haul acts on none of it.
      for (const StateCount& each : b.reader().tally({})) {
        CHECK(each.state == "imported");
        CHECK(b.store().identity().is_restored());
        CHECK(b.store().ledger().audits(0, 10).size() == 1);
      }

      const flow::TakenOver rest = take(b.store(), rows, b.now());
      CHECK(rest.added_in_all() + rest.already == 501);
      REQUIRE(b.reader().tally({}).size() == 1);
      CHECK(b.reader().tally({})[0].jobs == 501);
      CHECK_FALSE(b.store().ledger().audits(0, 10).empty());
    }
}

TEST_CASE("Z-17: a takeover tells how far it is, and names at most 100 of the rows left out") {
  std::vector<OldDownload> rows;
  for (int i = 1; i <= 1'101; ++i) rows.push_back(row(i, i <= 101 ? "odd" : "queued"));
  Rows old{rows};
  std::string told;
  const flow::TakenOver taken =
      flow::take_over({.old = old,
                       .known = [](auto keys) { return std::vector<bool>(keys.size()); },
                       .open = {},
                       .now = Bench::kStart,
                       .tell = [&](std::size_t done,
                                   std::size_t all) { told += fmt::format("{}/{} ", done, all); }});
  CHECK(told == "500/1101 1000/1101 1101/1101 ");
  CHECK(taken.left_out == 101);
  CHECK(taken.problems.size() == flow::kProblemsMax);
}

TEST_CASE("S1-15, Z-17, A1-3: an imported film is proven, then cleaned; nothing of it is removed") {
  Stage s;
  s.client_lists_and_releases = false;  // It has no transfer that a client could let go of.
  take(s.store(), {row(4, "imported")}, s.clock.now());
  const JobId id{1};
  s.tick();
  CHECK(s.asked() == "library.verify 1");
  CHECK(s.last("library.verify").placed == std::vector<PlacedFile>{{"/lib/4.mkv", 10}});

  s.reply("library.verify", NotIndexed{});
  CHECK(s.state(id) == "imported");
  s.live(15s);
  s.reply("library.verify", indexed("/lib/4.mkv", 10));
  CHECK(s.state(id) == "imported");  // Z-31: an admin has not cleared the store.
  CHECK(s.job(id).reason == "restored");

  REQUIRE(s.store().identity().clear_restored(kAdmin, s.clock.now()));
  s.live(30s);
  s.reply("library.verify", indexed("/lib/4.mkv", 10));
  CHECK(s.state(id) == "cleaned");
  CHECK(s.job(id).reason == "kept_unsafe");
  CHECK(s.count("library.clean") == 0);
  CHECK(s.count("client.release") == 0);
  CHECK(s.trail(id) == "queued > downloading > completed > imported > cleaned");
}

}  // namespace haul::testing
