// The guards that the store itself checks, on both sides of each limit.

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

std::string code(const MoveAnswer& answer) { return answer ? "ok" : answer.error().code; }

// A relay job in DOWNLOADING that has failed and been requeued this many times.
JobId downloading_after(Bench& b, int failures) {
  const JobId id = b.reach(kRelay, "DOWNLOADING");
  for (int i = 0; i < failures; ++i)
    for (const On on : {On::requeue, On::claim, On::start}) REQUIRE(b.ask(id, on).has_value());
  return id;
}

// A running batch with this many items in transfer.
JobId running_with(Bench& b, int items, Enumeration enumeration) {
  const JobId id = b.reach(kBatch, "RUNNING");
  std::vector<NewItem> found;
  for (int i = 1; i <= items; ++i) found.push_back({.key = std::to_string(i), .url = "u"});
  REQUIRE(b.store().items().add(b.hold(id), found, enumeration, b.now()).has_value());
  for (int i = 1; i <= items; ++i) {
    const ItemMove start{.n = i, .from = "PENDING", .on = On::start};
    REQUIRE(b.store().items().move(b.hold(id), {&start, 1}, b.now())[0].has_value());
  }
  return id;
}

void end_item(Bench& b, JobId id, int n, On on) {
  ItemMove ask{.n = n, .from = "DOWNLOADING", .on = on};
  if (on == On::landed) ask.path = "/f";
  if (on == On::landed) ask.proof = {Proof::evidence, "{}"};
  if (on == On::landed) ask.holds = {Guard::file_exists};
  REQUIRE(b.store().items().move(b.hold(id), {&ask, 1}, b.now())[0].has_value());
}

}  // namespace

TEST_CASE("S3-4, A3-4: a relay at attempt 1 goes back to the queue, at attempt 2 it may not") {
  Bench b;
  const JobId second = downloading_after(b, 1);
  CHECK(b.version(second).attempt == 1);
  CHECK(code(b.ask(second, On::requeue)) == "ok");
  CHECK(b.version(second).attempt == 2);

  const JobId third = downloading_after(b, 2);
  CHECK(b.version(third).attempt == 2);
  CHECK(code(b.ask(third, On::requeue)) == "attempts_spent");
  CHECK(b.job(third).version.state == "DOWNLOADING");
  CHECK(b.version(third).attempt == 2);
}

TEST_CASE("S3-5, Z-12: the third failure of a relay ends it FAILED with attempt 3") {
  Bench b;
  const JobId id = downloading_after(b, 2);

  CHECK(code(b.ask(id, On::fail)) == "ok");

  CHECK(b.job(id).version.state == "FAILED");
  CHECK(b.version(id).attempt == 3);
}

TEST_CASE("S3-3: a relay starts at attempt 2, not at attempt 3") {
  Bench b;
  const JobId id = downloading_after(b, 1);
  REQUIRE(b.ask(id, On::requeue).has_value());
  REQUIRE(b.ask(id, On::claim).has_value());
  REQUIRE(b.version(id).attempt == 2);

  Ask third = b.draft(id, On::start);
  third.version.attempt = 3;  // No row gets this far (A3-4), but the guard still checks it.
  CHECK(code(b.ask(third)) == "attempts_spent");
  CHECK(code(b.ask(id, On::start)) == "ok");
}

TEST_CASE("A4-5: an image is put back after its first and second failure; the third is given up") {
  Bench b;
  const JobId id = b.add(kImage);
  for (int failure = 1; failure <= 2; ++failure) {
    for (const On on : {On::claim, On::fail}) REQUIRE(b.ask(id, on).has_value());
    CHECK(b.version(id).attempt == failure);
    CHECK(code(b.ask(id, On::requeue)) == "ok");
  }
  for (const On on : {On::claim, On::fail}) REQUIRE(b.ask(id, on).has_value());

  CHECK(b.version(id).attempt == 3);
  CHECK(code(b.ask(id, On::requeue)) == "attempts_spent");
  CHECK(code(b.ask(id, On::give_up)) == "ok");
  CHECK(b.job(id).version.state == "dead_letter");
}

TEST_CASE("S3-3, A3-1: a relay starts for an ACTIVE owner only; any other can only fail") {
  for (const UserStatus status : {UserStatus::blocked, UserStatus::deleted}) {
    Bench b;
    const UserId user = b.store().users().add("ann", Role::adder, b.now())->id;
    const NewJob job{.lifecycle = &kRelay, .owner = user, .request = request_for(kRelay)};
    const JobId id = b.add(job)->id;
    REQUIRE(b.ask(id, On::claim).has_value());

    REQUIRE(b.store().users().set(user, status, Role::adder).has_value());
    CHECK(code(b.ask(id, On::start)) == "user_inactive");
    CHECK(b.job(id).version.state == "CLAIMED");

    REQUIRE(b.store().users().set(user, UserStatus::active, Role::adder).has_value());
    CHECK(code(b.ask(id, On::start)) == "ok");
  }
}

TEST_CASE("A3-1: a relay whose owner was blocked after the claim ends FAILED from CLAIMED") {
  Bench b;
  const UserId user = b.store().users().add("ann", Role::adder, b.now())->id;
  const NewJob job{.lifecycle = &kRelay, .owner = user, .request = request_for(kRelay)};
  const JobId id = b.add(job)->id;
  REQUIRE(b.ask(id, On::claim).has_value());
  REQUIRE(b.store().users().set(user, UserStatus::blocked, Role::adder).has_value());
  Ask ask = b.draft(id, On::fail);
  ask.reason = "user_inactive";

  CHECK(code(b.ask(ask)) == "ok");

  CHECK(b.trail(id) == "QUEUED > CLAIMED > FAILED");
  CHECK(b.job(id).reason == "user_inactive");
}

