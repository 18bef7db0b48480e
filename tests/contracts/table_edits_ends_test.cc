// The tables drive the flow: an edit of how any state counts (its `end`) changes what haul derives
// from it.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "contracts/edited.h"
#include "flow/batch/judge.h"
#include "flow/user/why.h"
#include "lifecycle/tables.h"
#include "store/outcome.h"
#include "store/rules/item.h"

namespace haul::testing {
namespace {

constexpr End kEnds[] = {End::open, End::good, End::bad, End::stopped};

// How much a job in this state has delivered, why it is there, and what its user can do.
std::string of_job(const Lifecycle& table, const State& state) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = state.name};
  const Counts counts{.total = 1, .downloaded = 1, .enumerated = true};
  const auto outcome = outcome_of(job, counts);
  const flow::Why why =
      flow::explain({.job = job, .now = kEditedNow, .counts = counts}, flow::Settings{});
  std::string text = fmt::format("{} {}", outcome ? name(*outcome) : "open", why.code);
  for (const std::string& allowed : why.allowed) text += " " + allowed;
  return text;
}

// Which counter of its job counts an item that comes here, and whether it is one without a file.
std::string of_item(const Lifecycle& table, const State& state) {
  std::string text;
  for (const Move& move : table.moves)
    if (move.to == state.name)
      text += fmt::format("{} ", static_cast<int>(rules::count_of(table, move)));
  for (const std::string_view without_file : flow::states_without_file(table))
    if (without_file == state.name) text += "without file";
  return text;
}

std::string derived(const Lifecycle& table, const State& state) {
  return is_item(*find_lifecycle(table.name)) ? of_item(table, state) : of_job(table, state);
}

}  // namespace

TEST_CASE("an edit of the end of any state changes what haul derives from it") {
  std::size_t rows = 0;
  std::set<std::pair<std::string_view, std::string_view>> edited_rows;
  CHECK(all_lifecycles().size() == 6);
  for (const Lifecycle* table : all_lifecycles()) {
    rows += table->states.size();
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      const State& state = table->states[i];
      const std::string before = derived(*table, state);
      for (const End end : kEnds) {
        if (end == state.end) continue;
        Edited edited{*table};
        edited.states[i].end = end;
        CHECK_MESSAGE(derived(edited.table, edited.states[i]) != before, table->name, ".",
                      state.name, " ", name(end));
        edited_rows.emplace(table->name, state.name);
      }
    }
  }
  CHECK(rows > 0);
  CHECK(edited_rows.size() == rows);
}

TEST_CASE("an edit of the end of any state changes whether the store plans another turn") {
  std::size_t edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    for (const Move& move : table->moves)
      for (const std::string_view from : move.from)
        for (const End end : kEnds) {
          Edited edited{*table};
          for (State& state : edited.states)
            if (state.name == move.to) state.end = end;
          Facts facts;
          const auto granted = rules::grant_move(draft(edited.table, move, from), rules::Loss::none,
                                                 facts, kEditedNow);
          CAPTURE(table->name);
          CAPTURE(from);
          CAPTURE(name(move.on));
          REQUIRE(granted.has_value());
          CHECK((granted->end == end));
          CHECK(granted->due_at.has_value() == (end == End::open));
          ++edits;
        }
  }
  CHECK(edits > 0);
}

TEST_CASE("each end has its own meaning: a film that is cleaned, failed, stopped or open") {
  const auto with = [](End end) {
    Edited edited{kMedia};
    State& cleaned = edited.states[4];
    REQUIRE(cleaned.name == "cleaned");
    cleaned.end = end;
    return of_job(edited.table, cleaned);
  };
  CHECK(with(End::good) == "whole arrived delete");
  CHECK(with(End::bad) == "nothing failed delete");
  CHECK(with(End::stopped) == "nothing stopped delete");
  CHECK(with(End::open) == "open ready pause");
}

}  // namespace haul::testing
