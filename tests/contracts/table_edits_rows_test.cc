// The tables drive the flow: an edit of any part of any move row, or of the step of any state,
// changes what haul does. A fault that a worker sees does what the row of the job's state says.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contracts/edited.h"
#include "flow/batch/judge.h"
#include "flow/image/judge.h"
#include "flow/media/judge.h"
#include "flow/relay/judge.h"
#include "lifecycle/check.h"
#include "store/rules/item.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

std::string text_of(const std::expected<rules::GrantedMove, Refusal>& answer) {
  if (!answer) return answer.error().code + " ";
  std::string text = fmt::format("{} attempt {} started {} freed {} writes", answer->after.state,
                                 answer->after.attempt, answer->sets_started, answer->frees_key);
  for (const rules::MoveWrite& write : answer->writes) text += fmt::format(" {}", write.index());
  return text + " ";
}

// What the table answers to an ask that the original row grants. The system asks too, because some
// effects depend on who asks.
std::string job_answers(const Lifecycle& table, const Move& original, std::string_view from,
                        Proof proof) {
  std::string text;
  for (const By by : {original.by, By::system}) {
    Ask ask = draft(table, original, from);
    ask.version.seq = 5;
    ask.by = by;
    ask.proof = {proof, proof == Proof::none ? "" : "{}"};
    Facts facts;
    text += text_of(rules::grant_move(ask, rules::Loss::none, facts, kEditedNow));
  }
  return text;
}

// The same for an item, and where its job's moves take it.
std::string item_answers(const Lifecycle& table, const Move& original, std::string_view from,
                         Proof proof) {
  ItemMove ask{.n = 1, .from = from, .on = original.on, .path = "/x"};
  ask.proof = {proof, proof == Proof::none ? "" : "{}"};
  ask.holds = original.terms.guards;
  const auto answer = rules::grant_item(table, ask);
  std::string text = answer ? fmt::format("{} count {}", (*answer)->to,
                                          static_cast<int>(rules::count_of(table, **answer)))
                            : answer.error().code;
  for (const rules::ItemStep& step : rules::steps_by(table, original.on))
    text += fmt::format(" {}>{}", step.from, step.to);
  return text;
}

std::string answers(const Lifecycle& table, const Move& original, std::string_view from,
                    Proof proof) {
  const bool is_item_table = is_item(*find_lifecycle(table.name));
  return is_item_table ? item_answers(table, original, from, proof)
                       : job_answers(table, original, from, proof);
}

// Another state than the one that the row leads to.
std::string_view other_target(const Lifecycle& table, const Move& move) {
  for (const State& state : table.states)
    if (state.name != move.to) return state.name;
  return {};
}

// One who may not ask for the row now. For an item that its job moves: the worker itself.
// The system may ask for every row but a user's.
By other_asker(const Lifecycle& table, const Move& move) {
  if (is_item(table)) return move.by == By::worker ? By::user : By::worker;
  return move.by == By::user ? By::worker : By::user;
}

// A trigger that no row of the state has.
On other_trigger(const Lifecycle& table, std::string_view from) {
  for (int on = static_cast<int>(On::claim); on <= static_cast<int>(On::retry); ++on)
    if (table.find(from, static_cast<On>(on)) == nullptr) return static_cast<On>(on);
  throw std::logic_error{"each trigger has a row"};
}

struct RowEdit {
  std::string what;
  std::function<void(Move&)> change;
  Proof proof;  // That the ask carries.
};

void add_effect_edits(const Move& move, std::vector<RowEdit>& edits) {
  for (const Effect effect : move.terms.effects)
    edits.push_back(
        {fmt::format("without {}", name(effect)),
         [effect](Move& row) { row.terms.effects = without(row.terms.effects, effect); },
         move.terms.needs});
  if (!move.terms.effects.empty()) return;
  edits.push_back({"with an effect", [](Move& row) { row.terms.effects = {Effect::set_started}; },
                   move.terms.needs});
}

// One edit for each part of the row that the rules read. An item whose job moves it takes no proof,
// and no item has an effect.
std::vector<RowEdit> edits_of(const Lifecycle& table, const Move& move, std::string_view from) {
  const Proof proof = move.terms.needs;
  std::vector<RowEdit> edits{
      {"from", [from](Move& row) { row.from = without(row.from, from); }, proof},
      {"on", [on = other_trigger(table, from)](Move& row) { row.on = on; }, proof},
      {"by", [by = other_asker(table, move)](Move& row) { row.by = by; }, proof},
      {"to", [to = other_target(table, move)](Move& row) { row.to = to; }, proof},
  };
  const bool is_of_item = is_item(table);
  if (!is_of_item) add_effect_edits(move, edits);
  if (is_of_item && move.by != By::worker) return edits;
  const Proof other = proof == Proof::none ? Proof::receipt : Proof::none;
  edits.push_back({"needs", [other](Move& row) { row.terms.needs = other; }, Proof::none});
  return edits;
}

// What a worker begins in this state, and whether a client works on the job instead.
std::string begins(const Lifecycle& table, const State& state) {
  int act = 0;
  if (table.name == "batch") act = static_cast<int>(flow::judge_begin(state.step));
  if (table.name == "media") act = static_cast<int>(flow::judge_import(state.step));
  if (table.name == "relay")
    act = static_cast<int>(flow::judge_step(state.step, flow::BytesRead::none));
  if (table.name == "image")
    act = static_cast<int>(flow::judge_call({.step = state.step, .handle = {}, .last = {}}).act);
  return fmt::format("{} {}", act, state.is_at_client());
}

// A job that a worker has brought into a state, and the call that the test answers with a fault.
struct Driven {
  const Lifecycle& table;
  std::string_view state;
  std::string_view call;
  std::function<JobId(Stage&)> bring;
};