TEST_CASE("S2-2: a batch is done with its last item, not with one still in transfer") {
  Bench b;
  const JobId id = running_with(b, 2, Enumeration::complete);

  end_item(b, id, 1, On::landed);
  CHECK(code(b.ask(id, On::done)) == "items_left");
  CHECK(b.job(id).version.state == "RUNNING");

  end_item(b, id, 2, On::landed);
  CHECK(code(b.ask(id, On::done)) == "ok");
}

TEST_CASE(
    "A2-7: a failed item counts as processed, a job with failures is COMPLETED all the same") {
  Bench b;
  const JobId id = running_with(b, 1, Enumeration::complete);

  end_item(b, id, 1, On::fail);

  CHECK(code(b.ask(id, On::done)) == "ok");
  CHECK(b.job(id).version.state == "COMPLETED");
}

TEST_CASE("A2-10: a batch is not done while its total may still grow, be it all processed so far") {
  Bench b;
  const JobId id = running_with(b, 1, Enumeration::goes_on);
  end_item(b, id, 1, On::landed);
  CHECK(code(b.ask(id, On::done)) == "items_left");

  REQUIRE(b.store().items().add(b.hold(id), {}, Enumeration::complete, b.now()).has_value());
  CHECK(code(b.ask(id, On::done)) == "ok");
}

TEST_CASE("A2-10: not even with nothing found so far") {
  Bench b;
  const JobId id = running_with(b, 0, Enumeration::goes_on);

  CHECK(code(b.ask(id, On::done)) == "items_left");
}

TEST_CASE("a batch whose list turned out empty is done") {
  Bench b;
  const JobId id = running_with(b, 0, Enumeration::complete);

  CHECK(code(b.ask(id, On::done)) == "ok");
}

TEST_CASE("S1-17: a media retry counts an attempt and begins afresh") {
  Bench b;
  const JobId id = b.add(kMedia);
  const Observation seen{.version = b.version(id),
                         .engine = "qbittorrent",
                         .handle = "hash",
                         .missing_since = std::optional{b.now()}};
  REQUIRE(b.jobs().observe({&seen, 1}, b.now())[0]);
  Ask ask = b.draft(id, On::fail);
  ask.reason = "missing_external_job";
  ask.detail = "not found for 60 s";
  ask.result = "r";
  REQUIRE(b.ask(ask).has_value());
  REQUIRE(b.job(id).handle == "hash");

  REQUIRE(b.after(1h).ask(id, On::retry).has_value());

  const Job job = b.job(id);
  CHECK((job.version == JobVersion{id, &kMedia, "queued", 2, 1, 0}));
  CHECK(job.retries == 1);
  CHECK((job.due_at == b.now()));
  CHECK(job.handle + job.reason + job.detail + job.result == "");
  CHECK_FALSE(job.missing_since.has_value());
  CHECK_FALSE(job.started_at.has_value());
  CHECK_FALSE(job.ended_at.has_value());
  CHECK(job.engine == "qbittorrent");
}

TEST_CASE("X-4: a retry is refused as long as another open job has its key, and only so long") {
  Bench b;
  NewJob job{.lifecycle = &kMedia,
             .request = request_for(kMedia),
             .key = {.value = "k", .scope = KeyScope::while_open}};
  const JobId first = b.add(job)->id;
  REQUIRE(b.ask(first, On::fail).has_value());
  const JobId second = b.add(job)->id;
  REQUIRE(first != second);

  CHECK(code(b.ask(first, On::retry)) == "taken");
  CHECK(b.job(first).version.state == "failed");

  REQUIRE(b.ask(second, On::fail).has_value());
  CHECK(code(b.ask(first, On::retry)) == "ok");
  CHECK(code(b.ask(second, On::retry)) == "taken");
}

TEST_CASE("a retry is refused as long as another open job has its slot") {
  Bench b;
  const NewJob job{.lifecycle = &kMedia, .request = request_for(kMedia), .slot = "s"};
  const JobId first = b.add(job)->id;
  REQUIRE(b.ask(first, On::fail).has_value());
  const JobId second = b.add(job)->id;

  CHECK(code(b.ask(first, On::retry)) == "taken");
  REQUIRE(b.ask(second, On::fail).has_value());
  CHECK(code(b.ask(first, On::retry)) == "ok");
}

TEST_CASE("Z-26: an open job of another owner in the same slot does not keep a job from a retry") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  NewJob job{.lifecycle = &kMedia, .request = request_for(kMedia), .slot = "s"};
  const JobId first = b.add(job)->id;
  REQUIRE(b.ask(first, On::fail).has_value());
  job.owner = ann;
  REQUIRE(b.add(job)->id != first);

  CHECK(code(b.ask(first, On::retry)) == "ok");
}

TEST_CASE("S1-2: a job may be retried as often as it fails, and retries are counted apart, Z-29") {
  Bench b;
  const JobId id = b.add(kMedia);
  CHECK(b.job(id).retries == 0);

  for (int i = 1; i <= 7; ++i) {
    REQUIRE(b.ask(id, On::fail).has_value());
    CHECK(b.version(id).attempt == 1);
    REQUIRE(b.ask(id, On::retry).has_value());
    CHECK(b.version(id).attempt == 0);
    CHECK(b.job(id).retries == i);
  }
}
