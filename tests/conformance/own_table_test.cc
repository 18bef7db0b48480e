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

// A lifecycle with items of its own, whose states have other names than those of a batch.
// clang-format off
constexpr State kEggStates[] = {
    // name     end        step      leased  stuck  on_fault  on_fail   on_lost    on_cancel
    {"laid",    End::open, claim,    no,     0s,    kNever,   kNever,   kNever,    kNever},
    {"warm",    End::open, transfer, no,     0s,    kStay,    "cold",   kNever,    kNever},
    {"hatched", End::good},
    {"cold",    End::bad},
    {"sold",    End::stopped},
};

constexpr Move kEggMoves[] = {
    {{"laid"},         On::start,  By::worker, "warm",    "test"},
    {{"warm"},         On::landed, By::worker, "hatched", "test", {.needs = Proof::evidence}},
    {{"warm"},         On::fail,   By::worker, "cold",    "test"},
    {{"laid", "warm"}, On::cancel, By::user,   "sold",    "test"},
};

constexpr State kNestStates[] = {
    {"empty",  End::open, claim,    no,  0s, kNever, kNever,   kNever, kRefused},
    {"full",   End::open, transfer, yes, 0s, kStay,  "robbed", kAdopt, kRefused},
    {"left",   End::good},
    {"robbed", End::bad},
};

constexpr Move kNestMoves[] = {
    {{"empty"}, On::claim, By::worker, "full",   "test"},
    {{"full"},  On::done,  By::worker, "left",   "test", {.guards = {Guard::every_item_processed}}},
    {{"full"},  On::fail,  By::worker, "robbed", "test", {.effects = {Effect::end_items}}},
};
// clang-format on

constexpr Lifecycle kEgg{.name = "egg", .states = kEggStates, .moves = kEggMoves};
static_assert(check(kEgg) == Problem::none);
constexpr Lifecycle kNest{
    .name = "nest", .states = kNestStates, .moves = kNestMoves, .items = &kEgg};
static_assert(check(kNest) == Problem::none);

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

TEST_CASE("items of another lifecycle than a batch's are stored, move by their rows and end") {
  const OwnLifecycle egg{kEgg};
  const OwnLifecycle nest{kNest};
  Bench b;
  const JobId id = b.reach(kNest, "full");
  Items& items = b.store().items();
  const NewItem found[] = {{.key = "a", .url = "u"}, {.key = "b", .url = "u"}};
  items.add(b.hold(id), found, Enumeration::complete, b.now()).value();
  const auto move = [&](std::int64_t n, std::string_view from, On on, GivenProof proof = {}) {
    const ItemMove ask{.n = n, .from = from, .on = on, .path = "/in/a", .proof = std::move(proof)};
    const ItemAnswer answer = items.move(b.hold(id), {&ask, 1}, b.now()).front();
    return answer ? std::string{*answer} : answer.error().code;
  };

  CHECK(move(1, "laid", On::start) == "warm");
  CHECK(move(1, "laid", On::landed) == "no_such_move");
  CHECK(move(1, "warm", On::landed) == "needs_evidence");
  CHECK(move(1, "warm", On::landed, {Proof::evidence, "{}"}) == "hatched");
  CHECK(move(2, "laid", On::start) == "warm");
  CHECK(move(2, "warm", On::fail) == "cold");

  CHECK((items.counts(id) == Counts{.total = 2, .downloaded = 1, .failed = 1, .enumerated = true}));
  CHECK(b.ask(id, On::done).has_value());
}

}  // namespace haul::testing
