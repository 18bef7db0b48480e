// Keys and slots: equal requests make one job (promise 14, F46, X-4).

#include <doctest/doctest.h>

#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// "new 3", "again 3" or the code of a refusal.
std::string shown(const AddAnswer& answer) {
  if (!answer) return answer.error().code;
  return (answer->replayed ? "again " : "new ") + std::to_string(answer->id.value);
}

NewJob keyed(const Lifecycle& table, const std::string& key, KeyScope scope) {
  return {
      .lifecycle = &table, .request = request_for(table), .key = {.value = key, .scope = scope}};
}

NewJob relay(const std::string& key) { return keyed(kRelay, key, KeyScope::forever); }
NewJob media(const std::string& key) { return keyed(kMedia, key, KeyScope::while_open); }
NewJob image(const std::string& key) { return keyed(kImage, key, KeyScope::window); }

NewJob slotted(const std::string& slot) {
  return {.lifecycle = &kBook, .request = request_for(kBook), .slot = slot};
}

void go(Bench& b, JobId id, std::initializer_list<On> path) {
  for (const On on : path) {
    REQUIRE(b.ask(id, on).has_value());
    const Job job = b.job(id);
    if (job.state().is_leased() && !job.worker) b.claim(*job.version.lifecycle);
  }
}

}  // namespace

TEST_CASE("a key of many belongs to what came with it first, for its owner alone") {
  Bench b;
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  CHECK(b.jobs().take_key(kAdmin, "k", one, b.now()));
  CHECK(b.jobs().take_key(kAdmin, "k", one, b.now()));
  CHECK_FALSE(b.jobs().take_key(kAdmin, "k", other, b.now()));
  CHECK(b.jobs().take_key(kAdmin, "l", other, b.now()));
  const UserId other_user = b.store().users().add("somebody", Role::adder, b.now()).value().id;
  CHECK(b.jobs().take_key(other_user, "k", other, b.now()));
}

TEST_CASE("keys of many are forgotten once they are old, the oldest first, as many as asked") {
  Bench b;
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  for (const char* key : {"k", "l", "m"})
    REQUIRE(b.after(1s).jobs().take_key(kAdmin, key, one, b.now()));

  CHECK(b.jobs().prune_keys(b.now() - 2s, 10) == 0);
  CHECK(b.jobs().prune_keys(b.now(), 1) == 1);
  CHECK(b.jobs().take_key(kAdmin, "k", other, b.now()));
  CHECK_FALSE(b.jobs().take_key(kAdmin, "l", other, b.now()));
  CHECK(b.jobs().prune_keys(b.now(), 10) == 1);
  CHECK_FALSE(b.jobs().take_key(kAdmin, "m", other, b.now()));
}

TEST_CASE("S3-10: a key for ever finds its job in every end, a new key makes a new one") {
  const std::initializer_list<On> paths[] = {{On::claim, On::start, On::stream, On::ack},
                                             {On::claim, On::fail},
                                             {On::cancel},
                                             {On::expire}};
  for (const auto& path : paths) {
    Bench b;
    CHECK(shown(b.add(relay("k"))) == "new 1");
    go(b, JobId{1}, path);
    REQUIRE_FALSE(b.job(JobId{1}).state().is_open());

    CHECK(shown(b.after(1000h).add(relay("k"))) == "again 1");
    CHECK(shown(b.add(relay("other"))) == "new 2");
  }
}

TEST_CASE("promise 14: a key for ever leads to its job, for its lifecycle and owner alone") {
  Bench b;
  const auto find = [&](const Lifecycle& table, const std::string& key, UserId owner = kAdmin) {
    return b.reader().keyed(table, owner, key).value;
  };
  CHECK(find(kBatch, "k") == 0);
  CHECK(shown(b.add(keyed(kBatch, "k", KeyScope::forever))) == "new 1");
  CHECK(find(kBatch, "k") == 1);
  CHECK(find(kBatch, "other") == 0);
  CHECK(find(kMedia, "k") == 0);
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  CHECK(find(kBatch, "k", ann) == 0);

  go(b, JobId{1}, {On::cancel});
  CHECK(find(kBatch, "k") == 1);
  CHECK(shown(b.add(media("open"))) == "new 2");
  CHECK(find(kMedia, "open") == 0);  // A key that its job has while it is open.
}

