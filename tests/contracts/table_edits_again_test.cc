// The tables drive the flow: an edit of what an add writes, of which jobs are repeated, or of what
// a reason means changes what haul does, or check() refuses the table.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "contracts/edited.h"
#include "flow/user/user.h"
#include "flow/user/why.h"
#include "store/rules/add.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

constexpr Time kNow = kEditedNow;
constexpr std::size_t kTables = 6;

// Whether a user may repeat a job that ended in each state and brought nothing.
std::string retry_text(const Lifecycle& table) {
  std::string text;
  for (const State& state : table.states) {
    Job job;
    job.version = {.id = JobId{1}, .lifecycle = &table, .state = state.name};
    text += fmt::format("{} ", flow::can_retry(job, Counts{.total = 1, .failed = 1}));
  }
  return text;
}

// Ends an open job: a cancel, or the claim and the landing of an image, whose key stays taken.
void end(Bench& b, JobId id) {
  constexpr int kMovesMax = 4;
  for (int i = 0; i < kMovesMax && b.job(id).state().is_open(); ++i)
    for (const On on : {On::cancel, On::landed, On::claim})
      if (const JobVersion seen = b.version(id); seen.lifecycle->find(seen.state, on)) {
        REQUIRE(b.ask(id, on).has_value());
        break;
      }
  REQUIRE_FALSE(b.job(id).state().is_open());
}

// What three retries of one job find: the third comes after the second job has ended.
std::string retried(const Lifecycle& table) {
  if (table.again.from.empty() || check(table).problem != Problem::none) return "";
  Lifecycle own = table;
  own.name = "edited";
  const OwnLifecycle registered{own};
  Bench b;
  const JobId first = b.reach(own, *(own.again.from.end() - 1));
  const auto retry = [&] {
    const auto again = flow::retry(b.store(), first, b.now());
    REQUIRE_MESSAGE(again.has_value(), table.name);
    return *again;
  };
  const auto word = [](const Added& added) { return added.replayed ? "same" : "new"; };
  const Added second = retry();
  std::string text = fmt::format("{} {}", word(second), word(retry()));
  end(b, second.id);
  return text + fmt::format(" {}", word(retry()));
}

// What an add writes beside the row.
std::string add_text(const Lifecycle& table) {
  const NewJob job{
      .lifecycle = &table, .request = R"({"book_id":"b","title":"t","prompt":"p"})", .price = 3};
  std::string text;
  for (const rules::AddWrite& write : rules::writes_of(job)) {
    text += fmt::format("{} ", write.index());
    if (const auto* added = std::get_if<rules::NoteAdded>(&write)) text += added->type;
  }
  return text;
}

// What `why` says about a job that waits for its next turn for this reason.
std::string why_text(const Lifecycle& table, std::string_view reason) {
  const auto waits = [](const State& state) { return state.is_open() && !state.is_at_client(); };
  const auto state = std::ranges::find_if(table.states, waits);
  if (state == table.states.end()) return "";
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = state->name};
  job.due_at = kNow + 1min;
  job.reason = reason;
  const flow::Why why = flow::explain({.job = job, .now = kNow}, flow::Settings{});
  return fmt::format("{}: {}; {}", why.code, why.because, why.next);
}

constexpr std::string_view ReasonWords::* kWords[] = {&ReasonWords::reason, &ReasonWords::code,
                                                      &ReasonWords::because, &ReasonWords::next};

}  // namespace

TEST_CASE("an edit of `again.from` of any table changes which jobs a user may repeat") {
  Tried tried;
  std::size_t states = 0;
  for (const Lifecycle* table : six_tables())
    for (const State& state : table->states) {
      ++states;
      tried.edit(
          *table, fmt::format("again.from {}", state.name),
          [&](Edited& edited) {
            edited.table.again.from = toggled(edited.table.again.from, state.name);
          },
          retry_text);
    }
  CHECK(tried.edits == states);
  CHECK(tried.changed > kTables);
}

TEST_CASE("an edit of `again.scope` of any table changes how long a retry finds the new job") {
  Tried tried;
  for (const Lifecycle* table : six_tables())
    for (const KeyScope scope :
         {KeyScope::none, KeyScope::forever, KeyScope::window, KeyScope::while_open}) {
      if (scope == table->again.scope) continue;
      tried.edit(
          *table, fmt::format("again.scope {}", name(scope)),
          [&](Edited& edited) { edited.table.again.scope = scope; }, retried);
    }
  CHECK(tried.edits == 3 * kTables);
  CHECK(retried(kBook) == "new same new");
  CHECK(retried(kBatch) == "new same new");
  CHECK(retried(kImage) == "new same same");
}

TEST_CASE("an edit of `add.effects` of any table changes what an add writes") {
  Tried tried;
  constexpr auto kLast = static_cast<int>(Effect::clear_parts);
  for (const Lifecycle* table : six_tables())
    for (int i = 0; i <= kLast; ++i) {
      const auto effect = static_cast<Effect>(i);
      tried.edit(
          *table, fmt::format("add.effects {}", name(effect)),
          [&](Edited& edited) {
            edited.table.add.effects = toggled(edited.table.add.effects, effect);
          },
          add_text);
    }
  CHECK(tried.edits == (kLast + 1) * kTables);
  CHECK(tried.changed == 2 * kTables + 1);  // note_added, reserve_credit; a book's enter_book
}

TEST_CASE("an edit of any words of `reasons` of any table changes what `why` says") {
  Tried tried;
  std::size_t words = 0;
  for (const Lifecycle* table : six_tables()) {
    // One row more than the table has.
    std::vector<ReasonWords> rows{table->reasons.begin(), table->reasons.end()};
    rows.push_back({"new_reason", "new_code", "because of the test", "the test ends"});
    words += rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto why = [&](const Lifecycle& edited) { return why_text(edited, rows[i].reason); };
      const bool is_new = i + 1 == rows.size();
      std::vector<ReasonWords> others = rows;
      if (is_new) {
        tried.edit(*table, "reasons", [&](Edited& edited) { edited.table.reasons = others; }, why);
        continue;
      }
      for (const auto word : kWords) {
        others[i] = rows[i];
        others[i].*word = "edited";
        tried.edit(
            *table, fmt::format("reasons {}", rows[i].reason),
            [&](Edited& edited) { edited.table.reasons = others; }, why);
      }
    }
  }
  CHECK(words > 20);
  CHECK(tried.edits == 4 * (words - kTables) + kTables);
  CHECK(tried.changed == tried.edits - 1);  // check() refuses words for the waits of a book.
}

}  // namespace haul::testing
