// Many adds in one call: one transaction, and the same answers as if each came alone.

#include <doctest/doctest.h>

#include "support/flow/script.h"
#include "support/store/test_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = from_unix_ms(std::int64_t{29'500'000} * 60'000);

// A store that counts its commits.
struct Office {
  int commits = 0;
  std::unique_ptr<Store> store = open_test_store(Bench::kStart, [this](CommitPhase phase) {
    if (phase == CommitPhase::after) ++commits;
  });
  std::size_t jobs() const { return store->reader().list({.limit = kListMax}).jobs.size(); }
};

flow::AddRequest batch(int number, std::string key = {}) {
  return {.lifecycle = &kBatch,
          .request = R"({"url":"https://h/)" + std::to_string(number) + R"("})",
          .key = std::move(key)};
}

std::vector<AddAnswer> add_all(Store& store, std::span<const flow::AddRequest> all, Time now,
                               flow::SpareCapacity* spare = nullptr) {
  std::vector<AddAnswer> answers;
  std::vector<NewJob> jobs;
  for (const flow::AddRequest& to_add : all) {
    auto job = flow::as_job(to_add, now);
    answers.push_back(job ? AddAnswer{} : std::unexpected{job.error()});
    if (job) jobs.push_back(*std::move(job));
  }
  const std::vector<AddAnswer> added = add_jobs(store, jobs, now, spare);
  auto next = added.begin();
  for (AddAnswer& answer : answers)
    if (answer) answer = *next++;
  return answers;
}

// "1 2 =1 !key_reused": new jobs, jobs found by their key (=), and refusals (!).
std::string shown(const std::vector<AddAnswer>& answers) {
  std::string text;
  for (const AddAnswer& answer : answers) {
    text += text.empty() ? "" : " ";
    text += answer ? (answer->replayed ? "=" : "") + std::to_string(answer->id.value)
                   : "!" + answer.error().code;
  }
  return text;
}

}  // namespace

TEST_CASE("many are added in one transaction, answered in order") {
  Office d;
  const flow::AddRequest to_add[] = {batch(1), batch(2), batch(3)};

  CHECK(shown(add_all(*d.store, to_add, kNow)) == "1 2 3");
  CHECK(d.commits == 1);
  CHECK(d.store->reader().request({2}) == R"({"url":"https://h/2"})");
}

TEST_CASE("one that is refused, here or by the store, does not stop the others") {
  Office d;
  flow::AddRequest stranger = batch(4);
  stranger.owner = UserId{99};
  const flow::AddRequest to_add[] = {
      batch(1),
      {.lifecycle = &kBatch, .request = "not JSON"},
      {.lifecycle = &kMedia, .request = R"({"titel":"x"})"},
      stranger,
      {.lifecycle = &kImage, .request = R"({"prompt":"x"})", .price = 1},
      batch(2, std::string(300, 'k')),
      batch(3)};

  CHECK(shown(add_all(*d.store, to_add, kNow)) ==
        "1 !bad_json !unknown_field !no_such_user !no_credit !bad_key 2");
  CHECK(d.commits == 1);
  CHECK(d.jobs() == 2);
}

TEST_CASE("two with one key in a call are as two calls in a row, also beside one from before") {
  Office d;
  REQUIRE(flow::add(*d.store, batch(1, "before"), kNow).has_value());
  const flow::AddRequest to_add[] = {batch(1, "before"), batch(2, "k"), batch(2, "k"),
                                     batch(3, "k"), batch(2)};

  CHECK(shown(add_all(*d.store, to_add, kNow)) == "=1 2 =2 !key_reused 3");
}

TEST_CASE("a slot that one entry takes is found by the next") {
  Office d;
  const flow::AddRequest book{
      .lifecycle = &kBook,
      .request = R"({"book_id":"b","media_type":"text","uri":"magnet:?1","source":"t"})"};
  const flow::AddRequest to_add[] = {book, book};

  CHECK(shown(add_all(*d.store, to_add, kNow)) == "1 =1");
}

TEST_CASE("credits run out in the middle of a call as they would between two") {
  Office d;
  REQUIRE(d.store->ledger().grant(kAdmin, 5, "gift", kNow).has_value());
  std::vector<flow::AddRequest> to_add;
  for (const char* prompt : {R"({"prompt":"a"})", R"({"prompt":"b"})", R"({"prompt":"a"})"})
    to_add.push_back({.lifecycle = &kImage, .request = prompt, .price = 3});

  CHECK(shown(add_all(*d.store, to_add, kNow)) == "1 !no_credit =1");
}

TEST_CASE("every answer is the one that add gives, one after the other") {
  Office together;
  Office apart;
  std::vector<flow::AddRequest> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(batch(i % 7, i % 3 ? "k" + std::to_string(i % 5) : ""));
  std::vector<AddAnswer> one_by_one;
  for (const flow::AddRequest& to_add : all)
    one_by_one.push_back(flow::add(*apart.store, to_add, kNow));

  CHECK(shown(add_all(*together.store, all, kNow)) == shown(one_by_one));
  CHECK(together.jobs() == apart.jobs());
}

TEST_CASE("none, or none that is not refused, writes nothing") {
  Office d;
  const flow::AddRequest bad[] = {{.lifecycle = &kBatch, .request = "{}"}};

  CHECK(add_all(*d.store, {}, kNow).empty());
  CHECK(shown(add_all(*d.store, bad, kNow)) == "!missing_field");
  CHECK(d.commits == 0);
}

TEST_CASE("spare capacity takes what is added, as much as there is") {
  struct RoomForTwo final : flow::SpareCapacity {
    explicit RoomForTwo(Store& store) : worker{store.workers().enlist("w", kNow)} {}
    std::optional<ClaimRequest> lend(const Lifecycle& lifecycle, std::size_t wanted) override {
      return ClaimRequest{.lifecycle = &lifecycle,
                          .lane = {},
                          .worker = worker,
                          .limit = std::min<std::size_t>(wanted, 2)};
    }
    void give_back(const ClaimRequest&, std::vector<Claim> claims) override {
      for (const Claim& claim : claims) taken += std::to_string(claim.version.id.value) + " ";
    }
    WorkerId worker;
    std::string taken;
  };
  Office d;
  RoomForTwo spare{*d.store};
  const int before = d.commits;
  const flow::AddRequest all[] = {batch(1), batch(2), batch(3)};

  CHECK(shown(add_all(*d.store, all, kNow, &spare)) == "1 2 3");
  CHECK(spare.taken == "1 2 ");
  CHECK(d.commits == before + 1);
}

}  // namespace haul::testing
