// Claims with limits per owner, and claims that reject what is refused by now.

#include <doctest/doctest.h>

#include <algorithm>

#include "lifecycle/tables.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

struct Owners {
  Bench b;
  UserId bob = b.store().users().add("bob", Role::adder, b.now())->id;

  JobId add(UserId owner, const std::string& prompt = "x") {
    const NewJob job{
        .lifecycle = &kImage, .owner = owner, .request = R"({"prompt":")" + prompt + "\"}"};
    return b.add(job).value().id;
  }
  std::size_t claim(ClaimRequest request) {
    request.lifecycle = &kImage;
    request.worker = b.worker();
    return b.jobs().claim(request, b.now()).size();
  }
  std::string state(JobId id) { return std::string{b.job(id).version.state}; }
};

// Refuses requests that have "bad" in them.
std::optional<Refusal> refuse_bad(std::string_view request) {
  if (request.find("bad") == std::string_view::npos) return std::nullopt;
  return Refusal{RefusalKind::guarded, "is_bad", "it is bad"};
}

}  // namespace

TEST_CASE(
    "fairness: a claim leaves jobs whose owner has enough leased ones, also of other claims") {
  Owners o;
  for (int i = 0; i < 3; ++i) o.add(kAdmin);
  for (int i = 0; i < 3; ++i) o.add(o.bob);
  CHECK(o.claim({.limit = 100, .per_owner = 2}) == 4);
  CHECK(o.claim({.limit = 100, .per_owner = 2}) == 0);
  CHECK(o.claim({.limit = 100, .per_owner = 3}) == 2);
}

TEST_CASE("fairness: a lane's limit holds beside that of its owners") {
  Owners o;
  for (int i = 0; i < 3; ++i) o.add(kAdmin);
  for (int i = 0; i < 3; ++i) o.add(o.bob);
  CHECK(o.claim({.limit = 100, .at_once = 3, .per_owner = 2}) == 3);
  CHECK(o.claim({.limit = 100, .at_once = 3, .per_owner = 2}) == 0);
}

TEST_CASE("A4-1: a queued job whose request is refused is rejected instead of claimed") {
  Owners o;
  const JobId bad = o.add(kAdmin, "bad");
  const JobId good = o.add(kAdmin, "good");
  CHECK(o.claim({.limit = 1, .refuses = refuse_bad}) == 1);
  CHECK(o.state(good) == "running");
  const Job job = o.b.job(bad);
  CHECK(job.version.state == "rejected");
  CHECK(job.reason == "is_bad");
  CHECK(job.detail == "it is bad");
  CHECK(job.version.fence == 0);
  CHECK(o.b.event_types(bad) == "ADDED MOVED");
}

TEST_CASE("A4-1: a hundred refused jobs do not keep a claim from the one behind them") {
  Owners o;
  for (int i = 0; i < 99; ++i) o.add(kAdmin, "bad");
  const JobId good = o.add(kAdmin, "good");
  CHECK(o.claim({.limit = 1, .refuses = refuse_bad}) == 1);
  CHECK(o.state(good) == "running");
}

TEST_CASE("A4-1: a job that runs already is adopted, whatever its request says by now") {
  Owners o;
  const JobId id = o.add(kAdmin, "bad");
  REQUIRE(o.claim({.limit = 1}) == 1);
  const Release back{.version = o.b.version(id), .worker = o.b.worker(), .reason = "stopped"};
  REQUIRE(o.b.jobs().release({&back, 1}, o.b.now()).front());
  CHECK(o.claim({.limit = 1, .refuses = refuse_bad}) == 1);
  CHECK(o.state(id) == "running");
}

TEST_CASE("A4-1: a job that was just added is rejected by the claim of the same transaction") {
  Owners o;
  const NewJob job{.lifecycle = &kImage, .request = R"({"prompt":"bad"})"};
  const AddedAndClaimed both = o.b.jobs().add_and_claim(
      {&job, 1}, {.lifecycle = &kImage, .worker = o.b.worker(), .limit = 1, .refuses = refuse_bad},
      o.b.now());
  CHECK(both.claimed.empty());
  CHECK(o.state(both.added.front()->id) == "rejected");
}
