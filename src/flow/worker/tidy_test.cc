// The desk of a worker and its leases in the store agree, however many jobs it holds, and whichever
// thread claimed them.

#include <doctest/doctest.h>

#include "flow/worker/sweep.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// An add of another thread that uses the worker's spare capacity, step by step.
struct LateAdd {
  Stage s;
  std::optional<ClaimRequest> lent;
  std::vector<Claim> claimed;

  // The job is leased to the worker. The worker does not know yet.
  JobId commit() {
    s.tick();
    lent = s.worker().spare().lend(kRelay, 2);
    REQUIRE(lent);
    const NewJob job{.lifecycle = &kRelay, .request = request_for(kRelay)};
    claimed = s.store().jobs().add_and_claim({&job, 1}, *lent, s.clock.now()).claimed;
    REQUIRE(claimed.size() == 1);
    return claimed.front().version.id;
  }
  void hand_in(std::vector<Claim> claims) {
    s.worker().spare().give_back(*lent, std::move(claims));
    s.tick();
  }
};

void add_relays(Store& store, std::size_t count, Time now) {
  const std::vector<NewJob> jobs(count, {.lifecycle = &kRelay, .request = request_for(kRelay)});
  REQUIRE(store.jobs().add(jobs, now).size() == count);
}

}  // namespace

TEST_CASE("spare capacity: a job that is handed in after 10 s is begun once, and never released") {
  LateAdd t;
  const JobId id = t.commit();
  t.s.clock.pass(10s);

  t.hand_in(t.claimed);

  CHECK(t.s.asked() == "disk.start 1");
  CHECK(t.s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING");
}

TEST_CASE("spare capacity: a tick before the job is handed in neither begins nor releases it") {
  LateAdd t;
  const JobId id = t.commit();
  t.s.after(10s);  // The worker tidies its desk.
  CHECK(t.s.asked().empty());

  t.hand_in(t.claimed);

  CHECK(t.s.asked() == "disk.start 1");
  CHECK(t.s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING");
}

TEST_CASE("a stray is released when the worker tidies for the second time, and not before") {
  LateAdd t;
  const JobId id = t.commit();
  t.s.after(10s);
  t.s.after(9s);
  CHECK(t.s.job(id).version.fence == 1);

  t.s.after(1s);

  CHECK(t.s.trail(id) == "QUEUED > CLAIMED > QUEUED > CLAIMED > DOWNLOADING");
  CHECK(t.s.job(id).version.fence == 2);
}

TEST_CASE("spare capacity: a claim that comes after the worker has claimed the job again is void") {
  LateAdd t;
  const JobId id = t.commit();
  t.s.after(10s);
  t.s.after(10s);
  REQUIRE(t.s.job(id).version.fence == 2);
  REQUIRE(t.s.asked() == "disk.start 1");

  t.hand_in(t.claimed);

  CHECK(t.s.asked().empty());
  CHECK(t.s.worker().held() == 1);
  CHECK(t.s.state(id) == "DOWNLOADING");
}

TEST_CASE("a claim that is handed in twice begins its job once") {
  LateAdd t;
  t.commit();

  t.hand_in({t.claimed.front(), t.claimed.front()});

  CHECK(t.s.asked() == "disk.start 1");
  CHECK(t.s.worker().held() == 1);
}

TEST_CASE("with more than 1,000 jobs a stray is released, and a lost job leaves the desk") {
  Stage s;
  add_relays(s.store(), kListMax + 1, s.clock.now());
  for (int i = 0; i < 5; ++i) s.tick();
  REQUIRE(s.worker().held() == kListMax + 1);
  s.lacks["images"] = "configure x";
  const JobId stray = s.buy(1);
  const ClaimRequest claim{.lifecycle = &kImage, .lane = {}, .worker = s.worker().id(), .limit = 1};
  REQUIRE(s.store().jobs().claim(claim, s.clock.now()).size() == 1);
  const Release lost{.version = s.job(JobId{1}).version,
                     .worker = s.worker().id(),
                     .reason = {},
                     .due_at = s.clock.now() + 10min};
  REQUIRE(s.store().jobs().release({&lost, 1}, s.clock.now()).front().has_value());

  s.live(10s);
  CHECK(s.worker().held() == kListMax);
  CHECK(s.job(stray).worker == s.worker().id());

  s.live(10s);
  CHECK_FALSE(s.job(stray).worker);
}

TEST_CASE("S4-15: a start that takes a running image lets it wait by its backoff") {
  Bench b;
  REQUIRE(b.store().ledger().grant(kAdmin, 10, "gift", b.now()));
  const NewJob job{.lifecycle = &kImage, .request = R"({"prompt":"a cat"})", .price = 1};
  const JobId id = b.jobs().add({&job, 1}, b.now()).front()->id;
  REQUIRE(b.jobs()
              .claim({.lifecycle = &kImage, .lane = {}, .worker = b.worker(), .limit = 1}, b.now())
              .size() == 1);

  flow::rescue_everyone(b.store(), [] { return 0.5; }, b.now());

  CHECK(b.version(id).state == "failed");
  CHECK((b.reader().find(id)->due_at == b.now() + kImage.backoff.after(1, 0.5)));
}

TEST_CASE("a start takes all jobs of an earlier worker, also the 1,001st") {
  Bench b;
  add_relays(b.store(), kListMax + 1, b.now());
  const ClaimRequest claim{
      .lifecycle = &kRelay, .lane = {}, .worker = b.worker(), .limit = kListMax + 1};
  REQUIRE(b.jobs().claim(claim, b.now()).size() == kListMax + 1);

  flow::rescue_everyone(b.store(), {}, b.now());

  CHECK(b.reader().leased(b.worker(), {}, 1).empty());
  CHECK(b.version(JobId{1'001}).state == "QUEUED");
  CHECK(b.version(JobId{1'001}).attempt == 1);
}

TEST_CASE("a worker that held nothing for a while has a whole lease again when it holds a job") {
  Stage s;
  s.lacks["images"] = "configure x";  // Only the other worker takes images.
  const JobId id = s.buy(1);
  const WorkerId other = s.store().workers().enlist("other", s.clock.now());
  const auto take = [&] {
    const ClaimRequest claim{.lifecycle = &kImage, .lane = {}, .worker = other, .limit = 1};
    REQUIRE(s.store().jobs().claim(claim, s.clock.now()).size() == 1);
  };
  take();
  s.live(5s);
  const Release back{.version = s.job(id).version, .worker = other, .reason = {}, .due_at = {}};
  REQUIRE(s.store().jobs().release({&back, 1}, s.clock.now()).front().has_value());
  s.live(2s);

  take();
  s.live(8s);
  CHECK(s.job(id).worker == other);
  s.live(2s);
  CHECK_FALSE(s.job(id).worker);
}

}  // namespace haul::testing
