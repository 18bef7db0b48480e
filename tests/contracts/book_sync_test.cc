// 000 section 8 and the requirements derived from it, in virtual time: which jobs haul asks about,
// when, and with how many requests; and that equal starts make one job and one torrent.

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "support/flow/sync_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::string hash_of(std::size_t n) { return fmt::format("{:040x}", n + 1); }

// Adds this many books that the client is downloading. All are due at once, as after a start of
// haul.
std::vector<JobId> add_many(SyncBench& b, std::size_t count) {
  std::vector<JobId> ids;
  std::vector<NewJob> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string book = "b" + std::to_string(i);
    jobs.push_back({.lifecycle = &kBook,
                    .request = SyncBench::request(hash_of(i), book),
                    .slot = "1\x1f" + book});
    FakeTorrent torrent{.id = hash_of(i), .v1 = hash_of(i), .state = "downloading", .have = 1};
    torrent.tags = {fmt::format("haul-{}-{}", b.store().identity().id(), i + 1)};
    b.fake().torrents[hash_of(i)] = std::move(torrent);
  }
  for (std::size_t at = 0; at < count; at += 2'000) {
    const std::span some{jobs.data() + at, std::min<std::size_t>(2'000, count - at)};
    for (const AddAnswer& added : b.store().jobs().add(some, b.now())) ids.push_back(added->id);
  }
  std::vector<Observation> seen;
  for (std::size_t i = 0; i < count; ++i)
    seen.push_back({.version = b.job(ids[i]).version, .handle = hash_of(i)});
  for (std::size_t at = 0; at < count; at += 2'000)
    b.store().jobs().observe({seen.data() + at, std::min<std::size_t>(2'000, count - at)}, b.now());
  return ids;
}

// Records in which cycle haul last asked about each torrent.
class PollRecord {
 public:
  explicit PollRecord(SyncBench& b) : bench_{b} {}

  // How many torrents the requests since the last call asked about.
  std::size_t count(int cycle) {
    std::size_t about = 0;
    for (; read_ < bench_.fake().log.size(); ++read_) {
      const FakeRequest& request = bench_.fake().log[read_];
      const auto hashes = request.fields.find("hashes");
      if (request.action != "torrents/info" || hashes == request.fields.end()) continue;
      for (std::size_t at = 0; at < hashes->second.size(); at += 41, ++about) {
        const std::string hash = hashes->second.substr(at, 40);
        const auto last = cycles_.find(hash);
        if (last != cycles_.end()) longest_ = std::max(longest_, cycle - last->second);
        cycles_[hash] = cycle;
      }
    }
    return about;
  }
  std::size_t different() const { return cycles_.size(); }
  int longest() const { return longest_; }

 private:
  SyncBench& bench_;
  std::size_t read_ = 0;
  std::map<std::string, int> cycles_;
  int longest_ = 0;
};

// One poll cycle in steps, because a daemon looks for work many times a second.
void pass_cycle(SyncBench& b) {
  for (int i = 0; i < 3; ++i) b.after(5s);
}

}  // namespace

TEST_CASE(
    "S0-18 to S0-20: of 10,000 open jobs each has its turn in a hundred cycles of a hundred") {
  SyncBench b;
  add_many(b, 10'000);
  PollRecord polls{b};
  // After a start all jobs are due: haul asks about a hundred and spreads the others over later
  // cycles.
  for (int i = 0; i < 101; ++i) b.worker.tick();
  b.tick();
  CHECK(polls.count(0) == 100);

  std::chrono::microseconds used{0};
  std::chrono::microseconds most{0};
  for (int cycle = 1; cycle <= 120; ++cycle) {
    const std::size_t requests = b.client.loop.asked;
    const std::chrono::microseconds before = cpu_used() - b.client.served;
    pass_cycle(b);
    const std::chrono::microseconds took = cpu_used() - b.client.served - before;
    used += took;
    most = std::max(most, took);
    CHECK(b.client.loop.asked - requests == 1);
    CHECK(polls.count(cycle) == 100);
    if (cycle == 99) CHECK(polls.different() == 10'000);
  }

  CHECK(polls.longest() <= 100);
  MESSAGE("haul's CPU for a cycle of 100 of 10,000 jobs: " << used.count() / 120 << " us, at most "
                                                           << most.count() << " us");
}

TEST_CASE(
    "S0-19, S0-20: at 100 jobs every one each cycle, at 101 the last has its turn in the next") {
  for (const std::size_t open : {std::size_t{1}, std::size_t{100}, std::size_t{101}}) {
    SyncBench b;
    add_many(b, open);
    PollRecord polls{b};
    b.tick();
    CHECK(polls.count(0) == std::min<std::size_t>(open, 100));
    pass_cycle(b);
    CHECK(polls.count(1) == (open == 101 ? 1 : open));
    CHECK(polls.different() == open);
    for (int cycle = 2; cycle < 8; ++cycle) {
      pass_cycle(b);
      CHECK(polls.count(cycle) <= 100);
    }
    CHECK(polls.longest() == (open == 101 ? 2 : 1));
  }
}

TEST_CASE("S0-24, F08: of 1,000 jobs 50 always err, and no other waits longer than its cycles") {
  SyncBench b;
  const std::vector<JobId> ids = add_many(b, 1'000);
  for (std::size_t i = 0; i < 50; ++i) {
    FakeTorrent& torrent = b.fake().torrents.at(hash_of(i * 20));
    // The client calls it finished, but haul must never accept this path.
    torrent.content_path = "/etc/passwd";
    torrent.state = "stalledUP";
    torrent.have = torrent.size;
  }
  PollRecord polls{b};
  for (int i = 0; i < 11; ++i) b.worker.tick();
  b.tick();
  polls.count(0);
  for (int cycle = 1; cycle <= 35; ++cycle) {
    pass_cycle(b);
    CHECK(polls.count(cycle) == 100);
  }
  CHECK(polls.different() == 1'000);
  CHECK(polls.longest() <= 10);
  CHECK(b.job(ids[0]).reason == "path_refused");
  CHECK(b.state(ids[1]) == "downloading");
}

TEST_CASE("a hundred jobs of which ten are missing are eleven questions, and none is held up") {
  SyncBench b;
  const std::vector<JobId> ids = add_many(b, 100);
  b.tick();
  for (std::size_t i = 0; i < 10; ++i) b.fake().torrents.erase(hash_of(i));
  const std::size_t before = b.client.loop.asked;
  b.after(15s);
  CHECK(b.client.loop.asked - before == 11);
  CHECK(b.job(ids[0]).missing_since.has_value());
  CHECK_FALSE(b.job(ids[10]).missing_since.has_value());
  for (int i = 0; i < 4; ++i) b.after(15s);
  CHECK(b.job(ids[0]).reason == "missing_external_job");
  CHECK(b.state(ids[10]) == "downloading");
}

TEST_CASE("a new job is not kept waiting by ten thousand others") {
  SyncBench b;
  add_many(b, 10'000);
  const JobId id = b.add(std::string(40, 'f'), "new");
  for (int i = 0; i < 110 && b.job(id).handle.empty(); ++i) b.tick();
  CHECK(b.job(id).handle == std::string(40, 'f'));
}

TEST_CASE("S0-13, S0-14: a thousand equal starts at once are one job and one torrent") {
  SyncBench b;
  std::vector<std::thread> users;
  std::vector<std::vector<JobId>> answers(8);
  for (std::size_t i = 0; i < answers.size(); ++i)
    users.emplace_back([&, i] {
      for (int n = 0; n < 125; ++n) answers[i].push_back(b.add(kHash));
    });
  for (std::thread& user : users) user.join();
  b.tick();
  for (const auto& some : answers)
    for (const JobId id : some) CHECK(id == answers[0][0]);
  CHECK(b.fake().count("torrents/add") == 1);
  CHECK(b.fake().torrents.size() == 1);
}

TEST_CASE("S0-3: queued stays queued until the client says that it is active") {
  SyncBench b;
  const JobId id = b.add(kHash);
  b.tick();
  for (const char* state :
       {"metaDL", "queuedDL", "stoppedDL", "checkingDL", "checkingResumeData"}) {
    b.fake().torrents.at(kHash).state = state;
    b.after(15s);
    CHECK(b.state(id) == "queued");
  }
  b.fake().torrents.at(kHash).state = "stalledDL";
  b.after(15s);
  CHECK(b.state(id) == "downloading");
}

TEST_CASE("S0-4: seeding without the file is not completed, however often it is said") {
  SyncBench b;
  const JobId id = b.downloading();
  FakeTorrent& torrent = b.fake().torrents.at(kHash);
  torrent.state = "uploading";
  torrent.have = torrent.size;
  torrent.content_path = "/downloads/none";
  for (int i = 0; i < 10; ++i) b.after(15s);
  CHECK(b.state(id) == "downloading");
  CHECK(b.job(id).reason == "asset_pending");
  CHECK(b.store().catalog().assets_of(id).empty());
}

TEST_CASE("S0-5, Z-3: an error of the client's fails a job in either state, with its reason") {
  for (const auto& [word, reason] :
       {std::pair{"error", "engine_error"}, {"missingFiles", "missing_files"}}) {
    SyncBench b;
    const JobId queued = b.add(kHash);
    b.tick();
    b.fake().torrents.at(kHash).state = word;
    b.after(15s);
    CHECK(b.trail(queued) == "queued > failed");
    CHECK(b.job(queued).reason == reason);

    SyncBench c;
    const JobId moving = c.downloading();
    c.fake().torrents.at(kHash).state = word;
    c.after(15s);
    CHECK(c.trail(moving) == "queued > downloading > failed");
    CHECK(c.job(moving).reason == reason);
  }
}

TEST_CASE("S0-7 to S0-9: in cycles of 15 s, missing at 45 s is kept and at 60 s has failed") {
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().torrents.erase(kHash);
  b.after(15s);
  const auto mark = b.job(id).missing_since;
  REQUIRE(mark.has_value());
  for (int i = 0; i < 3; ++i) b.after(15s);
  CHECK(b.state(id) == "downloading");
  CHECK(b.job(id).missing_since == mark);
  b.after(14'999ms);
  CHECK(b.state(id) == "downloading");
  b.after(1ms);
  CHECK(b.state(id) == "failed");
  CHECK(b.job(id).reason == "missing_external_job");
}

TEST_CASE("S0-10: a client that is away for an hour fails nothing, and is not asked in a storm") {
  SyncBench b;
  const JobId id = b.downloading();
  b.fake().is_down = true;
  const std::size_t before = b.client.loop.asked;
  for (int i = 0; i < 240; ++i) b.after(15s);
  CHECK(b.state(id) == "downloading");
  CHECK(b.job(id).reason == "client_unreachable");
  CHECK(b.client.loop.asked - before <= 241);
  b.fake().is_down = false;
  b.after(15s);
  CHECK(b.job(id).reason.empty());
}

TEST_CASE("Q9: a torrent that changes its id is followed, and its job has the new one") {
  SyncBench b;
  const JobId id = b.downloading();
  FakeTorrent torrent = b.fake().torrents.at(kHash);
  torrent.id = std::string(40, 'b');
  torrent.v2 = std::string(64, 'b');
  b.fake().torrents.clear();
  b.fake().torrents[torrent.id] = torrent;
  b.after(15s);
  CHECK(b.job(id).handle == torrent.id);
  CHECK_FALSE(b.job(id).missing_since.has_value());
  const std::size_t before = b.client.loop.asked;
  b.after(15s);
  CHECK(b.client.loop.asked - before == 1);
}

TEST_CASE("A0-8: two owners of one torrent, and a cancel of one leaves it to the other") {
  SyncBench b;
  const UserId other = b.store().users().add("other", Role::adder, b.now()).value().id;
  const JobId mine = b.add(kHash);
  const JobId theirs = b.add(kHash, "b1", other);
  CHECK(mine != theirs);
  b.tick();
  CHECK(b.fake().count("torrents/add") == 1);
  flow::cancel(b.store(), mine, b.now());
  b.tick();
  CHECK(b.state(mine) == "canceled");
  CHECK(b.fake().torrents.size() == 1);
  flow::cancel(b.store(), theirs, b.now());
  b.tick();
  CHECK(b.state(theirs) == "canceled");
  CHECK(b.fake().torrents.empty());
}

TEST_CASE("why says what a book waits for: metadata, bytes, its grace") {
  SyncBench b;
  const JobId id = b.add(kHash);
  const auto why = [&] { return flow::explain(b.store(), id, b.now(), {})->because; };
  b.tick();
  CHECK(why() == "the client has a magnet link and waits for metadata");
  FakeTorrent& torrent = b.fake().torrents.at(kHash);
  torrent.state = "stalledDL";
  torrent.last_activity = to_unix_ms(b.now() + 15s) / 1'000 - 14 * 60;
  b.after(15s);
  CHECK(why() == "stalled: no bytes for 14 min");
  b.fake().torrents.clear();
  b.after(15s);
  b.client.clock.pass(3s);
  CHECK(why() == "the client does not know it; grace 57 s left");
}

}  // namespace haul::testing
