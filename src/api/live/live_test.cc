#include "api/live/live.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "support/flow/script.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// The test rings Live after a commit, Live wakes the test, and hear() waits for the given text.
struct Room {
  Mutex mutex;
  Condition told;
  int wakes = 0;
  Bench b;
  HandClock clock;
  api::Live live{b.store(), clock, [this] {
                   const Lock lock{mutex};
                   ++wakes;
                   told.notify_all();
                 }};

  std::string hear(WebStream& stream, std::string_view until) {
    std::string all;
    for (int i = 0; i < 500 && all.find(until) == std::string::npos; ++i) {
      if (const auto next = stream.next()) {
        all += *next;
        continue;
      }
      const Lock lock{mutex};
      const int before = wakes;
      told.wait_for(mutex, 20ms, [&]() REQUIRES(mutex) { return wakes != before; });
    }
    return all;
  }
  void add(int jobs) {
    for (int i = 0; i < jobs; ++i) b.add(kBatch);
    live.ring();
  }
  std::string newest() { return fmt::format("id: {}\n", b.store().events().newest().value); }
};

std::vector<std::int64_t> ids_in(const std::string& text) {
  std::vector<std::int64_t> ids;
  for (std::size_t at = text.find("id: "); at != std::string::npos; at = text.find("id: ", at + 1))
    if (at == 0 || text[at - 1] == '\n') ids.push_back(std::stoll(text.substr(at + 4)));
  return ids;
}

bool follow_one_another(const std::vector<std::int64_t>& ids) {
  for (std::size_t i = 1; i < ids.size(); ++i)
    if (ids[i] != ids[i - 1] + 1) return false;
  return true;
}

}  // namespace

TEST_CASE("promise 18: a listener gets each new event once, in order") {
  Room room;
  room.add(2);
  const auto stream = room.live.listen({});
  room.add(3);
  const std::vector<std::int64_t> ids = ids_in(room.hear(*stream, room.newest()));
  CHECK(ids.size() >= 3);
  CHECK(follow_one_another(ids));
  CHECK_FALSE(stream->next());
}