TEST_CASE("a replay writes nothing: no row, no event, no change to the job found") {
  Bench b;
  CHECK(shown(b.add(relay("k"))) == "new 1");
  const Job before = b.job(JobId{1});

  NewJob again = relay("k");
  again.paused = true;
  again.due_at = b.now() + 1h;
  CHECK(shown(b.after(1s).add(again)) == "again 1");

  CHECK((b.job(JobId{1}) == before));
  CHECK(b.event_types(JobId{1}) == "ADDED");
  CHECK(b.reader().list({}).jobs.size() == 1);
}

TEST_CASE(
    "A0-9: a key used with another request is refused in every scope, and nothing is written") {
  for (NewJob job : {relay("k"), media("k"), image("k")}) {
    Bench b;
    CHECK(shown(b.add(job)) == "new 1");

    job.request = request_for(*job.lifecycle, 2);
    CHECK(shown(b.add(job)) == "already_asked");

    CHECK(b.reader().list({}).jobs.size() == 1);
  }
}

TEST_CASE("A0-9: the same fields in another order are another request: the caller canonicalises") {
  Bench b;
  NewJob job = relay("k");
  job.request = R"({"a":1,"b":2})";
  CHECK(shown(b.add(job)) == "new 1");

  job.request = R"({"b":2,"a":1})";
  CHECK(shown(b.add(job)) == "already_asked");
}

TEST_CASE("keys of two lifecycles do not meet, whatever their scope") {
  Bench b;

  CHECK(shown(b.add(relay("k"))) == "new 1");
  CHECK(shown(b.add(media("k"))) == "new 2");
  CHECK(shown(b.add(image("k"))) == "new 3");
}

TEST_CASE("X-4: a key while open finds its job in each open state, and is free after each end") {
  const std::initializer_list<On> live[] = {
      {}, {On::started}, {On::started, On::fetched}, {On::started, On::fetched, On::landed}};
  for (const auto& path : live) {
    Bench b;
    CHECK(shown(b.add(media("k"))) == "new 1");
    go(b, JobId{1}, path);
    CHECK(shown(b.add(media("k"))) == "again 1");

    CHECK(b.ask(JobId{1}, On::fail).has_value());
    CHECK(shown(b.add(media("k"))) == "new 2");
  }
  Bench b;
  CHECK(shown(b.add(media("k"))) == "new 1");
  go(b, JobId{1}, {On::started, On::fetched, On::landed, On::verified});
  CHECK(shown(b.add(media("k"))) == "new 2");
}

