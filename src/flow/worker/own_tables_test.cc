// The worker follows tables that no built-in lifecycle has: one that refuses a cancel late, and two
// that share the lanes of hosts.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/worker/answer.h"
#include "flow/worker/worker.h"
#include "lifecycle/check.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace row;
using namespace std::chrono_literals;
using enum Step;
using enum Leased;

// clang-format off
constexpr RequestField kFields[] = {
    RequestField{"url", FieldType::text, "Where it is", true, 1, 200}.used_as(FieldUse::address),
};

constexpr State kLateStates[] = {
    // name     end        step      leased  stuck  on_fault   on_fail    on_lost    on_cancel
    {"waiting", End::open, claim,    no,     0s,    kNever,    kNever,    kNever,    "off"},
    {"first",   End::open, transfer, yes,    0s,    kStay,     "dropped", "waiting", "off"},
    {"second",  End::open, land,     yes,    0s,    kStay,     "dropped", "waiting", kRefused},
    {"there",   End::good},
    {"dropped", End::bad},
    {"off",     End::stopped},
};

constexpr Move kLateMoves[] = {
    {{"waiting"},          On::claim,  By::worker, "first",   "test"},
    {{"first"},            On::start,  By::worker, "second",  "test"},
    {{"second"},           On::done,   By::worker, "there",   "test"},
    {{"first", "second"},  On::fail,   By::worker, "dropped", "test"},
    {{"first", "second"},  On::lost,   By::system, "waiting", "test", {.bound = Bound::attempt}},
    {{"waiting", "first"}, On::cancel, By::user,   "off",     "test",
     {.guards = {Guard::owner_or_admin}}},
};

constexpr State kHostStates[] = {
    {"waiting", End::open, claim,    no,  0s, kNever, kNever,    kNever,    kRefused},
    {"first",   End::open, transfer, yes, 0s, kStay,  "dropped", "waiting", kRefused},
    {"there",   End::good},
    {"dropped", End::bad},
};

constexpr Move kHostMoves[] = {
    {{"waiting"}, On::claim, By::worker, "first",   "test"},
    {{"first"},   On::start, By::worker, "there",   "test"},
    {{"first"},   On::fail,  By::worker, "dropped", "test"},
    {{"first"},   On::lost,  By::system, "waiting", "test", {.bound = Bound::attempt}},
};
// clang-format on

constexpr Lifecycle kLate{
    .name = "late", .states = kLateStates, .moves = kLateMoves, .request = {kFields}};
constexpr Lifecycle kLetter{.name = "letter",
                            .states = kHostStates,
                            .moves = kHostMoves,
                            .request = {kFields},
                            .lane = LaneBy::host};
constexpr Lifecycle kCrate{.name = "crate",
                           .states = kHostStates,
                           .moves = kHostMoves,
                           .request = {kFields},
                           .lane = LaneBy::host};
static_assert(check(kLate) == Problem::none);
static_assert(check(kLetter) == Problem::none);

struct Busy final : flow::HandlerState {
  bool busy = true;
};

Busy& state_of(const flow::Held& held) { return static_cast<Busy&>(*held.own); }