JobId handed_over(Stage& s, const Lifecycle& table) {
  const JobId id = s.add(table);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  return id;
}

JobId fetched(Stage& s) {
  const JobId id = handed_over(s, kMedia);
  s.reply("client.look", whole("/d/film"));
  return id;
}

JobId claimed(Stage& s, const Lifecycle& table) {
  const JobId id = s.add(table);
  s.tick();
  return id;
}

JobId bought(Stage& s) {
  const JobId id = s.buy(4);
  s.tick();
  return id;
}

JobId with_item(Stage& s) {
  const JobId id = claimed(s, kBatch);
  s.reply("http.plan", Planned{.items = {{.key = "a", .url = "https://h/a"}}});
  return id;
}

// Where the rows take a job after a fault. A leased job that stays is given back.
std::string_view after_fault(const Lifecycle& table, std::string_view state, FaultKind kind) {
  const State& row = table.at(state);
  if (kind == FaultKind::retryable && row.on_fault.kind == AnswerKind::stay) {
    const Move* back = row.is_leased() ? table.find(state, On::release) : nullptr;
    return back ? back->to : state;
  }
  if (kind == FaultKind::retryable && row.on_fault.kind == AnswerKind::go) return row.on_fault.to;
  while (table.at(state).is_open() && table.at(state).on_fail.kind == AnswerKind::go)
    state = table.at(state).on_fail.to;
  return state;
}

}  // namespace

TEST_CASE("an edit of any part of any move row changes what the store grants") {
  std::size_t rows = 0;
  std::set<std::pair<std::string_view, std::size_t>> edited_rows;
  for (const Lifecycle* table : all_lifecycles()) {
    rows += table->moves.size();
    for (std::size_t i = 0; i < table->moves.size(); ++i)
      for (const std::string_view from : table->moves[i].from)
        for (const RowEdit& edit : edits_of(*table, table->moves[i], from)) {
          const Move& move = table->moves[i];
          Edited edited{*table};
          edit.change(edited.moves[i]);
          CAPTURE(table->name);
          CAPTURE(from);
          CAPTURE(name(move.on));
          CAPTURE(edit.what);
          CHECK(answers(edited.table, move, from, edit.proof) !=
                answers(*table, move, from, edit.proof));
          edited_rows.emplace(table->name, i);
        }
  }
  CHECK(rows > 0);
  CHECK(edited_rows.size() == rows);
}

TEST_CASE("no row of an item has an effect: its job's move writes") {
  for (const Lifecycle* table : all_lifecycles())
    if (is_item(*table))
      for (const Move& move : table->moves) CHECK(move.terms.effects.empty());
}

TEST_CASE("a row that loses its bound makes a loop without an end") {
  int bounds = 0;
  for (const Lifecycle* table : all_lifecycles())
    for (std::size_t i = 0; i < table->moves.size(); ++i) {
      if (table->moves[i].terms.bound == Bound::none) continue;
      Edited edited{*table};
      edited.moves[i].terms.bound = Bound::none;
      CHECK_MESSAGE((check(edited.table) == Problem::unbounded_loop), table->name, " ",
                    name(table->moves[i].on));
      ++bounds;
    }
  CHECK(bounds >= 9);
}

TEST_CASE("an edit of the step of any open state changes what begins") {
  int edits = 0;
  for (const Lifecycle* table : all_lifecycles()) {
    if (is_item(*table)) continue;
    for (std::size_t i = 0; i < table->states.size(); ++i) {
      const State& state = table->states[i];
      if (!state.is_open()) continue;
      Edited edited{*table};
      const bool has_work = state.is_leased() || state.step == Step::transfer;
      edited.states[i].step = has_work ? Step::none : Step::transfer;
      CHECK_MESSAGE(begins(edited.table, edited.states[i]) != begins(*table, state), table->name,
                    " ", state.name);
      ++edits;
    }
  }
  CHECK(edits >= 15);
}

TEST_CASE("an edit of the steps of items changes which have not started and which are fetched") {
  Edited edited{kItem};
  std::swap(edited.states[0].step, edited.states[1].step);
  for (const Step step : {Step::claim, Step::transfer})
    CHECK(flow::item_state(edited.table, step).name != flow::item_state(kItem, step).name);
}

TEST_CASE("a fault that a worker sees does what the row of the job's state says") {
  const Driven all[] = {
      {kBook, "queued", "client.look", [](Stage& s) { return handed_over(s, kBook); }},
      {kMedia, "queued", "client.look", [](Stage& s) { return handed_over(s, kMedia); }},
      {kMedia, "completed", "library.land", fetched},
      {kBatch, "RUNNING", "http.plan", [](Stage& s) { return claimed(s, kBatch); }},
      {kItem, "DOWNLOADING", "http.start", with_item},
      {kRelay, "DOWNLOADING", "disk.start", [](Stage& s) { return claimed(s, kRelay); }},
      {kImage, "running", "images.start", bought},
  };
  for (const Driven& driven : all) {
    CAPTURE(driven.table.name);
    CAPTURE(driven.state);
    const auto after = [&](FaultKind kind) {
      Stage s;
      const JobId id = driven.bring(s);
      const auto state = [&] { return is_item(driven.table) ? s.items(id) : s.state(id); };
      if (!is_item(driven.table)) REQUIRE(state() == driven.state);
      s.reply(driven.call, failed(kind, "broken"));
      return state();
    };
    const std::string passing = after(FaultKind::retryable);
    const std::string lasting = after(FaultKind::permanent);
    CHECK(passing == after_fault(driven.table, driven.state, FaultKind::retryable));
    CHECK(lasting == after_fault(driven.table, driven.state, FaultKind::permanent));
    CHECK(passing != lasting);
  }
}

}  // namespace haul::testing