TEST_CASE("Z-15: a key of this window finds its job however late in it") {
  Bench b;
  CHECK(shown(b.add(image("m1"))) == "new 1");

  CHECK(shown(b.after(59'999ms).add(image("m1"))) == "again 1");
  CHECK(shown(b.after(1h).add(image("m1"))) == "again 1");
}

TEST_CASE("Z-15, A4-7: over a minute's edge the earlier key counts for 59.999 s, not for 60 s") {
  NewJob next = image("m2");
  next.key.earlier = "m1";
  Bench b;
  CHECK(shown(b.add(image("m1"))) == "new 1");

  CHECK(shown(b.after(59'999ms).add(next)) == "again 1");
  CHECK(shown(b.after(1ms).add(next)) == "new 2");
}

TEST_CASE("Z-15: the window is as long as the job says") {
  NewJob next = image("m2");
  next.key.earlier = "m1";
  next.key.window = 5s;
  Bench b;
  CHECK(shown(b.add(image("m1"))) == "new 1");

  CHECK(shown(b.after(4'999ms).add(next)) == "again 1");
  CHECK(shown(b.after(1ms).add(next)) == "new 2");
}

TEST_CASE(
    "F46: a job that seems to come from the future, after a clock was set back, still counts") {
  NewJob next = image("m2");
  next.key.earlier = "m1";
  Bench b;
  CHECK(shown(b.add(image("m1"))) == "new 1");

  CHECK(shown(b.after(-1h).add(image("m1"))) == "again 1");
  CHECK(shown(b.add(next)) == "again 1");
}

TEST_CASE("Z-15, A4-6: only dead_letter frees the key; completed, rejected and a wait do not") {
  struct Case {
    std::initializer_list<On> path;
    const char* state;
    const char* answer;
  };
  const Case cases[] = {
      {{On::claim}, "running", "again 1"},
      {{On::claim, On::fail}, "failed", "again 1"},
      {{On::claim, On::fail, On::requeue}, "queued", "again 1"},
      {{On::claim, On::landed}, "completed", "again 1"},
      {{On::claim, On::reject}, "rejected", "again 1"},
      {{On::reject}, "rejected", "again 1"},
      {{On::claim, On::fail, On::give_up}, "dead_letter", "new 2"},
  };
  NewJob next = image("m2");
  next.key.earlier = "m1";
  for (const Case& c : cases) {
    Bench b;
    CHECK(shown(b.add(image("m1"))) == "new 1");
    go(b, JobId{1}, c.path);
    REQUIRE(b.job(JobId{1}).version.state == c.state);

    CAPTURE(c.state);
    CHECK(shown(b.add(next)) == c.answer);
    if (c.answer == std::string{"again 1"}) CHECK(shown(b.add(image("m1"))) == c.answer);
  }
}

TEST_CASE("Z-15: after dead_letter the same key belongs to the new job, and the old one keeps it") {
  Bench b;
  CHECK(shown(b.add(image("m1"))) == "new 1");
  go(b, JobId{1}, {On::claim, On::fail, On::give_up});

  CHECK(shown(b.add(image("m1"))) == "new 2");
  CHECK(shown(b.add(image("m1"))) == "again 2");

  CHECK(b.job(JobId{1}).key == "m1");
}

TEST_CASE("A4-9: a replay finds its job with an empty wallet, and reserves nothing") {
  Bench b;
  CHECK(b.store().ledger().grant(kAdmin, 4, "", b.now()).has_value());
  NewJob job = image("m1");
  job.price = 4;
  CHECK(shown(b.add(job)) == "new 1");

  CHECK(shown(b.add(job)) == "again 1");

  CHECK((b.store().ledger().wallet(kAdmin) == Wallet{.granted = 4, .reserved = 4}));
  CHECK(b.store().ledger().entries(kAdmin, 0, 10).size() == 2);
}

TEST_CASE("S0-13, S0-14: a slot answers with its open job, also in the middle of one batch") {
  Bench b;
  const std::vector<NewJob> jobs{slotted("a"), slotted("a"), slotted("b"), slotted("a")};

  const auto answers = b.jobs().add(jobs, b.now());

  CHECK(shown(answers[0]) == "new 1");
  CHECK(shown(answers[1]) == "again 1");
  CHECK(shown(answers[2]) == "new 2");
  CHECK(shown(answers[3]) == "again 1");
}

TEST_CASE("S0-15: a slot is free after each end of its job, and not before") {
  const std::initializer_list<On> paths[] = {
      {On::started, On::landed}, {On::started, On::fail}, {On::cancel}};
  for (const auto& path : paths) {
    Bench b;
    CHECK(shown(b.add(slotted("a"))) == "new 1");
    CHECK(shown(b.add(slotted("a"))) == "again 1");

    go(b, JobId{1}, path);
    CHECK(shown(b.add(slotted("a"))) == "new 2");
  }
}

TEST_CASE(
    "slots of two lifecycles do not meet, and a job without a slot stands in no other's way") {
  Bench b;
  NewJob other{.lifecycle = &kMedia, .request = "{}", .slot = "a"};

  CHECK(shown(b.add(slotted("a"))) == "new 1");
  CHECK(shown(b.add(other)) == "new 2");
  CHECK(shown(b.add(slotted(""))) == "new 3");
  CHECK(shown(b.add(slotted(""))) == "new 4");
}

TEST_CASE("Z-26: a slot belongs to its owner: another owner's is free, the owner's own is taken") {
  Bench b;
  const UserId ann = b.store().users().add("ann", Role::adder, b.now()).value().id;
  NewJob hers = slotted("a");
  hers.owner = ann;

  CHECK(shown(b.add(slotted("a"))) == "new 1");
  CHECK(shown(b.add(hers)) == "new 2");
  CHECK(shown(b.add(hers)) == "again 2");
  CHECK(shown(b.add(slotted("a"))) == "again 1");
}

TEST_CASE("S3-10: two equal keys in one batch are one job, in every scope") {
  for (const NewJob& job : {relay("k"), media("k"), image("k")}) {
    Bench b;
    const std::vector<NewJob> jobs{job, job};

    const auto answers = b.jobs().add(jobs, b.now());

    CHECK(shown(answers[0]) == "new 1");
    CHECK(shown(answers[1]) == "again 1");
  }
}
