// Pausing a held job: haul stores the pause at once and grants it when the worker has stopped.

#include <doctest/doctest.h>

#include <utility>

#include "flow/user/why.h"
#include "support/flow/script.h"
#include "support/store/counting_store.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

flow::PauseAnswer pause(Stage& s, JobId id) {
  return haul::flow::pause(s.store(), id, s.clock.now());
}
flow::PauseAnswer resume(Stage& s, JobId id) {
  return haul::flow::resume(s.store(), id, s.clock.now());
}
std::string code_of(const flow::PauseAnswer& answer) {
  if (answer.refusal) return answer.refusal->code;
  return answer.done ? "done" : "wished";
}

// A running batch with one item in transfer at each of the hosts.
JobId running(Stage& s, const std::vector<std::string>& hosts) {
  const JobId id = s.add(kBatch);
  s.tick();
  Planned planned;
  for (const std::string& host : hosts)
    planned.items.push_back({.key = host, .url = "https://" + host + "/x"});
  s.reply("http.plan", planned);
  s.asked();
  return id;
}

JobId streaming(Stage& s) {
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", Moving{.have = 1});
  REQUIRE(s.state(id) == "STREAMING");
  return id;
}

std::string why(Stage& s, JobId id) {
  return flow::explain(s.store(), id, s.clock.now(), {})->code;
}

}  // namespace

TEST_CASE("a running batch that is paused stops its transfers and is given back, no attempt less") {
  Stage s;
  const JobId id = running(s, {"a", "b"});

  CHECK(code_of(pause(s, id)) == "wished");
  CHECK(s.state(id) == "RUNNING");
  CHECK(why(s, id) == "pause_asked");
  s.after(1s);

  CHECK(s.asked() == "http.stop 1.1, http.stop 1.2");
  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING");
  CHECK(s.job(id).paused);
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.items(id) == "PENDING PENDING");
  CHECK(s.host_slots("a") == 0);
  CHECK(s.worker().held() == 0);
  CHECK(s.intents(id) == "pause done");
  CHECK(why(s, id) == "paused");
  s.live(60s);
  CHECK(s.asked().empty());
}

TEST_CASE("resumed, it goes on with what its transfers left") {
  Stage s;
  const JobId id = running(s, {"a"});
  s.push(s.last("http.start"), Moving{.have = 5, .path = {}, .checkpoint = R"({"part":"p"})"});
  s.tick();
  pause(s, id);
  s.after(1s);
  REQUIRE(s.job(id).paused);

  CHECK(code_of(resume(s, id)) == "done");
  s.tick();

  CHECK(s.asked() == "http.stop 1.1, http.start 1.1");
  CHECK(s.store().items().list(id, "", 0, 1).front().checkpoint == R"({"part":"p"})");
  s.reply("http.start", whole("/in/a"));
  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING > RUNNING > COMPLETED");
}

