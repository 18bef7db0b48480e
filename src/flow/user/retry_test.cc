// Which jobs a user can retry, and what a retry costs (S1-17, S4-14, Z-8).

#include <doctest/doctest.h>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::expected<Added, Refusal> retry(Stage& s, JobId id) {
  return haul::flow::retry(s.store(), id, s.clock.now());
}

std::string refused(Stage& s, JobId id) {
  const auto answer = retry(s, id);
  return answer ? "granted" : answer.error().code + " " + answer.error().detail;
}

std::string allowed(Stage& s, JobId id) {
  const auto why = flow::explain(s.store(), id, s.clock.now(), {});
  std::string text;
  for (const std::string& each : why->allowed) text += (text.empty() ? "" : " ") + each;
  return text;
}

std::string keys(Stage& s, JobId id) {
  std::string text;
  for (const Item& item : s.store().items().list(id, "", 0, 100)) text += item.key + " ";
  return text;
}

JobId failed_film(Stage& s) {
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", failed(FaultKind::permanent, "engine_error"));
  return id;
}

// An image for four of ten credits that failed for good at its provider.
JobId dead_letter(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  return id;
}

// A batch of one item that ended with `how`.
JobId ended_batch(Stage& s, const What& how) {
  const JobId id = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  s.reply("http.start", how);
  s.after(1s);
  return id;
}

}  // namespace

TEST_CASE("S1-17: a failed film goes back to queued: same row, retry counted, transfer forgotten") {
  Stage s;
  const JobId id = failed_film(s);
  CHECK(s.job(id).reason == "engine_error");
  CHECK(s.job(id).version.attempt == 1);

  CHECK((retry(s, id) == Added{id, false}));

  CHECK(s.trail(id) == "queued > failed > queued");
  CHECK(s.job(id).version.attempt == 0);
  CHECK(s.job(id).retries == 1);
  CHECK(s.job(id).handle.empty());
  CHECK(s.job(id).reason.empty());
  CHECK_FALSE(s.job(id).ended_at.has_value());
  s.tick();
  CHECK(s.count("client.start") == 2);
}

TEST_CASE("S1-17: a film may be retried as often as a user likes; only one that failed") {
  Stage s;
  const JobId id = failed_film(s);
  for (int i = 1; i <= 10; ++i) {
    CHECK(retry(s, id).has_value());
    CHECK(refused(s, id) == "cannot_retry queued");
    s.tick();
    s.reply("client.start", failed(FaultKind::permanent, "enqueue_failed"));
    CHECK(s.job(id).version.attempt == 1);
    CHECK(s.job(id).retries == i);
    CHECK(s.state(id) == "failed");
  }
}

TEST_CASE("A1-7: a cancelled film can be retried too, and the cancel of before does not stick") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.tick();
  s.reply("client.stop", Stopped{});
  CHECK(s.state(id) == "failed");

  CHECK(retry(s, id).has_value());
  s.live(5s);
  CHECK(s.state(id) == "queued");
  CHECK(s.count("client.stop") == 1);
  CHECK(s.count("client.start") == 2);
}

