// What an add checks after its keys: its own refusal, and how many jobs an owner adds in a minute.
// What it audits.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "lifecycle/tables.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// An image of an owner who may ask for two a minute.
NewJob image(const std::string& key, UserId owner = kAdmin) {
  NewJob job{.lifecycle = &kImage, .owner = owner, .request = R"({"prompt":"x"})"};
  job.key = {.value = key, .scope = KeyScope::window};
  job.quota = {.per_minute = 2};
  return job;
}

std::string shown(const AddAnswer& answer) {
  if (!answer) return fmt::format("{} {}", answer.error().code, answer.error().wait_s);
  return answer->replayed ? "again" : "new";
}

}  // namespace

TEST_CASE("004: the third image of a minute is too fast, and says for how long") {
  Bench b;
  CHECK(shown(b.add(image("1"))) == "new");
  CHECK(shown(b.after(10s).add(image("2"))) == "new");
  CHECK(shown(b.after(20s).add(image("3"))) == "too_fast 30");
  CHECK(shown(b.add(image("2"))) == "again");
  CHECK(shown(b.after(29'999ms).add(image("3"))) == "too_fast 1");
  CHECK(shown(b.after(1ms).add(image("3"))) == "new");
  CHECK(shown(b.add(image("4"))) == "too_fast 10");
}

TEST_CASE("004: another owner, and jobs of other lifecycles, do not count") {
  Bench b;
  const UserId bob = b.store().users().add("bob", Role::adder, b.now())->id;
  for (int i = 0; i < 5; ++i) b.add(kMedia);
  CHECK(shown(b.add(image("1"))) == "new");
  CHECK(shown(b.add(image("2"))) == "new");
  CHECK(shown(b.add(image("1", bob))) == "new");
}

TEST_CASE("004: a clock that is set back locks no owner out") {
  Bench b;
  CHECK(shown(b.add(image("1"))) == "new");
  CHECK(shown(b.add(image("2"))) == "new");
  CHECK(shown(b.after(-1h).add(image("3"))) == "new");
}

TEST_CASE("A4-9: a refused job is not added, but its key finds the job that has it") {
  Bench b;
  NewJob refused = image("1");
  refused.refused = Refusal{RefusalKind::guarded, "prompt_blocked", "no"};
  CHECK(shown(b.add(refused)) == "prompt_blocked 0");
  CHECK(b.store().reader().list({}).jobs.empty());
  CHECK(shown(b.add(image("1"))) == "new");
  CHECK(shown(b.add(refused)) == "again");
  refused.key = {};
  refused.caller_key = "mine";
  CHECK(shown(b.add(refused)) == "prompt_blocked 0");
}

TEST_CASE("Z-15, F46: a clock set back over a minute's edge makes no second job") {
  Bench b;
  NewJob first = image("m2");
  first.key.earlier = "m1";
  first.key.later = "m3";
  CHECK(shown(b.add(first)) == "new");
  NewJob before = image("m1");
  before.key.earlier = "m0";
  before.key.later = "m2";
  CHECK(shown(b.after(-2s).add(before)) == "again");
  before.key.later.clear();
  CHECK(shown(b.add(before)) == "new");
}

TEST_CASE("Z-16, Z-26: a job that another user asks for is audited with what it costs, once") {
  Bench b;
  const UserId bob = b.store().users().add("bob", Role::adder, b.now())->id;
  REQUIRE(b.store().ledger().grant(bob, 10, "gift", b.now()));
  NewJob job = image("1", bob);
  job.price = 4;
  job.asker = kAdmin;
  CHECK(shown(b.add(job)) == "new");
  CHECK(shown(b.add(job)) == "again");
  NewJob own = image("2", bob);
  own.asker = bob;
  CHECK(shown(b.add(own)) == "new");

  const auto audits = b.store().ledger().audits(0, 10);
  REQUIRE(audits.size() == 1);
  CHECK(audits[0].action == "JOB_ADDED");
  CHECK(audits[0].job == JobId{1});
  CHECK(audits[0].detail == fmt::format("job of user {}, 4 credits", bob.value));
}
