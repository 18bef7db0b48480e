// How often a worker reads jobs, their intents and their requests from the store: over a network
// each read is a round trip.

#include <doctest/doctest.h>

#include <utility>

#include "support/flow/script.h"
#include "support/store/counting_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// A stage on a store that counts its reads.
struct CountedStage {
  ReadCounts reads;
  Millis write_takes{0};
  Stage s{std::make_unique<CountingStore>(open_test_store(Bench::kStart,
                                                          [this](CommitPhase phase) {
                                                            if (phase == CommitPhase::before &&
                                                                write_takes > 0ms)
                                                              s.clock.pass(write_takes);
                                                          }),
                                          reads),
          flow::Settings{.poll_max = 1'000, .host = {.at_once = 1'000, .apart = 0ms}}};

  std::vector<JobId> add(const Lifecycle& table, int count) {
    std::vector<JobId> ids;
    for (int i = 0; i < count; ++i) ids.push_back(s.add(table));
    return ids;
  }
  // Books that their client has been given and has not confirmed yet.
  std::vector<JobId> handed_over(int count) {
    std::vector<JobId> ids = add(kBook, count);
    s.tick();
    REQUIRE(s.count("client.start") == ids.size());
    return ids;
  }
  // The client reports this about each of the jobs.
  void push(const std::vector<JobId>& ids, const What& what) {
    for (const JobId id : ids) Stage::push(s.worker(), {.name = "client.start", .job = id}, what);
  }
  // How many calls for rows of jobs a tick makes.
  int finds_in_a_tick() {
    reads.clear();
    s.tick();
    return reads.of("reader.find");
  }
  // "2 intents, 2 requests": how many calls for these a tick makes.
  std::string other_reads_in_a_tick() {
    reads.clear();
    s.tick();
    return other_reads();
  }
  std::string other_reads() const {
    return std::to_string(reads.of("intents.of")) + " intents, " +
           std::to_string(reads.of("reader.requests")) + " requests";
  }
};

}  // namespace

TEST_CASE("the jobs that the sights of a turn are about are read in one call") {
  CountedStage t;
  const std::vector<JobId> ids = t.handed_over(40);
  t.push(ids, Accepted{.handle = "hash"});

  CHECK(t.finds_in_a_tick() == 1);

  for (const JobId id : ids) CHECK(t.s.job(id).handle == "hash");
}

TEST_CASE("a call reads the jobs of 256 sights at most; the 257th takes another call") {
  for (const int count : {256, 257}) {
    CountedStage t;
    const std::vector<JobId> ids = t.handed_over(count);
    t.push(ids, Accepted{.handle = "hash"});

    CHECK(t.finds_in_a_tick() == (count == 256 ? 1 : 2));

    for (const JobId id : ids) CHECK(t.s.job(id).handle == "hash");
  }
}

TEST_CASE("a read that takes long serves all sights of a turn") {
  CountedStage t;
  const std::vector<JobId> ids = t.handed_over(40);
  t.push(ids, Accepted{.handle = "hash"});
  t.reads.on_read = [&](const std::string& read) {
    if (read == "reader.find") t.s.clock.pass(200ms);
  };

  CHECK(t.finds_in_a_tick() == 1);

  for (const JobId id : ids) CHECK(t.s.job(id).handle == "hash");
}

TEST_CASE("a job that was read more than 50 ms ago is read again before it is judged") {
  for (const Millis each : {Millis{25}, Millis{26}}) {  // Two writes for each sight.
    CountedStage t;
    t.push(t.handed_over(2), Accepted{.handle = "hash"});
    t.write_takes = each;

    CHECK(t.finds_in_a_tick() == (each == 25ms ? 1 : 2));
  }
}

TEST_CASE("a second sight of a job is judged by the job as the first sight left it") {
  CountedStage t;
  const std::vector<JobId> ids = t.handed_over(20);
  t.push(ids, Accepted{.handle = "hash"});
  t.s.tick();
  t.push(ids, Moving{.have = 1});
  t.push(ids, whole("/d/1"));

  CHECK(t.finds_in_a_tick() == 2);  // Once before their first sights and once before the second.

  for (const JobId id : ids) CHECK(t.s.trail(id) == "queued > downloading > completed");
}

TEST_CASE("sights of the same job one after the other are each judged by the job as it is then") {
  CountedStage t;
  const std::vector<JobId> ids = t.handed_over(3);
  t.push(ids, Accepted{.handle = "hash"});
  t.s.tick();
  for (const JobId id : ids) {
    t.push({id}, Moving{.have = 1});
    t.push({id}, whole("/d/1"));
    t.push({id}, Missing{});
  }

  t.s.tick();

  for (const JobId id : ids) CHECK(t.s.trail(id) == "queued > downloading > completed");
}

TEST_CASE("late sights, of no job and of an earlier lease, take one call, however many come") {
  CountedStage t;
  const JobId held = t.add(kRelay, 1).front();
  t.s.tick();
  for (int i = 0; i < 100; ++i) {
    Stage::push(t.s.worker(), {.name = "disk.start", .job = JobId{99}, .fence = 1}, Moving{});
    Stage::push(t.s.worker(), {.name = "disk.start", .job = held, .fence = 0}, Moving{});
  }

  CHECK(t.finds_in_a_tick() == 1);
}

