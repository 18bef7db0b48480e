// What haul remembers of jobs at a client, and how it answers a cancel that meets a refusal.

#include "flow/client/client_jobs.h"

#include <doctest/doctest.h>

#include "lifecycle/check.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace row;
using namespace std::chrono_literals;
using enum Step;
using enum Leased;

// A table that refuses a cancel once the client fetches. Before that, the cancel needs a fact that
// no client confirms.
// clang-format off
constexpr State kLateStates[] = {
    // name      end        step      leased  stuck  on_fault  on_fail    on_lost  on_cancel
    {"asked",    End::open, transfer, no,     0s,    kStay,    "dropped", kNever,  "off"},
    {"fetching", End::open, transfer, no,     0s,    kStay,    "dropped", kNever,  kRefused},
    {"there",    End::good},
    {"dropped",  End::bad},
    {"off",      End::stopped},
};

constexpr Move kLateMoves[] = {
    {{"asked"},             On::started, By::worker, "fetching", "test"},
    {{"fetching"},          On::landed,  By::worker, "there",    "test"},
    {{"asked", "fetching"}, On::fail,    By::worker, "dropped",  "test"},
    {{"asked"},             On::cancel,  By::user,   "off",      "test",
     {.guards = {Guard::owner_or_admin, Guard::file_in_place}}},
};
// clang-format on

constexpr Lifecycle kLate{.name = "late", .states = kLateStates, .moves = kLateMoves};
static_assert(check(kLate) == Problem::none);

class QuietClient final : public RemoteEngine {
 public:
  void start(Order, Inbox&) override {}
  void look(std::span<const Order>, Inbox&) override {}
  void stop(const Order&, Leftovers, Inbox&) override {}
};

class EmptyInbox final : public Inbox {
 public:
  void push(Sight) override {}
};

// The jobs of one lifecycle at a client, without a worker around them.
struct JobsAtClient {
  explicit JobsAtClient(const Lifecycle& its_table) : table{its_table} {}

  OwnLifecycle late{kLate};
  const Lifecycle& table;
  Bench b;
  HandClock clock;
  NoChance random;
  EmptyInbox inbox;
  QuietClient client;
  flow::Desk desk{b.store(), clock, random, flow::Settings{}, b.worker(), inbox};
  flow::ClientJobs jobs{desk, client, table};

  // A job in this state. The client has it.
  JobId reach(std::string_view state) {
    const JobId id = b.reach(table, state);
    REQUIRE(desk.observe(b.job(id), {.handle = "hash"}));
    return id;
  }
  flow::ClientJob read(JobId id) { return flow::read_client_jobs(b.store(), {b.job(id)}).front(); }
  void see(const flow::ClientJob& seen, const What& what) {
    jobs.see(seen, what);
    desk.flush();
  }
  void see(JobId id, const What& what) { see(read(id), what); }
  void wish_cancel(JobId id) {
    const NewIntent wish{.kind = kCancelIntent, .data = {}};
    REQUIRE(b.store().intents().record(id, wish, clock.now()).has_value());
  }
  std::string_view state(JobId id) { return b.version(id).state; }
  std::string cancel_outcome(JobId id) {
    for (const Intent& intent : b.store().intents().of(id))
      if (intent.kind == kCancelIntent)
        return intent.state == IntentState::open ? "open" : intent.outcome;
    return "none";
  }
};

}  // namespace

TEST_CASE("haul forgets the missing mark of a job when the job fails, and not before") {
  JobsAtClient t{kBook};
  const JobId id = t.reach("downloading");
  t.see(id, Missing{});
  CHECK(t.jobs.marked() == 1);

  t.clock.pass(59'999ms);
  t.see(id, Missing{});
  CHECK(t.jobs.marked() == 1);
  t.clock.pass(1ms);
  t.see(id, Missing{});

  CHECK(t.state(id) == "failed");
  CHECK(t.jobs.marked() == 0);
}

TEST_CASE("haul forgets the missing mark of a job that fails for another reason, or is cancelled") {
  JobsAtClient t{kBook};
  const JobId broken = t.reach("downloading");
  const JobId cancelled = t.reach("downloading");
  t.see(broken, Missing{});
  t.see(cancelled, Missing{});
  REQUIRE(t.jobs.marked() == 2);

  t.see(broken, failed(FaultKind::permanent, "engine_error"));
  CHECK(t.jobs.marked() == 1);
  t.wish_cancel(cancelled);
  t.see(cancelled, Stopped{});

  CHECK(t.state(broken) == "failed");
  CHECK(t.state(cancelled) == "canceled");
  CHECK(t.cancel_outcome(cancelled) == "stopped");
  CHECK(t.jobs.marked() == 0);
}

TEST_CASE("when another worker asks the client, haul forgets marks and progress after 2 s") {
  JobsAtClient t{kBook};
  t.jobs.look();  // Takes the duty.
  t.see(t.reach("downloading"), Missing{});
  t.see(t.reach("downloading"), Moving{.have = 1});
  const WorkerId other = t.b.store().workers().enlist("other", t.clock.now());
  t.b.store().duties().give_all(t.b.worker());
  REQUIRE(t.b.store().duties().take("client_book", other, std::nullopt).holder == other);

  t.clock.pass(1'999ms);
  t.jobs.look();
  CHECK(t.jobs.marked() == 1);
  CHECK(t.jobs.transfers().size() == 1);
  t.clock.pass(1ms);
  t.jobs.look();

  CHECK(t.jobs.marked() == 0);
  CHECK(t.jobs.transfers().empty());
}

TEST_CASE("a cancel is seen, however many intents the job had before it") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  for (std::size_t i = 0; i < kIntentsPerJob; ++i) {
    const auto other = s.store().intents().record(id, {.kind = "other"}, s.clock.now());
    REQUIRE(s.store().intents().settle(other->id, IntentState::done, "", s.clock.now()));
  }
  s.asked();

  REQUIRE(flow::cancel(s.store(), id, s.clock.now()).wished);
  s.after(1s);

  CHECK(s.asked() == "client.stop 1");
}

TEST_CASE("a cancel that the client confirms in a state which refuses it fails; the job goes on") {
  JobsAtClient t{kLate};
  const JobId id = t.reach("fetching");
  t.wish_cancel(id);

  t.see(id, Stopped{});

  CHECK(t.state(id) == "fetching");
  CHECK(t.cancel_outcome(id) == "cannot_cancel");
}

TEST_CASE("a cancel that a guard refuses after the client has stopped the job fails") {
  JobsAtClient t{kLate};
  const JobId id = t.reach("asked");
  t.wish_cancel(id);

  t.see(id, Stopped{});

  CHECK(t.state(id) == "asked");
  CHECK(t.cancel_outcome(id) == "cannot_cancel");
}

TEST_CASE("a cancel of a job that has moved meanwhile stays open until the client confirms again") {
  JobsAtClient t{kBook};
  const JobId id = t.reach("queued");
  t.wish_cancel(id);
  const flow::ClientJob before = t.read(id);
  REQUIRE(t.b.ask(id, On::started).has_value());

  t.see(before, Stopped{});
  CHECK(t.state(id) == "downloading");
  CHECK(t.cancel_outcome(id) == "open");
  t.see(id, Stopped{});

  CHECK(t.state(id) == "canceled");
  CHECK(t.cancel_outcome(id) == "stopped");
}

}  // namespace haul::testing
