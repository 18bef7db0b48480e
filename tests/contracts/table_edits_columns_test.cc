// The tables drive the flow: an edit of any other column of any table changes what haul does, or
// check() refuses the table. table_edits_test.cc edits answers, guards and keys.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "contracts/edited.h"
#include "flow/batch/judge.h"
#include "flow/client/judge.h"
#include "flow/worker/answer.h"
#include "flow/worker/lanes.h"
#include "flow/worker/restored.h"
#include "flow/worker/settings.h"
#include "store/stuck.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = kEditedNow;
constexpr double kLowest = 0;  // The shortest wait that the jitter allows.
constexpr std::size_t kTables = 6;

const Fault kPassing{FaultKind::retryable, "code", ""};

bool has_items_in(const Lifecycle& table) { return is_item(*find_lifecycle(table.name)); }

Job job_in(const Lifecycle& table, const State& state, int attempt = 0) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = state.name, .attempt = attempt};
  if (state.is_leased()) job.worker = WorkerId{1};
  return job;
}

// Who may take a job in this state, which moves need its worker, and which moves keep the lease.
std::string lease_text(const Lifecycle& table, std::string_view name_of_state) {
  const State& state = table.at(name_of_state);
  std::string text = fmt::format("{} {}", table.is_takeable(state), state.is_at_client());
  if (has_items_in(table)) return text;
  for (const Move& move : table.moves) {
    if (move.by != By::worker) continue;
    for (const std::string_view from : move.from) {
      Ask ask = draft(table, move, from);
      Facts facts;
      if (move.to == state.name)
        if (const auto granted = rules::grant_move(ask, rules::Loss::none, facts, kNow))
          text += granted->keeps_lease ? " kept" : " ended";
      if (from != state.name) continue;
      ask.worker = {};
      const auto alone = rules::grant_move(ask, rules::Loss::none, facts, kNow);
      text += alone ? " granted" : " " + alone.error().code;
    }
  }
  return text;
}

std::string text_of(const flow::Verdict& verdict) {
  std::string text;
  for (const flow::WantedMove& move : verdict.moves)
    text += fmt::format("{} {} ", name(move.on), move.due_after.value_or(Millis{0}).count());
  if (verdict.observed) text += fmt::format("look {} ", verdict.observed->look_after->count());
  return text;
}

std::string text_of(const rules::LossAnswer& loss) {
  return fmt::format("{} {} {} ", static_cast<int>(loss.kind), name(loss.ask.on),
                     loss.ask.due_at ? (*loss.ask.due_at - kNow).count() : 0);
}

// What a failure leads to in this state: at its client, under a lease, or in a timed wait.
std::string after_failure(const Lifecycle& table, const State& state, int attempt, double chance) {
  const flow::Settings settings;
  const Job job = job_in(table, state, attempt);
  if (state.is_at_client())
    return text_of(flow::judge_hand_over(
        {.job = job, .now = kNow, .marked_for = {}, .failed_hand_overs = attempt + 1},
        {.fault = kPassing}, settings));
  if (state.is_leased())
    return text_of(flow::answer(job, kPassing, settings, chance)) +
           text_of(
               rules::answer_loss({.version = job.version, .worker = WorkerId{1}}, chance, kNow));
  return state.step == Step::wait ? text_of(flow::answer_wait(job)) : std::string{};
}

// What each of several failures leads to, and after which wait.
std::string after_failures(const Lifecycle& table, double chance) {
  constexpr int kFailures = 8;
  std::string text;
  for (int attempt = 0; attempt < kFailures; ++attempt) {
    if (has_items_in(table)) {
      Item item;
      item.attempt = attempt;
      const flow::ItemVerdict verdict =
          flow::judge_item(table, item, kPassing, false, flow::BatchSettings{}, chance);
      text += fmt::format("{} {} ", static_cast<int>(verdict.kind), verdict.wait.count());
      continue;
    }
    for (const State& state : table.states)
      if (state.is_open()) text += after_failure(table, state, attempt, chance);
  }
  return text;
}

// The stuck rules of a store that has this table, and whether a job in the state is stuck.
std::string stuck_text(const Lifecycle& table, std::string_view state) {
  Lifecycle own = table;
  own.name = "edited";
  const OwnLifecycle registered{own};
  const auto rules = default_stuck_rules();
  Job job = job_in(own, own.at(state));
  job.moved_at = kNow - 48h;
  return fmt::format("{} {}", stuck_after(rules, own.name, state).count(),
                     is_stuck(rules, job, kNow));
}

std::string restored_text(const Lifecycle& table) {
  std::string text = fmt::format("{}", flow::begins_when_restored(table));
  for (const State& state : table.states)
    if (!has_items_in(table) && state.is_open() && !state.is_leased())
      text += fmt::format(" {}", flow::is_held_back(job_in(table, state), false));
  return text;
}

