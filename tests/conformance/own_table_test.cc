// The store follows the rows of any table, not only of the built-in ones: a lifecycle of this file
// answers losses in its own way.

#include <doctest/doctest.h>

#include "lifecycle/check.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace row;
using namespace std::chrono_literals;
using enum Step;
using enum Leased;

// clang-format off
constexpr State kStates[] = {
    // name     end        step      leased  stuck  on_fault  on_fail   on_lost    on_cancel
    {"new",     End::open, claim,    no,     0s,    kNever,   kNever,   kNever,    kRefused},
    {"first",   End::open, plan,     yes,    0s,    kStay,    "spoilt", "resting", kRefused},
    {"second",  End::open, transfer, yes,    0s,    kStay,    "spoilt", "new",     kRefused},
    {"third",   End::open, land,     yes,    0s,    kStay,    "spoilt", kAdopt,    kRefused},
    {"resting", End::open, wait,     no,     0s,    kNever,   kNever,   kNever,    kRefused},
    {"done",    End::good},
    {"spoilt",  End::bad},
    {"broken",  End::bad},
};

constexpr Move::Terms kLoss{.guards = {Guard::attempt_left}, .effects = {Effect::count_attempt},
                            .bound = Bound::attempt};

constexpr Move kMoves[] = {
    {{"new"},                      On::claim,   By::worker, "first",   "test"},
    {{"first"},                    On::start,   By::worker, "second",  "test"},
    {{"second"},                   On::fetched, By::worker, "third",   "test"},
    {{"third"},                    On::done,    By::worker, "done",    "test"},
    {{"first", "second", "third"}, On::fail,    By::worker, "broken",  "test"},
    {{"first", "second", "third"}, On::reject,  By::worker, "spoilt",  "test"},
    {{"first"},                    On::lost,    By::system, "resting", "test", kLoss},
    {{"second"},                   On::lost,    By::system, "new",     "test", kLoss},
    {{"resting"},                  On::requeue, By::timer,  "new",     "test",
     {.bound = Bound::timer}},
};
// clang-format on

constexpr Lifecycle kOwn{
    .name = "own",
    .states = kStates,
    .moves = kMoves,
    .attempts_max = 2,
    .backoff = {.base = 10s, .jitter = 0},
};
static_assert(check(kOwn) == Problem::none);

struct Own {
  OwnLifecycle registered{kOwn};  // Before the store opens.
  Bench b;

  Rescued lose() {
    const Silence silence{.worker = b.worker(), .beat = 0, .lifecycle = &kOwn};
    return b.jobs().rescue(silence, [] { return 0.5; }, b.now());
  }
};

}  // namespace

TEST_CASE("a lost job waits if its own state leads into a timed wait, whatever other states do") {
  Own t;
  const JobId first = t.b.reach(kOwn, "first");
  const JobId second = t.b.reach(kOwn, "second");
  const JobId third = t.b.reach(kOwn, "third");

  CHECK((t.lose() == Rescued{.moved = 2, .adopted = 1}));

  CHECK(t.b.version(first).state == "resting");
  CHECK((t.b.job(first).due_at == t.b.now() + 10s));
  CHECK(t.b.version(second).state == "new");
  CHECK((t.b.job(second).due_at == t.b.now()));
  CHECK(t.b.version(third).state == "third");
  CHECK((t.b.job(third).due_at == t.b.now()));
}

TEST_CASE("F06: the last loss goes where on_fail says, by that move; the one before does not") {
  Own t;
  const JobId id = t.b.reach(kOwn, "third");
  CHECK((t.lose() == Rescued{.adopted = 1}));
  CHECK(t.b.version(id).attempt == 1);
  t.b.claim(kOwn);

  CHECK((t.lose() == Rescued{.failed = 1}));

  CHECK(t.b.version(id).state == "spoilt");
  CHECK(t.b.version(id).attempt == 2);
  CHECK(t.b.job(id).reason == "worker_crashed");
  const Event last = t.b.store().events().of(id, {}, 100).back();
  CHECK(last.on + " " + last.by == "reject system");
}

}  // namespace haul::testing