TEST_CASE("promise 18: who comes back goes on after what it saw last, however long ago that was") {
  Room room;
  room.add(1'500);
  const auto stream = room.live.listen({.after = "1"});
  const std::vector<std::int64_t> ids = ids_in(room.hear(*stream, room.newest()));
  CHECK(ids.front() == 2);
  CHECK(ids.back() == room.b.store().events().newest().value);
  CHECK(follow_one_another(ids));
}

TEST_CASE("J34: a Last-Event-ID that cannot be is answered with resync, and then what is new") {
  Room room;
  room.add(1);
  for (const char* last : {"999999999", "-1", "x", "1x", "99999999999999999999", " "}) {
    CAPTURE(last);
    const auto stream = room.live.listen({.after = last});
    CHECK(room.hear(*stream, "event: resync").find(room.newest()) == 0);
    room.add(1);
    const std::string then = room.hear(*stream, room.newest());
    CHECK(then.find("resync") == std::string::npos);
    CHECK(then.find("JOB_ADDED") != std::string::npos);
  }
}

TEST_CASE("F15: a listener a thousand events behind gets one resync and continues from there") {
  Room room;
  const auto slow = room.live.listen({});
  const auto other = room.live.listen({});
  room.add(1'200);
  room.hear(*other, room.newest());  // By now the thread has read them all.
  const std::string told = room.hear(*slow, "resync");
  CHECK(told.starts_with(room.newest() + "event: resync"));
  room.add(1);
  CHECK(ids_in(room.hear(*slow, room.newest())).size() <= 2);
}

TEST_CASE("a listener gets events of its own job, or its own jobs, only") {
  Room room;
  const UserId other = room.b.store().users().add("x", Role::adder, room.b.now()).value().id;
  const auto mine = room.live.listen({.owner = other});
  const auto one = room.live.listen({.job = JobId{2}});
  room.add(3);
  const NewJob theirs{.lifecycle = &kBatch, .owner = other, .request = request_for(kBatch, 9)};
  REQUIRE(room.b.add(theirs));
  room.live.ring();
  const std::string heard = room.hear(*mine, room.newest());
  CHECK(heard.find("\"job\":4") != std::string::npos);
  CHECK(heard.find("\"job\":2,") == std::string::npos);
  const std::string of_one = room.hear(*one, "\"job\":2,");
  CHECK(of_one.find("\"job\":1,") == std::string::npos);
  CHECK(of_one.find("\"job\":3,") == std::string::npos);
}

TEST_CASE("F49: a listener that reconnects gets old events of its own jobs only") {
  Room room;
  const UserId other = room.b.store().users().add("x", Role::adder, room.b.now()).value().id;
  room.add(1'200);  // More than Live keeps in memory, before and after their job.
  const NewJob theirs{.lifecycle = &kBatch, .owner = other, .request = request_for(kBatch, 9)};
  const std::int64_t id = room.b.add(theirs).value().id.value;
  room.add(1'200);
  REQUIRE(room.b.add({.lifecycle = &kBatch, .owner = other, .request = request_for(kBatch, 8)}));
  room.live.ring();

  const auto mine = room.live.listen({.after = "1", .owner = other});
  const std::string heard = room.hear(*mine, room.newest());
  CHECK(ids_in(heard).size() == 2);
  CHECK(heard.find(fmt::format("\"job\":{},", id)) != std::string::npos);

  const auto one = room.live.listen({.after = "1", .job = JobId{id}});
  CHECK(ids_in(room.hear(*one, fmt::format("\"job\":{},", id))).size() == 1);
}

TEST_CASE("F49: progress goes to the owner of the job, or to a listener of that one job") {
  Room room;
  const auto mine = room.live.listen({.owner = UserId{5}});
  const auto one = room.live.listen({.job = JobId{8}});
  room.live.show({{JobId{7}, {.job = JobId{7}, .owner = UserId{5}, .have = 1}},
                  {JobId{8}, {.job = JobId{8}, .owner = UserId{6}, .have = 1}}});
  const std::string to_mine = mine->next().value_or("");
  CHECK(to_mine.find("{\"job\":7,") != std::string::npos);
  CHECK(to_mine.find("{\"job\":8,") == std::string::npos);
  const std::string to_one = one->next().value_or("");
  CHECK(to_one.find("{\"job\":8,") != std::string::npos);
  CHECK(to_one.find("{\"job\":7,") == std::string::npos);
}

TEST_CASE("a later listener gets no progress of jobs that have ended") {
  Room room;
  const std::map<JobId, api::JobProgress> all{{JobId{7}, {.job = JobId{7}, .have = 5}}};
  {
    const auto stream = room.live.listen({});
    room.live.show(all);
    room.live.show({});
    CHECK_FALSE(room.live.listen({})->next());

    room.live.show(all);
    CHECK(room.live.listen({})->next());
  }
  room.live.show(all);  // No stream listens.
  CHECK_FALSE(room.live.listen({})->next());
}

TEST_CASE("progress is told as it changes, without an id, and not kept") {
  Room room;
  const auto stream = room.live.listen({});
  std::map<JobId, api::JobProgress> all{{JobId{7}, {.job = JobId{7}, .have = 5, .size = 10}}};
  room.live.show(all);
  const std::string told = room.hear(*stream, "event: progress");
  CHECK(told.starts_with("event: progress\ndata: {\"job\":7,\"have\":5,\"size\":10,"));
  room.live.show(all);
  CHECK_FALSE(stream->next());  // Nothing has changed.
  all[JobId{7}].have = 6;
  room.live.show(all);
  all[JobId{7}].have = 7;
  room.live.show(all);
  const std::string later = stream->next().value_or("");
  CHECK(later.find("\"have\":6") == std::string::npos);
  CHECK(later.find("\"have\":7") != std::string::npos);
}

}  // namespace haul::testing
