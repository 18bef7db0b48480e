// The tables drive the flow: an edit of any answer, guard or key of any table changes what haul
// does. The rules are pure functions of a table, so the edited copy needs no store.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <functional>
#include <string>
#include <vector>

#include "contracts/edited.h"
#include "flow/batch/judge.h"
#include "flow/user/user.h"
#include "flow/worker/answer.h"
#include "lifecycle/tables.h"
#include "store/rules/add.h"
#include "store/rules/item.h"
#include "store/rules/key.h"
#include "store/rules/move.h"

namespace haul {
namespace {

using namespace row;
using namespace haul::testing;

constexpr Time kNow = kEditedNow;
constexpr double kEven = 0.5;

Job job_in(const Lifecycle& table, const State& state, int attempt) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &table, .state = state.name, .attempt = attempt};
  if (state.is_leased()) job.worker = WorkerId{1};
  return job;
}

std::string text_of(const flow::Verdict& verdict) {
  std::string text;
  for (const flow::WantedMove& move : verdict.moves) text += fmt::format("{} ", name(move.on));
  return text + (verdict.release_after ? "release" : "");
}

// What haul does with a job in this state when something goes wrong, by the table of the job.
std::string behaviour(const Lifecycle& table, const State& state) {
  const bool is_item_table = is_item(*find_lifecycle(table.name));  // The original.
  std::string text;
  for (const FaultKind kind : {FaultKind::retryable, FaultKind::permanent}) {
    const Fault fault{kind, "code", ""};
    if (is_item_table) {
      const flow::ItemVerdict verdict =
          flow::judge_item(table, Item{}, fault, false, flow::Settings{}, kEven);
      text += fmt::format("{} ", static_cast<int>(verdict.kind));
    } else {
      text += text_of(answer(job_in(table, state, 0), fault, flow::Settings{}, kEven)) + "| ";
    }
  }
  if (is_item_table) return text;
  text += text_of(flow::answer_wait(job_in(table, state, table.attempts_max))) + "| ";
  const rules::LossAnswer loss =
      rules::answer_loss(job_in(table, state, 0).version, WorkerId{1}, kEven, kNow);
  text += fmt::format("{} {} ", static_cast<int>(loss.kind), name(loss.ask.on));
  return text + fmt::format("{}", static_cast<int>(flow::way_to_cancel(job_in(table, state, 0))));
}

// Another answer than this one.
Answer other(const Lifecycle& table, const Answer& answer) {
  if (answer.kind == AnswerKind::stay) return kRefused;
  if (answer.kind != AnswerKind::refused) return kStay;
  Answer go{AnswerKind::go};
  go.to = table.states.back().name;
  return go;
}

struct Cell {
  const char* name;
  Answer State::* answer;
};
constexpr Cell kCells[] = {{"on_fault", &State::on_fault},
                           {"on_fail", &State::on_fail},
                           {"on_lost", &State::on_lost},
                           {"on_cancel", &State::on_cancel}};

// Makes the guard not hold.
void break_guard(Guard guard, Ask& ask, Facts& facts) {
  if (guard == Guard::attempt_left) ask.version.attempt = ask.version.lifecycle->attempts_max;
  facts.active = guard != Guard::user_active;
  facts.items_left = guard == Guard::every_item_processed;
  facts.replaced = guard == Guard::not_replaced;
  ask.holds = without(ask.holds, guard);
}

bool grants(const Lifecycle& table, const Move& move, std::string_view from,
            std::optional<Guard> broken) {
  Ask ask = draft(table, move, from);
  Facts facts;
  if (broken) break_guard(*broken, ask, facts);
  return rules::grant_move(ask, rules::Loss::none, facts, kNow).has_value();
}