TEST_CASE("a sight of a held job reads no job") {
  CountedStage t;
  t.add(kBatch, 10);
  t.s.tick();
  REQUIRE(t.s.count("http.plan") == 10);
  const Call plan = t.s.last("http.plan");
  t.s.push(plan, Planned{.items = {{.key = "a", .url = "https://h/a"}}});

  CHECK(t.finds_in_a_tick() == 0);

  CHECK(t.s.count("http.start") == 1);
}

TEST_CASE("S2-12: the jobs that users want cancelled are read in one call, and all are cancelled") {
  CountedStage t;
  const std::vector<JobId> running = t.add(kBatch, 30);
  t.s.tick();
  REQUIRE(t.s.worker().held() == 30);
  for (const JobId id : running) REQUIRE(flow::cancel(t.s.store(), id, t.s.clock.now()).wished);

  t.reads.clear();
  t.s.worker().see_cancels();

  CHECK(t.reads.of("reader.find") == 1);
  t.s.after(2s);
  for (const JobId id : running) CHECK(t.s.state(id) == "CANCELLED");
}

TEST_CASE("a look reads the intents and the requests of all due jobs in one call each") {
  for (const int count : {1, 40}) {
    CountedStage t;
    t.add(kBook, count);

    CHECK(t.other_reads_in_a_tick() == "1 intents, 1 requests");

    CHECK(std::cmp_equal(t.s.count("client.start"), count));
    CHECK(t.other_reads_in_a_tick() == "0 intents, 0 requests");  // None is due.
  }
}

TEST_CASE(
    "the intents and requests of jobs that a client reports about are read in one call each") {
  for (const int count : {1, 40}) {
    CountedStage t;
    const std::vector<JobId> ids = t.handed_over(count);

    t.push(ids, Accepted{.handle = "hash"});
    CHECK(t.other_reads_in_a_tick() == "2 intents, 2 requests");  // Also for the first look.
    t.push(ids, Moving{.have = 1});
    CHECK(t.other_reads_in_a_tick() == "1 intents, 1 requests");
    t.push(ids, whole("/d/1"));
    CHECK(t.other_reads_in_a_tick() == "1 intents, 1 requests");

    for (const JobId id : ids) CHECK(t.s.trail(id) == "queued > downloading > completed");
  }
}

TEST_CASE("S0-11: cancels at a client read the intents and requests of all jobs in one call each") {
  for (const int count : {1, 40}) {
    CountedStage t;
    const std::vector<JobId> ids = t.handed_over(count);
    t.push(ids, Accepted{.handle = "hash"});
    t.s.tick();
    for (const JobId id : ids) REQUIRE(flow::cancel(t.s.store(), id, t.s.clock.now()).wished);

    CHECK(t.other_reads_in_a_tick() == "1 intents, 1 requests");
    CHECK(std::cmp_equal(t.s.count("client.stop"), count));
    t.push(ids, Stopped{});
    CHECK(t.other_reads_in_a_tick() == "1 intents, 1 requests");

    for (const JobId id : ids) CHECK(t.s.state(id) == "canceled");
  }
}

TEST_CASE("cancels of paused books read the requests of all of them in one call") {
  CountedStage t;
  for (int i = 0; i < 30; ++i) {
    const JobId id = t.s.add(kBook, {.paused = true});
    REQUIRE(
        t.s.store().intents().record(id, {.kind = kHandOverIntent, .data = {}}, t.s.clock.now()));
    REQUIRE(flow::cancel(t.s.store(), id, t.s.clock.now()).wished);
  }
  t.reads.clear();

  t.s.worker().see_cancels();

  CHECK(t.s.count("client.stop") == 30);
  CHECK(t.other_reads() == "1 intents, 1 requests");
}

TEST_CASE("pauses take as many reads of jobs for thirty jobs as for one, and all are paused") {
  std::vector<int> finds;
  for (const int count : {1, 30}) {
    CountedStage t;
    const std::vector<JobId> running = t.add(kBatch, count);
    t.s.tick();
    for (const JobId id : running) REQUIRE(flow::pause(t.s.store(), id, t.s.clock.now()).wished);
    t.s.clock.pass(2s);  // The next tick sweeps.

    finds.push_back(t.finds_in_a_tick());

    t.s.after(2s);
    for (const JobId id : running) CHECK(t.s.job(id).paused);
  }
  CHECK(finds[0] > 0);
  CHECK(finds[0] == finds[1]);
}

TEST_CASE("S2-12: the answers to cancels and pauses read no intents of single jobs") {
  for (const bool cancels : {true, false}) {
    CountedStage t;
    const std::vector<JobId> running = t.add(kBatch, 30);
    t.s.tick();
    REQUIRE(t.s.worker().held() == 30);
    for (const JobId id : running) {
      const bool wished = cancels ? flow::cancel(t.s.store(), id, t.s.clock.now()).wished
                                  : flow::pause(t.s.store(), id, t.s.clock.now()).wished;
      REQUIRE(wished);
    }
    t.reads.clear();

    t.s.after(2s);     // The worker sees the wishes.
    t.s.after(600ms);  // All have stopped by now.

    for (const JobId id : running) CHECK(t.s.state(id) == (cancels ? "CANCELLED" : "PENDING"));
    CHECK(t.reads.of("intents.of") == 0);
    CHECK(t.reads.of("intents.open_of") == 0);
  }
}

}  // namespace haul::testing
