// Races, on a store in a file with its own writer thread: one winner, nothing lost, nothing twice.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <map>
#include <set>
#include <thread>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kThreads = 8;

struct FileStore {
  TestFolder folder;
  Bench b{folder.open(Bench::kStart)};
};

// Runs a function on many threads that start at the same instant. Returns what each returned.
template <class Result>
std::array<Result, kThreads> together(const std::function<Result(int)>& run) {
  std::array<Result, kThreads> results{};
  std::barrier start{kThreads};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        results.at(static_cast<std::size_t>(i)) = run(i);
      });
  }
  return results;
}

std::vector<WorkerId> enlist(Bench& b, int count) {
  std::vector<WorkerId> workers;
  for (int i = 0; i < count; ++i) workers.push_back(b.store().workers().enlist("w", b.now()));
  return workers;
}

}  // namespace

TEST_CASE("S3-2: eight claimants share out 200 jobs: each job one of them, each once") {
  FileStore f;
  std::vector<NewJob> jobs(200, {.lifecycle = &kRelay, .request = request_for(kRelay)});
  f.b.jobs().add(jobs, f.b.now());
  const std::vector<WorkerId> workers = enlist(f.b, kThreads);

  const auto claimed = together<std::vector<JobId>>([&](int i) {
    const WorkerId worker = workers[static_cast<std::size_t>(i)];
    std::vector<JobId> mine;
    for (bool more = true; more;) {
      const auto claims =
          f.b.jobs().claim({.lifecycle = &kRelay, .worker = worker, .limit = 7}, f.b.now());
      for (const Claim& claim : claims) mine.push_back(claim.version.id);
      more = !claims.empty();
    }
    return mine;
  });

  std::map<JobId, WorkerId> holders;
  for (std::size_t i = 0; i < claimed.size(); ++i)
    for (const JobId id : claimed[i]) CHECK(holders.emplace(id, workers[i]).second);
  CHECK(holders.size() == 200);
  std::size_t right = 0;
  for (const auto& [id, worker] : holders)
    if (f.b.job(id).worker == worker && f.b.version(id).fence == 1) ++right;
  CHECK(right == 200);
}

TEST_CASE(
    "S0-14, S3-10, S4-13: equal requests at the same instant are one job and one reservation") {
  const NewJob jobs[] = {
      {.lifecycle = &kBook, .request = "{}", .slot = "1:b:text"},
      {.lifecycle = &kRelay, .request = "{}", .key = {.value = "k", .scope = KeyScope::forever}},
      {.lifecycle = &kMedia, .request = "{}", .key = {.value = "k", .scope = KeyScope::while_open}},
      {.lifecycle = &kImage,
       .request = "{}",
       .key = {.value = "k", .scope = KeyScope::window},
       .price = 1}};
  for (const NewJob& job : jobs) {
    FileStore f;
    REQUIRE(f.b.store().ledger().grant(kAdmin, 100, "", f.b.now()).has_value());

    const auto added = together<AddAnswer>([&](int) { return f.b.add(job); });

    std::set<std::int64_t> ids;
    int fresh = 0;
    for (const AddAnswer& answer : added) {
      ids.insert(answer.value().id.value);
      fresh += answer->replayed ? 0 : 1;
    }
    CHECK(ids.size() == 1);
    CHECK(fresh == 1);
    CHECK(f.b.store().ledger().wallet(kAdmin).reserved == job.price);
  }
}

TEST_CASE("S4-3, F45: many buyers at once never spend more than there is") {
  FileStore f;
  REQUIRE(f.b.store().ledger().grant(kAdmin, 10, "", f.b.now()).has_value());

  const auto bought = together<int>([&](int i) {
    int mine = 0;
    for (int n = 0; n < 5; ++n) {
      const NewJob job{
          .lifecycle = &kImage, .request = request_for(kImage, 10 * i + n), .price = 1};
      mine += f.b.add(job) ? 1 : 0;
    }
    return mine;
  });

  int total = 0;
  for (const int mine : bought) total += mine;
  CHECK(total == 10);
  CHECK((f.b.store().ledger().wallet(kAdmin) == Wallet{.granted = 10, .reserved = 10}));
}

TEST_CASE("S0-21: of eight equal asks one is granted, the others are told they were late") {
  FileStore f;
  const JobId id = f.b.add(kBook);
  const Ask ask = f.b.draft(id, On::started);

  const auto answers = together<bool>([&](int) { return f.b.ask(ask).has_value(); });

  CHECK(std::ranges::count(answers, true) == 1);
  CHECK(f.b.trail(id) == "queued > downloading");
}

TEST_CASE("W0-1: cancel and completion race: one wins, and the row and its events agree on which") {
  FileStore f;
  for (int round = 0; round < 10; ++round) {
    const JobId id = f.b.reach(kBook, "downloading");
    const Ask asks[] = {f.b.draft(id, On::landed), f.b.draft(id, On::cancel),
                        f.b.draft(id, On::fail)};

    const auto answers = together<std::string_view>([&](int i) {
      const MoveAnswer answer = f.b.ask(asks[i % 3]);
      return answer ? answer->state : std::string_view{};
    });

    CHECK(std::ranges::count(answers, "") == kThreads - 1);
    const std::string_view state = f.b.job(id).version.state;
    CHECK(std::ranges::count(answers, state) == 1);
    CHECK(f.b.trail(id) == "queued > downloading > " + std::string{state});
    CHECK(f.b.store().catalog().assets_of(id).size() == (state == "completed" ? 1 : 0));
  }
}