TEST_CASE("a film that was cancelled while it was paused goes on when it is retried") {
  Stage s;
  const JobId id = s.add(kMedia);
  CHECK(flow::pause(s.store(), id, s.clock.now()).done);
  CHECK(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.tick();
  CHECK(s.state(id) == "failed");

  CHECK(retry(s, id).has_value());
  CHECK_FALSE(s.job(id).paused);
  s.tick();
  CHECK(s.count("client.start") == 1);
}

TEST_CASE("X-4: a film that a user asked for anew meanwhile is not retried beside it") {
  Stage s;
  const JobId id = failed_film(s);
  const JobId anew = s.add(kMedia, {.request = full_request(kMedia, 1)});
  CHECK((anew != id));
  CHECK(refused(s, id).starts_with("taken "));
  CHECK(s.state(id) == "failed");
}

TEST_CASE(
    "S4-14: a dead letter's retry is a new job that names it, and its price is reserved again") {
  Stage s;
  const JobId old = dead_letter(s);
  CHECK(s.state(old) == "dead_letter");
  CHECK(s.wallet().available == 10);

  const auto next = retry(s, old);

  CHECK_FALSE(next->replayed);
  CHECK((next->id != old));
  CHECK((s.job(next->id).retry_of == old));
  CHECK(s.state(next->id) == "queued");
  CHECK(s.job(next->id).version.attempt == 0);
  CHECK((s.store().reader().request(next->id) == s.store().reader().request(old)));
  CHECK(s.wallet().reserved == 4);
  CHECK(s.wallet().available == 6);
  CHECK(s.trail(old) == "queued > running > failed > dead_letter");
}

TEST_CASE("Z-30: a retry adds no job that cannot begin; a retry of the same job needs nothing") {
  Stage s;
  const JobId batch = ended_batch(s, failed(FaultKind::permanent, "http_404"));
  const JobId film = failed_film(s);
  s.lacks["http"] = "configure x";
  s.lacks["client"] = "configure y";
  const auto again = [&](JobId id) { return flow::retry(s.store(), id, s.clock.now(), s.work()); };

  const auto answer = again(batch);
  REQUIRE_FALSE(answer.has_value());
  CHECK(answer.error().code == "not_configured");
  CHECK(answer.error().detail == "configure x");
  CHECK(again(film).has_value());

  s.lacks.clear();
  CHECK(again(batch).has_value());
}

TEST_CASE("S4-14: the retried image is paid, kept and spent like any other") {
  Stage s;
  const JobId next = retry(s, dead_letter(s))->id;
  s.tick();
  s.reply("images.start", whole("https://p/1"));
  s.reply("bucket.land", landed("/originals/1.png"));
  CHECK(s.trail(next) == "queued > running > completed");
  CHECK((s.wallet() == Wallet{.granted = 10, .available = 6, .reserved = 0, .spent = 4}));
}

TEST_CASE(
    "promise 13: a dead letter whose owner cannot pay again is not retried, and nothing moves") {
  Stage s;
  const JobId old = dead_letter(s);
  s.add(kImage, {.request = R"({"prompt":"all of it"})", .price = 7});
  CHECK(refused(s, old).starts_with("no_credit "));
  CHECK(s.wallet().available == 3);
  CHECK(s.store().reader().list({.lifecycle = "image"}).jobs.size() == 2);
}

TEST_CASE(
    "S4-14: the price is the dead letter's own, though its owner has a thousand other entries") {
  Stage s;
  const JobId old = dead_letter(s);
  for (int i = 0; i < 1'100; ++i)
    CHECK(s.store().ledger().grant(kAdmin, 1, "gift", s.clock.now()).has_value());
  JobId dear = s.add(kImage, {.request = R"({"prompt":"dear"})", .price = 50});
  s.tick();
  s.reply("images.start", failed(FaultKind::permanent, "http_400"));
  CHECK(s.state(dear) == "dead_letter");

  const std::int64_t before = s.wallet().reserved;
  CHECK(retry(s, dear).has_value());
  CHECK(s.wallet().reserved == before + 50);
  CHECK(retry(s, old).has_value());
  CHECK(s.wallet().reserved == before + 54);
}

TEST_CASE("S4-14: a dead letter's retry costs what an image costs today") {
  Stage s;
  const JobId old = dead_letter(s);
  std::vector<flow::LifecycleWork> work = s.work();
  for (flow::LifecycleWork& each : work)
    if (each.lifecycle == &kImage) each.price = 6;

  REQUIRE(flow::retry(s.store(), old, s.clock.now(), work).has_value());
  CHECK(s.wallet().reserved == 6);
}

TEST_CASE("Z-8: an ended batch with failed items is retried as a new job that names it") {
  Stage s;
  const JobId old = ended_batch(s, failed(FaultKind::permanent, "http_404"));
  CHECK(s.state(old) == "COMPLETED");

  const auto next = retry(s, old);

  CHECK((next->id != old));
  CHECK((s.job(next->id).retry_of == old));
  CHECK(s.state(next->id) == "PENDING");
  CHECK(s.trail(old) == "PENDING > RUNNING > COMPLETED");
}

TEST_CASE("a retry that is a new job has the slot of the old one, and lives as long") {
  Stage s;
  NewJob job{.lifecycle = &kBatch, .request = full_request(kBatch), .lane = "h"};
  const JobId plain = s.store().jobs().add({&job, 1}, s.clock.now()).front().value().id;
  job.slot = "s";
  job.expires_at = s.clock.now() + 1h;
  const JobId bound = s.store().jobs().add({&job, 1}, s.clock.now()).front().value().id;
  for (const JobId id : {plain, bound}) REQUIRE(flow::cancel(s.store(), id, s.clock.now()).moved);
  s.clock.pass(5min);

  const Job again = s.job(retry(s, bound).value().id);
  CHECK(again.slot == "s");
  CHECK((again.expires_at == s.clock.now() + 1h));
  CHECK((retry(s, bound).value() == Added{again.version.id, true}));
  const Job other = s.job(retry(s, plain).value().id);
  CHECK(other.slot.empty());
  CHECK_FALSE(other.expires_at.has_value());
}

TEST_CASE("Z-8: a batch that brought all of it is not retried, nor one that is still at work") {
  Stage s;
  const JobId good = ended_batch(s, whole("/in/a"));
  CHECK(refused(s, good) == "cannot_retry COMPLETED");
  CHECK(allowed(s, good) == "delete");

  const JobId pending = s.add(kBatch, {.paused = true});
  CHECK(refused(s, pending) == "cannot_retry PENDING");

  const JobId at_work = ended_batch(s, failed(FaultKind::retryable, "timeout"));
  CHECK(refused(s, at_work) == "cannot_retry RUNNING");
}

TEST_CASE("Z-25: whatever ended and is not whole can be retried, and its list of acts says so") {
  Stage s;
  const JobId unread = s.add(kBatch);
  s.tick();
  s.reply("http.plan", failed(FaultKind::permanent, "http_403"));
  REQUIRE(s.state(unread) == "FAILED");
  const JobId empty = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{});
  REQUIRE(s.state(empty) == "COMPLETED");
  const JobId unwanted = s.add(kBatch, {.paused = true});
  REQUIRE(flow::cancel(s.store(), unwanted, s.clock.now()).moved);
  const JobId partly = s.add(kBatch);
  s.tick();
  s.push(s.last("http.plan"),
         Planned{.items = {{.key = "a", .url = "https://h/a"}}, .complete = false});
  s.reply("http.plan", failed(FaultKind::permanent, "http_404"));
  s.tick();
  REQUIRE(s.state(partly) == "RUNNING");
  s.reply("http.start", whole("/in/a"));
  s.after(1s);
  REQUIRE(s.job(partly).reason == "listing_incomplete");

  for (const JobId old : {unread, empty, unwanted, partly}) {
    CAPTURE(old.value);
    CHECK(allowed(s, old) == "retry delete");
    const auto next = retry(s, old);
    REQUIRE(next.has_value());
    CHECK((s.job(next->id).retry_of == old));
    CHECK((retry(s, old) == Added{next->id, true}));
    s.tick();
    CHECK((s.last("http.plan").job == next->id));  // It lists anew.
    s.reply("http.plan", Planned{});
  }
}

TEST_CASE("Z-8: a retry has the items that failed or were cancelled, where all had been found") {
  Stage s;
  const JobId old = s.add(kBatch);
  s.tick();
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h1/a"},
                                         {.key = "b", .url = "https://h2/b"},
                                         {.key = "c", .url = "https://h3/c"}}});
  s.reply("http.start", failed(FaultKind::permanent, "http_404"));  // c
  Call second = s.last("http.start");
  second.item = 2;
  second.start -= 1;
  s.push(second, whole("/in/b"));
  s.after(1s);
  REQUIRE(flow::cancel(s.store(), old, s.clock.now()).wished);
  s.live(2s);
  REQUIRE(s.items(old) == "CANCELLED COMPLETED FAILED");

  // One that is cancelled before it began passes on what it was to repeat.
  const JobId unbegun = retry(s, old)->id;
  REQUIRE(flow::cancel(s.store(), unbegun, s.clock.now()).moved);
  const JobId next = retry(s, unbegun)->id;
  s.tick();

  CHECK(keys(s, next) == "c a ");
  CHECK(s.count("http.plan") == 1);
}

