// The tables drive the flow: an edit of any answer, guard or key of any table changes what haul
// does. The rules are pure functions of a table, so the edited copy needs no store, except to show
// how long a key finds its job.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "contracts/edited.h"
#include "flow/batch/judge.h"
#include "flow/client/judge.h"
#include "flow/user/user.h"
#include "flow/worker/answer.h"
#include "lifecycle/check.h"
#include "lifecycle/tables.h"
#include "store/rules/add.h"
#include "store/rules/item.h"
#include "store/rules/key.h"
#include "store/rules/move.h"
#include "support/store/bench.h"

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
          flow::judge_item(table, Item{}, fault, false, flow::BatchSettings{}, kEven);
      text += fmt::format("{} ", static_cast<int>(verdict.kind));
    } else {
      text += text_of(answer(job_in(table, state, 0), fault, flow::Settings{}, kEven)) + "| ";
    }
  }
  if (is_item_table) return text;
  text += text_of(flow::answer_wait(job_in(table, state, table.attempts_max))) + "| ";
  const rules::LossAnswer loss = rules::answer_loss(
      {.version = job_in(table, state, 0).version, .worker = WorkerId{1}}, kEven, kNow);
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

// Every answer that a cell can have instead, except `never`.
std::vector<Answer> all_answers(const Lifecycle& table) {
  std::vector<Answer> all{kStay, kRefused, kAdopt};
  for (const State& state : table.states) {
    Answer go{AnswerKind::go};
    go.to = state.name;
    all.push_back(go);
  }
  return all;
}

// What a failed hand-over does to a job at a client.
std::string after_hand_over(const Lifecycle& table, const State& state) {
  const Job job = job_in(table, state, 0);
  const flow::ClientView view{.job = job, .now = kNow, .marked_for = {}, .failed_hand_overs = 1};
  const Failed failed{.fault = {FaultKind::retryable, "code", ""}};
  const flow::Verdict verdict = flow::judge_hand_over(view, failed, flow::Settings{});
  return text_of(verdict) + (verdict.observed ? "looks again" : "");
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

// Whether the same request finds the first job: at once, in the next minute, and after the first
// job has been cancelled, if it can be. The store finds it by the key that the table gives it.
std::string found_again(const Lifecycle& table) {
  Bench b;
  const Lifecycle* original = find_lifecycle(table.name);
  const auto add = [&] {
    NewJob job{.lifecycle = original, .request = request_for(*original)};
    const auto fields = read_object(job.request);
    REQUIRE(fields);
    job.key = rules::key_of(table, job.owner, *fields, b.now());
    const AddAnswer answer = b.add(job);
    REQUIRE(answer.has_value());
    return *answer;
  };
  const auto word = [](const Added& added) { return added.replayed ? "same" : "new"; };
  b.after(std::chrono::seconds{31});
  const JobId first = add().id;
  std::string text = word(add());
  b.after(std::chrono::seconds{59});
  text += fmt::format(" {}", word(add()));
  if (!original->find(original->initial().name, On::cancel)) return text;
  REQUIRE(b.ask(first, On::cancel).has_value());
  return text + fmt::format(" {}", word(add()));
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

TEST_CASE("no cell takes another answer unnoticed: check() refuses it, or haul acts otherwise") {
  std::size_t open_states = 0;
  std::size_t cells = 0;
  std::size_t never = 0;
  CHECK(all_lifecycles().size() == 6);
  for (const Lifecycle* table : all_lifecycles()) {
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      if (!table->states[i].is_open()) continue;
      ++open_states;
      const std::string before = behaviour(*table, table->states[i]);
      for (const Cell& cell : kCells) {
        const Answer& answer = table->states[i].*cell.answer;
        never += answer.kind == AnswerKind::never ? 1 : 0;
        int edits = 0;
        for (const Answer& instead : all_answers(*table)) {
          if (instead == answer) continue;
          Edited edited{*table};
          edited.states[i].*cell.answer = instead;
          const bool is_refused = check(edited.table).problem != Problem::none;
          const bool is_noticed = is_refused || behaviour(edited.table, edited.states[i]) != before;
          CHECK_MESSAGE(is_noticed, table->name, ".", table->states[i].name, ".", cell.name, " ",
                        static_cast<int>(instead.kind), " ", instead.to);
          ++edits;
        }
        cells += edits > 0 ? 1 : 0;
      }
    }
  }
  CHECK(open_states > 0);
  CHECK(cells == open_states * std::size(kCells));
  CHECK(never > 0);
}

TEST_CASE("a claimed relay that could stay after a fault would be given back instead of failing") {
  const auto row = std::ranges::find(kRelay.states, "CLAIMED", &State::name);
  REQUIRE(row != kRelay.states.end());
  REQUIRE((row->on_fault.kind == AnswerKind::never));
  const auto index = static_cast<std::size_t>(row - kRelay.states.begin());
  Edited edited{kRelay};
  edited.states[index].on_fault = kStay;
  CHECK((check(edited.table) == Problem::none));
  const auto answered = [](const Lifecycle& table) {
    const Job job = job_in(table, table.at("CLAIMED"), 0);
    return text_of(answer(job, {FaultKind::retryable, "code", ""}, flow::Settings{}, kEven));
  };
  CHECK(answered(kRelay) == "fail ");
  CHECK(answered(edited.table) == "release");
}

TEST_CASE("an edit of on_fault of any state at a client changes what a failed hand-over does") {
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      if (!table->states[i].is_at_client()) continue;
      Edited edited{*table};
      edited.states[i].on_fault = kNever;
      CHECK_MESSAGE(after_hand_over(*table, table->states[i]) == "looks again", table->name);
      CHECK_MESSAGE(after_hand_over(edited.table, edited.states[i]) == "fail ", table->name);
      ++edits;
    }
  }
  CHECK(edits > 0);
}

