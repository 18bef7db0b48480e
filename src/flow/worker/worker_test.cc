// What holds for every held job: leases, fences, overdue answers and sights.

#include "flow/worker/worker.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/user/user.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

FoundItem item(const std::string& key, const std::string& host) {
  return {.key = key, .url = "https://" + host + "/" + key};
}

JobId running(Stage& s, std::vector<FoundItem> items) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = std::move(items)});
  return id;
}

// One held job for each lifecycle that has leases.
struct InHand {
  explicit InHand(Stage& s) {
    film = s.add(kMedia);
    s.tick();
    s.reply("client.start", Accepted{.handle = "hash"});
    s.reply("client.look", whole("/d/film"));
    batch = running(s, {item("a", "h")});
    relay = s.add(kRelay);
    image = s.buy(1);
    s.tick();
    CHECK(s.worker().held() == 4);
  }
  JobId film, batch, relay, image;
};

std::string states(Stage& s, const InHand& in_hand) {
  std::string text;
  for (const JobId id : {in_hand.film, in_hand.batch, in_hand.relay, in_hand.image})
    text += (text.empty() ? "" : " ") + s.state(id);
  return text;
}

int attempts(Stage& s, const InHand& in_hand) {
  int sum = 0;
  for (const JobId id : {in_hand.film, in_hand.batch, in_hand.relay, in_hand.image})
    sum += s.job(id).version.attempt;
  return sum;
}

}  // namespace