TEST_CASE(
    "F04: rescue races completion: what was acknowledged stays delivered, the rest is queued") {
  FileStore f;
  std::vector<NewJob> jobs(64, {.lifecycle = &kRelay, .request = request_for(kRelay)});
  f.b.jobs().add(jobs, f.b.now());
  std::vector<Ask> acks;
  for (const Claim& claim :
       f.b.jobs().claim({.lifecycle = &kRelay, .worker = f.b.worker(), .limit = 64}, f.b.now())) {
    for (const On on : {On::start, On::stream}) REQUIRE(f.b.ask(claim.version.id, on).has_value());
    acks.push_back(f.b.draft(claim.version.id, On::ack));
  }
  std::atomic<std::size_t> delivered = 0;
  std::atomic<std::size_t> rescued = 0;

  together<int>([&](int i) {
    // All rescues together leave jobs to deliver, in any order of threads.
    const Silence silence{.worker = f.b.worker(), .beat = 0, .lifecycle = &kRelay, .limit = 1};
    for (std::size_t n = 0; n < 8; ++n)
      if (i % 2)
        rescued += f.b.jobs().rescue(silence, {}, f.b.now()).moved;
      else
        delivered += f.b.ask(acks[static_cast<std::size_t>(i) * 8 + n]) ? 1 : 0;
    return 0;
  });

  std::size_t ended = 0;
  std::size_t back = 0;
  for (const Ask& ack : acks) {
    const Job job = f.b.job(ack.version.id);
    ended += job.version.state == "DELIVERED" && job.version.attempt == 0 ? 1 : 0;
    back += job.version.state == "QUEUED" && job.version.attempt == 1 ? 1 : 0;
  }
  CHECK(ended == delivered);
  CHECK(back == rescued);
  CHECK(delivered > 0);
}

TEST_CASE("S2-23: of eight workers at one host two get in") {
  FileStore f;
  const std::vector<WorkerId> workers = enlist(f.b, kThreads);

  const auto taken = together<bool>([&](int i) {
    const HostRule rule{.at_once = 2, .apart = 0ms};
    return f.b.store()
        .limits()
        .take("h", rule, workers[static_cast<std::size_t>(i)], f.b.now())
        .has_value();
  });

  CHECK(std::ranges::count(taken, true) == 2);
  CHECK(f.b.store().limits().use("h").held == 2);
}

TEST_CASE("Z-21: eight equal intents at the same instant are one intent") {
  FileStore f;
  const JobId id = f.b.add(kBook);

  const auto intents = together<std::int64_t>([&](int) {
    return f.b.store().intents().record(id, {.kind = "cancel"}, f.b.now()).value().id.value;
  });

  CHECK(std::set(intents.begin(), intents.end()).size() == 1);
  CHECK(f.b.store().intents().of(id, 10).size() == 1);
}

TEST_CASE("A2-1: items ended by many threads are all counted, each once") {
  FileStore f;
  const JobId id = f.b.reach(kBatch, "RUNNING");
  std::vector<NewItem> found;
  for (int i = 1; i <= 40; ++i) found.push_back({.key = std::to_string(i), .url = "u"});
  Items& items = f.b.store().items();
  const Hold hold = f.b.hold(id);
  REQUIRE(items.add(hold, found, Enumeration::complete, f.b.now()).has_value());

  // Two threads try to skip each item.
  const auto skipped = together<int>([&](int i) {
    int mine = 0;
    for (int n = 1; n <= 10; ++n) {
      const ItemMove skip{
          .n = i / 2 * 10 + n, .from = "PENDING", .on = On::skip, .holds = {Guard::filtered_out}};
      mine += items.move(hold, {&skip, 1}, f.b.now())[0] ? 1 : 0;
    }
    return mine;
  });

  int total = 0;
  for (const int mine : skipped) total += mine;
  CHECK(total == 40);
  CHECK((items.counts(id) == Counts{.total = 40, .skipped = 40, .enumerated = true}));
}

TEST_CASE("promise 2: a reader never sees half a batch") {
  FileStore f;
  std::vector<NewJob> jobs(50, {.lifecycle = &kBook, .request = "{}"});
  std::atomic<int> halves = 0;

  together<int>([&](int i) {
    for (int n = 0; n < 5; ++n) {
      if (i % 2) f.b.jobs().add(jobs, f.b.now());
      if (f.b.reader().list({.limit = kListMax}).jobs.size() % 50 != 0) ++halves;
    }
    return 0;
  });

  CHECK(halves == 0);
  CHECK(f.b.reader().list({.limit = kListMax}).jobs.size() == 1000);
}

TEST_CASE("promise 1: what was answered is there after the store was closed and opened again") {
  const TestFolder folder;
  Job job;
  std::vector<Event> events;
  std::string request;
  {
    Bench b{folder.open(Bench::kStart)};
    const JobId id = b.reach(kRelay, "STREAMING");
    job = b.job(id);
    events = b.store().events().of(id, {}, 100);
    request = b.reader().request(id).value();
  }

  Bench b{folder.open(Bench::kStart)};

  CHECK((b.job(job.version.id) == job));
  CHECK((b.store().events().of(job.version.id, {}, 100) == events));
  CHECK(b.reader().request(job.version.id) == request);
  CHECK(b.worker() != job.worker);
}