constexpr Millis kWait{5'000};

// Records what it is asked. A Finished asks for On::start, a Waiting waits, a Stopped ends the
// work.
class TableHandler final : public flow::Handler {
 public:
  TableHandler(flow::Desk& desk, const Lifecycle& table, std::vector<std::string>& calls,
               const bool& store_is_busy)
      : desk_{desk}, table_{table}, calls_{calls}, store_is_busy_{store_is_busy} {}

  const Lifecycle& lifecycle() const override { return table_; }
  void begin(flow::Held& held) override {
    held.own = std::make_unique<Busy>();
    note("begin", held);
  }
  void again(flow::Held& held) override {
    if (store_is_busy_) throw StoreFault{StoreFault::Kind::busy, "as scripted"};
    note("again", held);
  }
  void see(flow::Held& held, Sight& sight) override {
    if (std::holds_alternative<haul::Finished>(sight.what))
      desk_.ask(held.job, {.moves = {{.on = On::start}}});
    else if (std::holds_alternative<Waiting>(sight.what))
      desk_.wait(held, "later", kWait);
    else
      state_of(held).busy = false;
  }
  void stop(flow::Held& held, Leftovers) override { note("stop", held); }
  bool is_at_rest(const flow::Held& held) const override { return !state_of(held).busy; }

 private:
  void note(const char* verb, const flow::Held& held) {
    calls_.push_back(fmt::format("{} {} {}", verb, table_.name, held.job.version.id.value));
  }

  flow::Desk& desk_;
  const Lifecycle& table_;
  std::vector<std::string>& calls_;
  const bool& store_is_busy_;
};

// Always the same number, which the test chooses.
struct Drawn final : Random {
  double chance() override { return number; }

  double number = 0;
};

struct OwnTables {
  OwnLifecycle late{kLate};
  OwnLifecycle letter{kLetter};
  OwnLifecycle crate{kCrate};
  Bench b;
  HandClock clock;
  Drawn random;
  std::vector<std::string> calls;
  bool store_is_busy = false;  // When a wait ends.
  flow::Worker worker{b.store(), {work(kLate), work(kLetter), work(kCrate)},           clock,
                      random,    flow::Settings{.host = {.at_once = 1, .apart = 0ms}}, "own"};

  flow::LifecycleWork work(const Lifecycle& table) {
    return {.lifecycle = &table, .make_handler = [this, &table](flow::Desk& desk) {
              return std::make_unique<TableHandler>(desk, table, calls, store_is_busy);
            }};
  }
  JobId add(const Lifecycle& table) {
    const flow::AddRequest to_add{.lifecycle = &table,
                                  .request = R"({"url":"https://h.example/a"})"};
    return haul::flow::add(b.store(), to_add, clock.now()).value().id;
  }
  void after(Millis time) {
    clock.pass(time);
    worker.tick();
  }
  void tell(JobId id, What what) {
    worker.inbox().push({.job = id, .fence = b.version(id).fence, .what = std::move(what)});
  }
  std::string asked() {
    std::string text;
    for (const std::string& call : std::exchange(calls, {}))
      text += (text.empty() ? "" : ", ") + call;
    return text;
  }
  std::string cancel_outcome(JobId id) {
    for (const Intent& intent : b.store().intents().of(id))
      if (intent.kind == kCancelIntent)
        return intent.state == IntentState::open ? "open" : intent.outcome;
    return "none";
  }
};

}  // namespace

TEST_CASE("F25: a job whose wait ends goes on, or after a store fault begins its step anew") {
  for (const bool is_busy : {false, true}) {
    CAPTURE(is_busy);
    OwnTables t;
    const JobId id = t.add(kLate);
    t.after(0s);
    t.tell(id, Waiting{});
    t.after(0s);
    REQUIRE(t.asked() == "begin late 1");
    t.store_is_busy = is_busy;
    t.after(kWait);
    CHECK(t.worker.outage().has_value() == is_busy);
    CHECK(t.asked() == (is_busy ? "" : "again late 1"));

    t.store_is_busy = false;
    t.after(5s);

    CHECK(t.asked() == (is_busy ? "stop late 1, begin late 1" : ""));
    CHECK(t.worker.held() == 1);
    CHECK(t.b.version(id).attempt == 0);
  }
}

TEST_CASE("a cancel that meets a state which refuses it fails, and the job goes on") {
  OwnTables t;
  const JobId id = t.add(kLate);
  t.after(0s);
  REQUIRE(t.asked() == "begin late 1");
  REQUIRE(flow::cancel(t.b.store(), id, t.clock.now()).wished);
  t.tell(id, haul::Finished{.path = "/x", .size = 1, .evidence = "{}"});

  t.after(1s);

  CHECK(t.b.version(id).state == "second");
  CHECK(t.cancel_outcome(id) == "cannot_cancel");
  CHECK(t.asked().empty());
  CHECK(t.worker.held() == 1);
}

TEST_CASE("a job that refuses the cancel when it has stopped is taken up again") {
  OwnTables t;
  const JobId id = t.add(kLate);
  t.after(0s);
  REQUIRE(flow::cancel(t.b.store(), id, t.clock.now()).wished);
  t.after(1s);
  REQUIRE(t.asked() == "begin late 1, stop late 1");
  t.tell(id, haul::Finished{.path = "/x", .size = 1, .evidence = "{}"});
  t.tell(id, Stopped{});

  t.worker.see_cancels();  // Reads no sights.
  CHECK(t.cancel_outcome(id) == "open");
  t.after(0s);
  t.after(1s);

  CHECK(t.cancel_outcome(id) == "cannot_cancel");
  CHECK(t.b.version(id).state == "second");
  CHECK(t.asked() == "begin late 1");
  CHECK(t.worker.held() == 1);
}

TEST_CASE("a cancel in a state that allows it ends the job, once it has stopped") {
  OwnTables t;
  const JobId id = t.add(kLate);
  t.after(0s);
  REQUIRE(flow::cancel(t.b.store(), id, t.clock.now()).wished);
  t.after(1s);
  t.tell(id, Stopped{});
  t.after(0s);

  CHECK(t.b.version(id).state == "off");
  CHECK(t.cancel_outcome(id) == "stopped");
}

TEST_CASE("lifecycles with lanes by host share a host's lane and its limit") {
  OwnTables t;
  const std::vector<JobId> jobs{t.add(kLetter), t.add(kLetter), t.add(kCrate)};
  for (const JobId id : jobs) REQUIRE(t.b.job(id).lane == "h.example");

  for (std::size_t i = 0; i < jobs.size(); ++i) {
    t.after(1s);
    CHECK(t.worker.held() == 1);
    for (const JobId id : jobs)
      if (t.b.job(id).worker) t.tell(id, haul::Finished{.path = "/x", .size = 1, .evidence = "{}"});
  }
  t.after(1s);

  for (const JobId id : jobs) CHECK(t.b.version(id).state == "there");
}

TEST_CASE("of the lifecycles that share a lane, chance decides which goes first") {
  for (const auto& [number, begun] : {std::pair{0.4, "begin letter 1"}, {0.9, "begin crate 2"}}) {
    OwnTables t;  // A batch shares the lane, too: 0.4 draws the second of three.
    t.random.number = number;
    t.add(kLetter);
    t.add(kCrate);

    t.after(1s);

    CHECK(t.asked() == begun);
  }
}

}  // namespace haul::testing