TEST_CASE("promise 3: a lost worker's jobs are rescued after 8 s, a relay's after 30 s") {
  Stage s;
  const InHand in_hand{s};
  s.crash();
  s.hire().tick();

  s.live(7'999ms);
  CHECK(states(s, in_hand) == "completed RUNNING DOWNLOADING running");
  CHECK(attempts(s, in_hand) == 0);
  s.after(1ms);
  s.live(1s);
  CHECK(states(s, in_hand) == "completed RUNNING DOWNLOADING failed");
  CHECK(attempts(s, in_hand) == 3);
  CHECK(s.trail(in_hand.batch) == "PENDING > RUNNING > PENDING > RUNNING");

  s.live(19s);
  CHECK(attempts(s, in_hand) == 3);
  s.live(3s);
  CHECK(s.job(in_hand.relay).version.attempt == 1);
}

TEST_CASE("S2-23: a dead worker's slots are given back after 30 s, so that its hosts are free") {
  Stage s;
  running(s, {item("a", "h")});
  s.crash();
  s.hire().tick();
  s.live(29s);
  CHECK(s.host_slots("h") == 2);  // One of the dead worker, one of the worker that took over.
  s.live(2s);
  CHECK(s.host_slots("h") == 1);
}

TEST_CASE(
    "A2-6, S3-9: a worker that beats keeps its jobs for 14 min and more, with other workers beside "
    "it") {
  Stage s;
  const InHand in_hand{s};
  s.hire();
  s.live(14min);
  CHECK(states(s, in_hand) == "completed RUNNING DOWNLOADING running");
  CHECK(attempts(s, in_hand) == 0);
  CHECK(s.worker(0).held() == 4);
  CHECK(s.worker(1).held() == 0);
}

TEST_CASE("promise 4: a worker that slept past its lease does nothing to what another took over") {
  Stage s;
  const InHand in_hand{s};
  const Call old = s.last("disk.start");
  s.hire().tick();
  for (int i = 0; i < 32; ++i) {
    s.clock.pass(1s);
    s.worker(1).tick();
  }
  CHECK(s.worker(1).held() >= 3);
  const std::string before =
      s.trail(in_hand.relay) + s.trail(in_hand.batch) + s.trail(in_hand.image);

  s.push(old, Moving{.have = 1});
  s.worker(0).tick();
  s.clock.pass(11s);
  s.worker(1).tick();
  s.worker(0).tick();

  CHECK(s.worker(0).held() == 0);
  CHECK(s.trail(in_hand.relay) + s.trail(in_hand.batch) + s.trail(in_hand.image) == before);
  CHECK(s.count("chat.land") == 0);
}

TEST_CASE("promise 4: two workers never take the same job") {
  Stage s;
  s.hire();
  for (int i = 0; i < 20; ++i) s.add(kRelay);
  s.tick();
  s.tick();
  CHECK(s.worker(0).held() + s.worker(1).held() == 20);
  CHECK(s.count("disk.start") == 20);
}

TEST_CASE("F55, Z-8, A3-9: a graceful stop gives all back at once, and no attempt is counted") {
  Stage s;
  const InHand in_hand{s};
  s.worker().stop();

  CHECK(s.worker().held() == 0);
  CHECK(states(s, in_hand) == "completed PENDING QUEUED running");
  CHECK(attempts(s, in_hand) == 0);
  CHECK(s.host_slots("h") == 0);
  CHECK(s.job(in_hand.relay).reason == "released");
  CHECK(s.event_types(in_hand.batch).find("JOB_ERROR") == std::string::npos);

  s.crash();
  s.hire().tick();
  // A4-13: the provider has not named the paid call, so the next worker counts it as a failure.
  CHECK(s.worker().held() == 3);
  CHECK(attempts(s, in_hand) == 1);
}

TEST_CASE("F55: what was told before the stop still counts") {
  Stage s;
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  s.push(s.last("chat.land"), Sent{.ack = R"({"message_id":7})"});
  s.worker().stop();
  CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE("an item told to be finished twice, in one mail and later, is done once") {
  Stage s;
  const JobId id = running(s, {item("a", "h1"), item("b", "h2")});
  const Call start = s.last("http.start");
  s.push(start, whole("/in/b"));
  s.push(start, whole("/in/b"));
  s.tick();
  s.push(start, whole("/in/other"));
  s.push(start, failed(FaultKind::permanent, "late"));
  s.tick();
  CHECK(s.items(id) == "DOWNLOADING COMPLETED");
  CHECK(s.store().items().list(id, "COMPLETED", 0, 9).at(0).path == "/in/b");
  CHECK(s.host_slots("h2") == 0);
  CHECK(s.event_types(id) == "JOB_ADDED MOVED JOB_STARTED ITEM_DONE JOB_PROGRESS");
}

TEST_CASE("an answer to a former start of an item changes nothing, whatever it says") {
  Stage s{{.host = {.at_once = 2, .apart = 0ms}}};
  const JobId id = running(s, {item("a", "h")});
  const Call first = s.last("http.start");
  s.reply("http.start", failed(FaultKind::retryable, "timeout"));
  s.after(1s);
  CHECK(s.last("http.start").start != first.start);

  s.push(first, whole("/in/old"));
  s.push(first, failed(FaultKind::permanent, "http_404"));
  s.tick();
  CHECK(s.items(id) == "DOWNLOADING");
  CHECK(s.host_slots("h") == 1);
  s.reply("http.start", whole("/in/new"));
  CHECK(s.store().items().list(id, "", 0, 1).at(0).path == "/in/new");
}

TEST_CASE(
    "F03: an answer under an old fence changes nothing, though the same worker holds it again") {
  Stage s;
  const JobId id = running(s, {item("a", "h")});
  const Call old = s.last("http.start");
  s.reply("http.start", failed(FaultKind::environment, "disk_full"));
  s.live(30s);
  const Call now = s.last("http.start");
  CHECK(now.fence > old.fence);

  Call forged = now;
  forged.fence = old.fence;
  for (const Call& stale : {old, forged}) {
    s.push(stale, whole("/in/old"));
    s.push(stale, failed(FaultKind::permanent, "late"));
    s.tick();
  }
  CHECK(s.items(id) == "DOWNLOADING");
  s.push(now, whole("/in/new"));
  s.tick();
  CHECK(s.state(id) == "COMPLETED");
}

TEST_CASE("a fence from the future, an unknown job and an unknown item are passed over") {
  Stage s;
  const JobId id = running(s, {item("a", "h")});
  Call odd = s.last("http.start");
  odd.fence += 1;
  s.push(odd, whole("/in/a"));
  odd.fence -= 1;
  odd.item = 99;
  s.push(odd, whole("/in/a"));
  odd.job = JobId{99};
  s.push(odd, whole("/in/a"));
  s.tick();
  CHECK(s.items(id) == "DOWNLOADING");
}

TEST_CASE("a plan told twice adds nothing twice, and a late one nothing at all") {
  Stage s;
  const JobId id = s.add(kBatch);
  s.tick();
  const Call plan = s.last("http.plan");
  s.push(plan, Planned{.items = {item("a", "h")}});
  s.push(plan, Planned{.items = {item("a", "h"), item("b", "h")}});
  s.tick();
  s.push(plan, Planned{.items = {item("c", "h")}});
  s.live(20s);
  CHECK(s.store().items().counts(id).total == 1);
  CHECK(s.trail(id) == "PENDING > RUNNING");
  CHECK(s.count("http.start") == 1);
}

TEST_CASE("promise 16, F08: fifty jobs that always fail do not keep the others from their ends") {
  Stage s;
  std::vector<JobId> good;
  for (int i = 0; i < 100; ++i) {
    const JobId id = s.add(kRelay);
    s.tick();
    if (i % 2 == 0) {
      s.push(s.last("disk.start"), failed(FaultKind::permanent, "poison"));
    } else {
      good.push_back(id);
      s.push(s.last("disk.start"), Moving{.have = 1});
      s.tick();
      s.push(s.last("chat.land"), Sent{.ack = "{}"});
    }
  }
  s.tick();
  for (const JobId id : good) CHECK(s.state(id) == "DELIVERED");
}

TEST_CASE("promise 17: a worker holds no more than it may, and takes more when it has room") {
  Stage s{{.held_max = 3}};
  for (int i = 0; i < 5; ++i) s.add(kRelay);
  s.tick();
  s.tick();
  CHECK(s.worker().held() == 3);
  s.reply("disk.start", failed(FaultKind::permanent, "x"));
  s.tick();
  CHECK(s.worker().held() == 3);
  CHECK(s.count("disk.start") == 4);
}

TEST_CASE("A2-17: a paused job is left alone until it is resumed") {
  Stage s;
  const JobId id = s.add(kBatch, {.paused = true});
  s.live(5min, 5s);
  CHECK(s.asked().empty());
  CHECK(s.store().jobs().resume(s.job(id).version, s.clock.now()).has_value());
  s.tick();
  CHECK(s.asked() == "http.plan 1");
}

TEST_CASE("a worker with nothing to do writes nothing but its beat, and asks no engine") {
  Stage s;
  s.live(1min);
  CHECK(s.asked().empty());
  CHECK(s.store().events().newest().value == 0);
  CHECK(s.store().workers().find(s.worker().id())->beat == 30);
}

TEST_CASE("1,000 jobs of a killed worker are worked on again within 10 s, by default settings") {
  Stage s;
  for (int i = 0; i < 1'000; ++i)
    s.add(kBatch, {.request = fmt::format(R"({{"url":"https://h{}.example/a"}})", i)});
  for (int i = 0; i < 10; ++i) s.tick();
  REQUIRE(s.worker().held() == 1'000);
  s.hire();
  s.crash();
  s.live(7s, 500ms);
  CHECK(s.worker().held() == 0);
  s.live(3s, 100ms);
  CHECK(s.worker().held() == 1'000);
}

TEST_CASE(
    "spare capacity: what is added while one is free is taken at once, and begun with the next "
    "tick") {
  Stage s;
  s.tick();
  const auto added =
      flow::add(s.store(), {.lifecycle = &kBatch, .request = R"({"url":"http://h/a"})"},
                s.clock.now(), &s.worker().spare());
  REQUIRE(added);
  CHECK(s.state(added->id) == "RUNNING");
  CHECK(s.asked().empty());

  s.tick();
  CHECK(s.asked() == fmt::format("http.plan {}", added->id.value));
}

TEST_CASE(
    "spare capacity: none before the first tick, none for a book, and never more than there are") {
  Stage s{flow::Settings{.held_max = 2}};
  flow::SpareCapacity& spare = s.worker().spare();
  CHECK_FALSE(spare.lend(kBatch, 1));
  s.tick();
  CHECK_FALSE(spare.lend(kBook, 1));
  const auto lent = spare.lend(kBatch, 5);
  REQUIRE(lent);
  CHECK(lent->limit == 2);
  CHECK_FALSE(spare.lend(kRelay, 1));
  spare.give_back(*lent, {});
  CHECK(spare.lend(kRelay, 1).value().limit == 1);
}

TEST_CASE(
    "spare capacity: a worker that stops gives back what they took, no attempt burnt, and lends no "
    "more") {
  Stage s;
  s.tick();
  flow::SpareCapacity& spare = s.worker().spare();
  const auto added = flow::add(s.store(), {.lifecycle = &kRelay, .request = request_for(kRelay)},
                               s.clock.now(), &spare);
  REQUIRE(added);
  CHECK(s.state(added->id) == "CLAIMED");

  s.worker().stop();
  CHECK(s.state(added->id) == "QUEUED");
  CHECK(s.job(added->id).version.attempt == 0);
  CHECK_FALSE(spare.lend(kRelay, 1));
}

}  // namespace haul::testing