bool grants_item(const Lifecycle& table, const Move& move, std::string_view from,
                 const ShortList<Guard, 4>& holds) {
  ItemMove ask{.n = 1, .from = from, .on = move.on, .path = "/x"};
  if (move.terms.needs != Proof::none) ask.proof = {move.terms.needs, "{}"};
  ask.holds = holds;
  return rules::grant_item(table, ask).has_value();
}

}  // namespace

TEST_CASE("an edit of any answer of any table changes what haul does") {
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      if (!table->states[i].is_open()) continue;
      const std::string before = behaviour(*table, table->states[i]);
      for (const Cell& cell : kCells) {
        const Answer& answer = table->states[i].*cell.answer;
        if (answer.kind == AnswerKind::never) continue;
        Edited edited{*table};
        edited.states[i].*cell.answer = other(*table, answer);
        CHECK_MESSAGE(behaviour(edited.table, edited.states[i]) != before, table->name, ".",
                      table->states[i].name, ".", cell.name);
        ++edits;
      }
    }
  }
  CHECK(edits > 30);
}

TEST_CASE("an edit of any guard of any table changes what the store grants") {
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    for (std::size_t i = 0; i < table->moves.size(); ++i) {
      const Move& move = table->moves[i];
      for (const Guard guard : move.terms.guards)
        for (const std::string_view from : move.from) {
          Edited edited{*table};
          edited.moves[i].terms.guards = without(move.terms.guards, guard);
          CAPTURE(table->name);
          CAPTURE(from);
          CAPTURE(name(move.on));
          CAPTURE(name(guard));
          if (is_item(*table)) {
            const ShortList<Guard, 4> left = without(move.terms.guards, guard);
            CHECK(grants_item(*table, move, from, move.terms.guards));
            CHECK_FALSE(grants_item(*table, move, from, left));
            CHECK(grants_item(edited.table, edited.moves[i], from, left));
          } else {
            CHECK(grants(*table, move, from, std::nullopt));
            CHECK_FALSE(grants(*table, move, from, guard));
            CHECK(grants(edited.table, move, from, guard));
          }
          ++edits;
        }
    }
  }
  CHECK(edits > 15);
}

TEST_CASE("an edit of the guards of adding changes what may be added") {
  for (const Lifecycle* table : all_lifecycles())
    for (const Guard guard : table->add.guards) {
      Edited edited{*table};
      edited.table.add.guards = without(table->add.guards, guard);
      NewJob job{.lifecycle = table, .price = 1};
      job.holds = without(table->add.guards, guard);
      CHECK(rules::check_add(job, 0).has_value());
      job.lifecycle = &edited.table;
      CHECK_FALSE(rules::check_add(job, 0).has_value());
    }
}

TEST_CASE("an edit of any field of a key or a slot changes which requests are the same") {
  const auto request = read_object(
      R"({"book_id":"b","media_type":"text","title":"t","release_name":"r","user_id":"2",)"
      R"("file_id":"f","nonce":"n","prompt":"p","params":{}})");
  REQUIRE(request);
  const UserId owner{7};
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    const NewJob::Key before = rules::key_of(*table, owner, *request, kNow);
    for (const std::string_view field : table->key.fields) {
      Edited edited{*table};
      edited.table.key.fields = without(table->key.fields, field);
      CHECK_MESSAGE(rules::key_of(edited.table, owner, *request, kNow).value != before.value,
                    table->name, " ", field);
      ++edits;
    }
    for (const std::string_view field : table->slot) {
      Edited edited{*table};
      edited.table.slot = without(table->slot, field);
      CHECK_MESSAGE(
          rules::slot_of(edited.table, owner, *request) != rules::slot_of(*table, owner, *request),
          table->name, " ", field);
      ++edits;
    }
    if (table->key.scope == KeyScope::none) continue;
    Edited edited{*table};
    edited.table.key.scope = KeyScope::none;
    CHECK(rules::key_of(edited.table, owner, *request, kNow).value.empty());
  }
  CHECK(edits > 10);
}

}  // namespace haul