TEST_CASE("Z-8: a batch that was cancelled when all had arrived is listed anew") {
  Stage s;
  const JobId old = s.add(kBatch);
  s.tick();
  s.push(s.last("http.plan"),
         Planned{.items = {{.key = "a", .url = "https://h/a"}}, .complete = false});
  s.tick();
  s.reply("http.start", whole("/in/a"));
  s.after(1s);
  REQUIRE(flow::cancel(s.store(), old, s.clock.now()).wished);
  s.live(2s);
  REQUIRE(s.items(old) == "COMPLETED");

  const JobId next = retry(s, old)->id;
  s.tick();
  CHECK((s.last("http.plan").job == next));
}

TEST_CASE("000, Z-8: a failed book stays failed, and its retry is a new job that names it") {
  Stage s;
  const JobId book = s.add(kBook);
  s.tick();
  CHECK(refused(s, book) == "cannot_retry queued");
  s.reply("client.start", failed(FaultKind::permanent, "enqueue_failed"));
  CHECK(allowed(s, book) == "retry delete");

  const auto next = retry(s, book);
  REQUIRE(next.has_value());
  CHECK((next->id != book));
  CHECK((s.job(next->id).retry_of == book));
  CHECK(s.job(next->id).slot == s.job(book).slot);
  CHECK((retry(s, book) == Added{next->id, true}));  // One open retry at a time.
  s.tick();
  CHECK((s.last("client.start").job == next->id));
  CHECK(s.trail(book) == "queued > failed");

  s.reply("client.start", Accepted{.handle = "hash"});
  REQUIRE(flow::cancel(s.store(), next->id, s.clock.now()).wished);
  s.live(15s);
  s.reply("client.stop", Stopped{});
  CHECK(s.state(next->id) == "canceled");
  CHECK((retry(s, book)->id != next->id));
}

TEST_CASE("003: a failed relay is asked for anew, never retried") {
  Stage s;
  const JobId relay = s.add(kRelay);
  s.tick();
  s.reply("disk.start", failed(FaultKind::permanent, "not_found"));
  CHECK(refused(s, relay) == "cannot_retry FAILED");
}

TEST_CASE("004: a rejected, a completed and a failed image wait for no retry") {
  Stage s;
  const JobId rejected = s.buy(1);
  s.tick();
  s.reply("images.start", failed(FaultKind::rejected, "nsfw"));
  CHECK(refused(s, rejected) == "cannot_retry rejected");

  const JobId waiting = s.buy(1);
  s.tick();
  s.reply("images.start", failed(FaultKind::retryable, "http_500"));
  CHECK(refused(s, waiting) == "cannot_retry failed");
  CHECK(refused(s, JobId{99}) == "no_such_job ");
}

}  // namespace haul::testing