TEST_CASE("promise 1: a wish to pause outlives the worker, and no worker runs the job before") {
  Stage s;
  const JobId id = running(s, {"a"});
  pause(s, id);
  s.crash();
  s.hire();
  s.live(7'999ms);
  CHECK(s.state(id) == "RUNNING");

  s.live(3s);
  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING");
  CHECK(s.job(id).paused);
  CHECK(s.asked().empty());
  CHECK(s.intents(id) == "pause done");
}

TEST_CASE("a wish to pause outlives a graceful stop: the next worker does not take the job up") {
  Stage s;
  const JobId id = running(s, {"a"});
  pause(s, id);
  s.worker().stop();
  s.crash();
  CHECK_FALSE(s.job(id).paused);
  s.hire();
  s.asked();
  s.tick();
  CHECK(s.job(id).paused);
  CHECK(s.asked().empty());
}

TEST_CASE("a batch that ends before its pause is seen stays as it ended, and the wish is settled") {
  Stage s;
  const JobId id = running(s, {"a"});
  pause(s, id);
  s.clock.pass(1s);
  s.reply("http.start", whole("/in/a"));
  CHECK(s.trail(id) == "PENDING > RUNNING > COMPLETED");
  s.live(2s);
  CHECK(s.intents(id) == "pause failed");
  CHECK(code_of(pause(s, id)) == "ended");
}

TEST_CASE("paused twice is one wish; taken back in time nothing stops") {
  Stage s;
  const JobId id = running(s, {"a"});
  CHECK(code_of(pause(s, id)) == "wished");
  CHECK(code_of(pause(s, id)) == "wished");
  CHECK(s.intents(id) == "pause open");
  CHECK(code_of(resume(s, id)) == "done");
  s.after(1s);
  CHECK(s.asked().empty());
  CHECK(s.state(id) == "RUNNING");
  CHECK(s.intents(id) == "pause failed");
  CHECK(code_of(resume(s, id)) == "leased");
}

TEST_CASE("taken back after the transfers were told to stop, it is run again at once") {
  Stage s;
  const JobId id = running(s, {"a"});
  pause(s, id);
  s.worker().wake();
  s.worker().wait(0ms);
  s.tick();  // The worker has told the transfers to stop; their answers wait in the inbox.
  CHECK(s.asked() == "http.stop 1.1");
  CHECK(code_of(resume(s, id)) == "done");
  s.tick();
  s.tick();
  CHECK_FALSE(s.job(id).paused);
  CHECK(s.trail(id) == "PENDING > RUNNING > PENDING > RUNNING");
  s.after(1s);  // The delay between two requests to a host.
  CHECK(s.asked() == "http.start 1.1");
}

TEST_CASE("a cancel goes before a pause: asked for first, in the middle, or of what is paused") {
  Stage s;
  const JobId first = running(s, {"a"});
  haul::flow::cancel(s.store(), first, s.clock.now());
  CHECK(code_of(pause(s, first)) == "cancel_asked");
  s.after(1s);
  CHECK(s.state(first) == "CANCELLED");

  const JobId both = running(s, {"a"});
  pause(s, both);
  haul::flow::cancel(s.store(), both, s.clock.now());
  s.after(1s);
  CHECK(s.trail(both) == "PENDING > RUNNING > CANCELLED");
  s.live(2s);
  CHECK(s.intents(both) == "pause failed, cancel done, clear done");

  const JobId paused = running(s, {"a"});
  pause(s, paused);
  s.after(1s);
  REQUIRE(s.job(paused).paused);
  CHECK(haul::flow::cancel(s.store(), paused, s.clock.now()).moved);
  CHECK(s.trail(paused) == "PENDING > RUNNING > PENDING > CANCELLED");
}

TEST_CASE("S2-12: a cancel that comes while a batch is pausing removes its parts and cancels it") {
  Stage s;
  const JobId id = running(s, {"a"});
  s.http_answers_stops = false;
  pause(s, id);
  s.after(1s);
  CHECK(s.asked() == "http.stop 1.1");
  CHECK((s.last("http.stop").leftovers == Leftovers::keep));
  CHECK(s.state(id) == "RUNNING");

  haul::flow::cancel(s.store(), id, s.clock.now());
  s.after(1s);
  CHECK(s.asked() == "http.stop 1.1");
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  CHECK(s.state(id) == "RUNNING");

  s.reply("http.stop", haul::Stopped{});
  CHECK(s.trail(id) == "PENDING > RUNNING > CANCELLED");
  CHECK(s.items(id) == "CANCELLED");
}

TEST_CASE("S2-12: a pause that comes while a batch is being cancelled changes nothing") {
  Stage s;
  const JobId id = running(s, {"a"});
  s.http_answers_stops = false;
  haul::flow::cancel(s.store(), id, s.clock.now());
  // Like a pause that was stored just before the cancel.
  REQUIRE(s.store().intents().record(id, {.kind = "pause"}, s.clock.now()));
  s.after(1s);
  s.after(1s);
  CHECK(s.asked() == "http.stop 1.1");
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  s.reply("http.stop", haul::Stopped{});
  CHECK(s.trail(id) == "PENDING > RUNNING > CANCELLED");
}

TEST_CASE("S2-12: an engine that never says it has stopped delays a cancel by 1.5 s, no longer") {
  Stage s;
  const JobId id = running(s, {"a"});
  s.http_answers_stops = false;
  haul::flow::cancel(s.store(), id, s.clock.now());
  s.worker().wake();
  s.worker().wait(0ms);
  s.tick();
  CHECK(s.asked() == "http.stop 1.1");
  s.after(1'499ms);
  CHECK(s.state(id) == "RUNNING");
  s.after(1ms);
  CHECK(s.trail(id) == "PENDING > RUNNING > CANCELLED");
}

TEST_CASE("promise 15: what is cancelled while it is paused leaves no part behind") {
  Stage s;
  const JobId id = running(s, {"a", "b"});
  s.push(s.last("http.start"), Moving{.have = 5, .path = {}, .checkpoint = R"({"part":"p"})"});
  s.tick();
  pause(s, id);
  s.after(1s);
  REQUIRE(s.job(id).paused);
  s.asked();
  REQUIRE(haul::flow::cancel(s.store(), id, s.clock.now()).moved);
  s.crash();
  s.hire();
  s.after(1s);
  CHECK(s.asked() == "http.stop 1");
  CHECK((s.last("http.stop").leftovers == Leftovers::remove));
  CHECK(s.intents(id) == "pause done, clear done");
  s.live(5s);
  CHECK(s.asked().empty());
}

TEST_CASE("promise 3: a message that is being sent is waited for; only then is anything paused") {
  Stage s;
  const JobId sent = streaming(s);
  CHECK(code_of(pause(s, sent)) == "wished");
  s.live(5s);
  CHECK(s.state(sent) == "STREAMING");
  s.reply("chat.land", Sent{.ack = "{}"});
  CHECK(s.state(sent) == "DELIVERED");
  s.live(2s);
  CHECK(s.intents(sent) == "chat_send done, pause failed");

  const JobId failing = streaming(s);
  pause(s, failing);
  s.live(2s);
  s.reply("chat.land", failed(FaultKind::retryable, "server_error"));
  s.live(60s);
  CHECK(s.state(failing) == "QUEUED");
  CHECK(s.job(failing).paused);
  CHECK(s.count("chat.land") == 2);
}

TEST_CASE("a relay that only downloads goes back; a film that is imported waits where it is") {
  Stage s;
  const JobId relay = s.add(kRelay);
  s.tick();
  CHECK(code_of(pause(s, relay)) == "wished");
  s.after(1s);
  s.reply("disk.stop", Stopped{});
  CHECK(s.trail(relay) == "QUEUED > CLAIMED > DOWNLOADING > QUEUED");
  CHECK(s.job(relay).paused);

  const JobId film = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  CHECK(code_of(pause(s, film)) == "with_client");
  s.push(s.last("client.look"), whole("/d/1"));
  s.tick();
  s.tick();
  REQUIRE(s.job(film).worker);
  CHECK(code_of(pause(s, film)) == "wished");
  s.after(1s);
  CHECK_FALSE(s.job(film).paused);
  s.reply("library.stop", Stopped{});
  CHECK(s.state(film) == "completed");
  CHECK(s.job(film).paused);
  CHECK_FALSE(s.job(film).worker);
  resume(s, film);
  s.tick();
  s.reply("library.land", landed("/lib/1"));
  CHECK(s.state(film) == "imported");
}

TEST_CASE("what a client was not handed yet is paused at once, and refused once it was") {
  Stage s;
  const JobId id = s.add(kBook);
  CHECK(code_of(pause(s, id)) == "done");
  s.live(30s);
  CHECK(s.asked().empty());
  CHECK(code_of(resume(s, id)) == "done");
  s.tick();
  CHECK(s.asked() == "client.start 1");
  CHECK(code_of(pause(s, id)) == "with_client");
  CHECK(code_of(pause(s, JobId{99})) == "no_such_job");
  CHECK(code_of(resume(s, JobId{99})) == "no_such_job");
}

TEST_CASE("a book that is paused after a look has read it is not handed over until it is resumed") {
  ReadCounts reads;
  Stage s{std::make_unique<CountingStore>(open_test_store(Bench::kStart), reads), {}};
  const JobId id = s.add(kBook);
  bool was_read = false;
  reads.on_read = [&](const std::string& read) {
    if (read == "reader.requests" && !std::exchange(was_read, true)) REQUIRE(pause(s, id).done);
  };
  s.tick();

  REQUIRE(was_read);
  CHECK(s.job(id).paused);
  CHECK(s.asked().empty());
  CHECK(s.intents(id).empty());

  REQUIRE(resume(s, id).done);
  s.tick();
  CHECK(s.asked() == "client.start 1");
}

TEST_CASE("a job that was paused a thousand times is paused and resumed once more") {
  Stage s;
  const JobId id = running(s, {"a"});
  for (int i = 0; i < 1'000; ++i) {
    const NewIntent wish{.kind = "pause", .data = {}};
    const auto made = s.store().intents().record(id, wish, s.clock.now());
    s.store().intents().settle(made->id, IntentState::failed, "taken_back", s.clock.now());
  }

  CHECK(code_of(pause(s, id)) == "wished");
  s.live(2s);
  CHECK(s.job(id).paused);
  CHECK(code_of(haul::flow::resume(s.store(), id, s.clock.now())) == "done");
}

}  // namespace haul::testing