TEST_CASE("an edit of attempt_left in the row of another attempt changes what a worker answers") {
  struct Case {
    const Lifecycle& table;
    std::string_view state;
  };
  const Case all[] = {{kRelay, "DOWNLOADING"}, {kRelay, "STREAMING"}, {kImage, "running"}};
  for (const auto& [table, state] : all) {
    CAPTURE(table.name);
    CAPTURE(state);
    Edited edited{table};
    const auto requeue = std::ranges::find(edited.moves, On::requeue, &Move::on);
    REQUIRE(requeue != edited.moves.end());
    REQUIRE(requeue->has(Guard::attempt_left));
    requeue->terms.guards = without(requeue->terms.guards, Guard::attempt_left);
    const auto answered = [&](const Lifecycle& its_table, int attempt) {
      const Job job = job_in(its_table, its_table.at(state), attempt);
      return text_of(answer(job, {FaultKind::retryable, "code", ""}, flow::Settings{}, kEven));
    };
    const int last = table.attempts_max - 1;
    const std::string again = answered(table, last - 1);
    CHECK(answered(table, last) != again);
    CHECK(answered(edited.table, last - 1) == again);
    CHECK(answered(edited.table, last) == again);
  }
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
      CHECK(rules::check_add(job, {}).has_value());
      job.lifecycle = &edited.table;
      CHECK_FALSE(rules::check_add(job, {}).has_value());
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
  }
  CHECK(edits > 10);
}

TEST_CASE("an edit of the form of any key changes the key") {
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->key.scope == KeyScope::none) continue;  // It has no fields either, by check().
    const auto fields = read_object(request_for(*table));
    REQUIRE(fields);
    Edited edited{*table};
    const bool is_array = table->key.form == KeyForm::array;
    edited.table.key.form = is_array ? KeyForm::colons : KeyForm::array;
    const NewJob::Key before = rules::key_of(*table, UserId{7}, *fields, kNow);
    const NewJob::Key after = rules::key_of(edited.table, UserId{7}, *fields, kNow);
    CHECK_MESSAGE(before.value != after.value, table->name);
    ++edits;
  }
  CHECK(edits > 0);
}

TEST_CASE("an edit of the scope of any key is refused, or changes which requests are the same") {
  std::size_t tables = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    int edits = 0;
    for (const KeyScope scope :
         {KeyScope::none, KeyScope::forever, KeyScope::window, KeyScope::while_open}) {
      if (scope == table->key.scope) continue;
      Edited edited{*table};
      edited.table.key.scope = scope;
      // A table without a key keeps no fields for one.
      if (scope == KeyScope::none) edited.table.key.fields = {};
      const bool is_refused = check(edited.table).problem != Problem::none;
      CHECK_MESSAGE((is_refused || found_again(edited.table) != found_again(*table)), table->name,
                    " ", name(scope));
      ++edits;
    }
    tables += edits > 0 ? 1 : 0;
  }
  CHECK(tables > 0);
  CHECK(tables == all_lifecycles().size());
}

TEST_CASE("a key finds its job for ever, within a window, or while it is open") {
  CHECK(found_again(kRelay) == "same same same");
  CHECK(found_again(kImage) == "same same");
  CHECK(found_again(kMedia) == "same same new");
}

}  // namespace haul