std::string lane_text(const Lifecycle& table) {
  const auto request = read_object(R"({"url":"https://h.example/a"})");
  REQUIRE(request);
  const flow::Capacity capacity{.all = 100, .free = 100};
  return fmt::format("{} '{}' {}", flow::has_host_lanes(table), flow::lane_of(table, *request),
                     flow::room_in_lane(table, capacity, 0).limit);
}

std::size_t count_states() {
  std::size_t states = 0;
  for (const Lifecycle* table : six_tables()) states += table->states.size();
  return states;
}

}  // namespace

TEST_CASE("an edit of `leased` of any state changes who takes its jobs and which moves keep them") {
  Tried tried;
  for (const Lifecycle* table : six_tables())
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      const State& state = table->states[i];
      const row::Leased other = state.is_leased() ? row::Leased::no : row::Leased::yes;
      tried.edit(
          *table, fmt::format("{}.leased", state.name),
          [&](Edited& edited) { edited.states[i].leased = other; },
          [&](const Lifecycle& edited) { return lease_text(edited, state.name); });
    }
  CHECK(tried.edits == count_states());
  // A job waits in PENDING of a batch for its claim only: check() refuses a lease there.
  CHECK(tried.changed == tried.edits - 1);
}

TEST_CASE("an edit of `stuck_after` of any state changes which jobs are stuck") {
  Tried tried;
  for (const Lifecycle* table : six_tables())
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      const State& state = table->states[i];
      const std::chrono::seconds other = state.stuck_after == 0s ? 60s : 0s;
      tried.edit(
          *table, fmt::format("{}.stuck_after", state.name),
          [&](Edited& edited) { edited.states[i].stuck_after = other; },
          [&](const Lifecycle& edited) { return stuck_text(edited, state.name); });
    }
  CHECK(tried.edits == count_states());
  CHECK(tried.changed == tried.edits);
}

TEST_CASE("an edit of `attempts_max` of any table changes which failure is the last") {
  Tried tried;
  for (const Lifecycle* table : six_tables())
    for (const int by : {-1, 1})
      tried.edit(
          *table, fmt::format("attempts_max {}", by),
          [&](Edited& edited) { edited.table.attempts_max += by; },
          [](const Lifecycle& edited) { return after_failures(edited, kLowest); });
  CHECK(tried.edits == 2 * kTables);
  CHECK(tried.changed == tried.edits);
}

// Jitter changes no wait of a job at a client: haul asks clients regularly.
TEST_CASE("an edit of any part of any `backoff` changes the wait for another attempt") {
  Tried tried;
  Tried jitters;
  const auto waits = [](const Lifecycle& edited) { return after_failures(edited, kLowest); };
  for (const Lifecycle* table : six_tables()) {
    const Backoff& own = table->backoff;
    const Millis base = own.base + 10ms;
    tried.edit(*table, "backoff.base", [&](Edited& e) { e.table.backoff.base = base; }, waits);
    tried.edit(*table, "backoff.floor", [&](Edited& e) { e.table.backoff.floor = own.cap; }, waits);
    if (own.base == 0ms) continue;  // Neither a cap nor jitter lengthens no wait.
    tried.edit(*table, "backoff.cap", [&](Edited& e) { e.table.backoff.cap = own.base; }, waits);
    if (has_items_in(*table) || !table->states.front().is_at_client())
      jitters.edit(*table, "backoff.jitter", [](Edited& e) { e.table.backoff.jitter = 0; }, waits);
  }
  CHECK(tried.edits == 3 * kTables - 1);
  CHECK(tried.changed == 3 * kTables - 3);  // check() refuses the two edits of a batch.
  CHECK(jitters.changed == 3);              // item, relay and image
}

TEST_CASE("an edit of `lease_after` of any table changes when a silent worker loses its jobs") {
  Tried tried;
  for (const Lifecycle* table : six_tables())
    tried.edit(
        *table, "lease_after", [](Edited& edited) { edited.table.lease_after += 1s; },
        [](const Lifecycle& edited) {
          return fmt::format("{}", flow::lease_of(flow::Settings{}, edited).count());
        });
  CHECK(tried.edits == kTables);
  CHECK(tried.changed == tried.edits);
}

TEST_CASE("an edit of `when_restored` of any table changes which jobs a restored store begins") {
  Tried tried;
  for (const Lifecycle* table : six_tables()) {
    const bool begins = table->when_restored == WhenRestored::begins;
    tried.edit(
        *table, "when_restored",
        [&](Edited& edited) {
          edited.table.when_restored = begins ? WhenRestored::waits : WhenRestored::begins;
        },
        restored_text);
  }
  CHECK(tried.edits == kTables);
  CHECK(tried.changed == tried.edits);
}

TEST_CASE("an edit of `lane` of any table changes which jobs take turns, and how many run") {
  Tried tried;
  for (const Lifecycle* table : six_tables()) {
    const bool by_host = table->lane == LaneBy::host;
    tried.edit(
        *table, "lane",
        [&](Edited& edited) { edited.table.lane = by_host ? LaneBy::lifecycle : LaneBy::host; },
        lane_text);
  }
  CHECK(tried.edits == kTables);
  CHECK(tried.changed == tried.edits);
}

}  // namespace haul::testing
