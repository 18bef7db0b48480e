#include "lifecycle/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace row;

// An open state that sets every answer, so that each test breaks one thing only.
constexpr State open(std::string_view name) {
  return {
      .name = name, .on_fault = kStay, .on_fail = kNever, .on_lost = kNever, .on_cancel = kRefused};
}

// The same for a state that workers lease. Its table has a move to "z" by On::fail.
constexpr State held(std::string_view name) {
  State state = open(name);
  state.leased = Leased::yes;
  state.on_fail = "z";
  state.on_lost = kAdopt;
  return state;
}

constexpr State ended(std::string_view name, End end = End::good) {
  return {.name = name, .end = end};
}

constexpr Move move(std::string_view from, On on, std::string_view to, Bound bound = Bound::none) {
  return {.from = {from}, .on = on, .to = to, .terms = {.bound = bound}};
}

constexpr Move cancel(std::string_view from, std::string_view to) {
  Move row = move(from, On::cancel, to);
  row.by = By::user;
  row.terms.guards = {Guard::owner_or_admin};
  return row;
}

constexpr CheckResult check(std::span<const State> states, std::span<const Move> moves) {
  return check(Lifecycle{.name = "test", .states = states, .moves = moves});
}

// The smallest valid table: one open state, one ended state, one move.
constexpr State kTwo[] = {open("a"), ended("z")};
constexpr Move kOne[] = {move("a", On::done, "z")};
static_assert(check(kTwo, kOne) == Problem::none);
static_assert(check({}, {}) == Problem::no_states);

// "problem state", so that one comparison checks both.
std::string found(const CheckResult& finding) {
  return std::string{name(finding.problem)} +
         (finding.where.empty() ? "" : " " + std::string{finding.where});
}

std::string found(const std::vector<State>& states, const std::vector<Move>& moves) {
  return found(check(states, moves));
}

TEST_CASE("the smallest table that makes sense passes") {
  CHECK(found({open("a"), ended("z")}, {move("a", On::done, "z")}) == "none");
}

TEST_CASE("no_states: no row at all, or one more than 32") {
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= kStatesMax; ++i) names.push_back("s" + std::to_string(i));
  const auto chain = [&](std::size_t states) {
    std::vector<State> rows;
    std::vector<Move> moves;
    for (std::size_t i = 0; i + 1 < states; ++i) {
      rows.push_back(open(names[i]));
      moves.push_back(move(names[i], On::done, names[i + 1]));
    }
    rows.push_back(ended(names[states - 1]));
    return found(rows, moves);
  };

  CHECK(found({}, {}) == "no_states");
  CHECK(chain(32) == "none");
  CHECK(chain(33) == "no_states");
}

TEST_CASE("duplicate_state: two rows with one name; letters of another size are another name") {
  const std::vector<Move> moves{move("a", On::done, "z"), move("a", On::skip, "Z")};

  CHECK(found({open("a"), ended("z"), ended("z")}, moves) == "duplicate_state z");
  CHECK(found({open("a"), ended("z"), ended("Z")}, moves) == "none");
}

TEST_CASE("unknown_state: where a move leads, where it starts, and where an answer points") {
  State asks_for_help = open("a");
  asks_for_help.on_cancel = "help";
  const State z = ended("z");

  CHECK(found({open("a"), z}, {move("a", On::done, "zz")}) == "unknown_state zz");
  CHECK(found({open("a"), z}, {move("b", On::done, "z")}) == "unknown_state b");
  CHECK(found({asks_for_help, z}, {move("a", On::done, "z")}) == "unknown_state help");
  CHECK(found({open("a"), z}, {{.from = {}, .on = On::done, .to = "z"}}) == "unknown_state z");
  CHECK(found({asks_for_help, z, ended("help")}, {move("a", On::done, "z"), cancel("a", "help")}) ==
        "none");
}

TEST_CASE("ended_at_birth: the first row is where a job starts, so it is open") {
  const std::vector<Move> moves{move("a", On::done, "z")};

  CHECK(found({ended("z"), open("a")}, moves) == "ended_at_birth z");
  CHECK(found({open("a"), ended("z")}, moves) == "none");
}

TEST_CASE("unreachable_state: a row that no chain of moves leads to (hostile C26)") {
  const std::vector<State> states{open("a"), open("b"), ended("z")};
  const Move end_a = move("a", On::done, "z");
  const Move end_b = move("b", On::done, "z");

  CHECK(found(states, {end_a, end_b}) == "unreachable_state b");
  CHECK(found(states, {end_a, end_b, move("a", On::start, "b")}) == "none");
}

TEST_CASE("no_exit: an open state from which no end is reached (hostile C26)") {
  const std::vector<State> states{open("a"), open("b"), ended("z")};
  const Move start = move("a", On::start, "b");
  const Move skip = move("a", On::skip, "z");
  const Move back = move("b", On::requeue, "a", Bound::attempt);

  CHECK(found({open("a")}, {}) == "no_exit a");
  CHECK(found(states, {start, skip}) == "no_exit b");
  CHECK(found(states, {start, skip, back}) == "none");
}

TEST_CASE("stranded_lease: a leased state whose worker is lost goes on, or is adopted") {
  const auto with = [](Leased leased, Answer on_lost) {
    State a = held("a");
    a.leased = leased;
    a.on_lost = on_lost;
    return found({a, ended("z")}, {move("a", On::fail, "z"), move("a", On::lost, "z")});
  };

  CHECK(with(Leased::yes, kNever) == "stranded_lease a");
  CHECK(with(Leased::yes, kAdopt) == "none");
  CHECK(with(Leased::yes, "z") == "none");
  CHECK(with(Leased::no, kNever) == "none");
}

TEST_CASE("failed_but_held: a leased state has an on_fail to go to, however often it may be lost") {
  const auto with = [](Leased leased, Answer on_lost, Answer on_fail, int most) {
    State a = held("a");
    a.leased = leased;
    a.on_lost = on_lost;
    a.on_fail = on_fail;
    const State states[] = {a, ended("z")};
    const Move moves[] = {move("a", On::fail, "z"), move("a", On::lost, "z")};
    return found(
        check(Lifecycle{.name = "test", .states = states, .moves = moves, .attempts_max = most}));
  };

  for (const int most : {0, 3}) {
    CHECK(with(Leased::yes, kAdopt, kNever, most) == "failed_but_held a");
    CHECK(with(Leased::yes, kAdopt, "z", most) == "none");
    CHECK(with(Leased::yes, "z", kNever, most) == "failed_but_held a");
    CHECK(with(Leased::yes, "z", "z", most) == "none");
    CHECK(with(Leased::no, kNever, kNever, most) == "none");
  }
}

TEST_CASE("fault_ends: a fault that may go away leads to an open state; only on_fail ends a job") {
  const auto with = [](Answer on_fault, Answer on_fail) {
    State a = open("a");
    a.on_fault = on_fault;
    a.on_fail = on_fail;
    return found({a, open("b"), ended("z")},
                 {move("a", On::requeue, "b"), move("a", On::fail, "z"), move("b", On::done, "z")});
  };

  CHECK(with("z", "z") == "fault_ends a");
  CHECK(with("b", "z") == "none");
  CHECK(with(kStay, "z") == "none");
  CHECK(with(kNever, "z") == "none");
}

TEST_CASE(
    "odd_answer: only a fault lets a job stay, only a loss adopts, only a cancel is refused") {
  const auto with = [](Answer State::* answer, Answer value) {
    State a = held("a");
    a.*answer = value;
    return found({a, ended("z")}, {move("a", On::fail, "z")});
  };

  for (const Answer& value : {kRefused, kAdopt})
    CHECK(with(&State::on_fault, value) == "odd_answer a");
  for (const Answer& value : {kStay, kRefused, kAdopt})
    CHECK(with(&State::on_fail, value) == "odd_answer a");
  for (const Answer& value : {kStay, kRefused})
    CHECK(with(&State::on_lost, value) == "odd_answer a");
  for (const Answer& value : {kStay, kAdopt})
    CHECK(with(&State::on_cancel, value) == "odd_answer a");
  CHECK(with(&State::on_fault, kStay) == "none");
  CHECK(with(&State::on_lost, kAdopt) == "none");
  CHECK(with(&State::on_cancel, kRefused) == "none");
}

TEST_CASE("idle_answer: no work, no fault; no lease, no loss; what waits for a claim cannot fail") {
  const auto with = [](Step step, Answer on_fault, Answer on_fail, Answer on_lost) {
    State a = open("a");
    a.step = step;
    a.on_fault = on_fault;
    a.on_fail = on_fail;
    a.on_lost = on_lost;
    return found({a, ended("z")}, {move("a", On::fail, "z"), move("a", On::lost, "z")});
  };

  CHECK(with(Step::claim, kNever, kNever, kNever) == "none");
  CHECK(with(Step::claim, kStay, kNever, kNever) == "idle_answer a");
  CHECK(with(Step::claim, kNever, "z", kNever) == "idle_answer a");
  CHECK(with(Step::wait, kNever, "z", kNever) == "none");
  CHECK(with(Step::wait, kStay, "z", kNever) == "idle_answer a");
  CHECK(with(Step::transfer, kStay, "z", kNever) == "none");
  CHECK(with(Step::transfer, kStay, "z", kAdopt) == "idle_answer a");
  CHECK(with(Step::transfer, kStay, "z", "z") == "idle_answer a");
}

TEST_CASE("refused_move, unguarded_cancel: a state with a cancel move lets its owner make it") {
  const auto with = [](Answer on_cancel, ShortList<Guard, 4> guards) {
    State a = open("a");
    a.on_cancel = on_cancel;
    Move row = cancel("a", "z");
    row.terms.guards = guards;
    return found({a, ended("z")}, {row});
  };
  const ShortList<Guard, 4> owner{Guard::owner_or_admin};

  CHECK(with(kRefused, owner) == "refused_move a");
  CHECK(found({open("a"), ended("z")}, {move("a", On::done, "z")}) == "none");
  CHECK(with("z", {}) == "unguarded_cancel a");
  CHECK(with("z", {Guard::engine_confirmed}) == "unguarded_cancel a");
  CHECK(with("z", owner) == "none");
  CHECK(with(kNever, {}) == "none");  // An item: it is cancelled with its job.
}

TEST_CASE("too_many_takeable: workers take jobs out of six states, claimed or leased; not of 7") {
  const std::vector<std::string_view> names{"a", "b", "c", "d", "e", "f", "g"};
  const auto chain = [&](On first, std::size_t length) {
    std::vector<State> states;
    std::vector<Move> moves;
    for (std::size_t i = 0; i < length; ++i) {
      const bool is_claimed = i == 0 && first == On::claim;
      states.push_back(is_claimed ? open(names[i]) : held(names[i]));
      moves.push_back(move(names[i], On::fail, "z"));
      moves.push_back(move(names[i], i == 0 ? first : On::done,
                           i + 1 < length ? names[i + 1] : std::string_view{"z"}));
    }
    states.push_back(ended("z"));
    return found(states, moves);
  };

  for (const On first : {On::claim, On::start}) {
    CHECK(chain(first, 6) == "none");
    CHECK(chain(first, 7) == "too_many_takeable g");
  }
}

TEST_CASE("hidden_by_lanes: with lanes by host, no job waits at a client or for a timer") {
  const auto with = [](LaneBy lane, Step step, Leased leased) {
    State a = leased == Leased::yes ? held("a") : open("a");
    a.step = step;
    a.on_fault = step == Step::wait ? kNever : kStay;
    const State states[] = {a, ended("z")};
    const Move moves[] = {move("a", On::fail, "z")};
    return found(check(Lifecycle{.name = "test", .states = states, .moves = moves, .lane = lane}));
  };

  CHECK(with(LaneBy::host, Step::wait, Leased::no) == "hidden_by_lanes a");
  CHECK(with(LaneBy::host, Step::transfer, Leased::no) == "hidden_by_lanes a");
  CHECK(with(LaneBy::host, Step::wait, Leased::yes) == "none");
  CHECK(with(LaneBy::host, Step::transfer, Leased::yes) == "none");
  CHECK(with(LaneBy::lifecycle, Step::wait, Leased::no) == "none");
  CHECK(with(LaneBy::lifecycle, Step::transfer, Leased::no) == "none");
}

TEST_CASE("no_items_to_clear: only a lifecycle with items clears their parts") {
  const auto with = [](ShortList<Effect, 4> effects, const Lifecycle* items) {
    const State states[] = {open("a"), ended("z")};
    Move done = move("a", On::done, "z");
    done.terms.effects = effects;
    const Move moves[] = {done};
    return found(
        check(Lifecycle{.name = "test", .states = states, .moves = moves, .items = items}));
  };

  CHECK(with({Effect::note_done, Effect::clear_parts}, nullptr) == "no_items_to_clear a");
  CHECK(with({Effect::note_done, Effect::clear_parts}, &kItem) == "none");
  CHECK(with({Effect::note_done}, nullptr) == "none");
}

TEST_CASE("odd_key: a key has fields, and a window has the minute") {
  const auto with = [](Lifecycle::Key key) {
    return found(check(Lifecycle{.name = "test", .states = kTwo, .moves = kOne, .key = key}));
  };

  CHECK(with({KeyScope::none, KeyForm::array, {}}) == "none");
  CHECK(with({KeyScope::none, KeyForm::array, {"a"}}) == "odd_key");
  for (const KeyScope scope : {KeyScope::forever, KeyScope::while_open}) {
    CHECK(with({scope, KeyForm::array, {}}) == "odd_key");
    CHECK(with({scope, KeyForm::array, {"a"}}) == "none");
    CHECK(with({scope, KeyForm::array, {"a", "minute"}}) == "odd_key");
  }
  CHECK(with({KeyScope::window, KeyForm::array, {"a"}}) == "odd_key");
  CHECK(with({KeyScope::window, KeyForm::array, {"a", "minute"}}) == "none");
}

TEST_CASE("odd_again: a new job repeats ended jobs that no retry moves, for ever or while open") {
  const auto with = [](Lifecycle::Again again, On on = On::done) {
    const State states[] = {open("a"), ended("z", End::bad), ended("w")};
    const Move moves[] = {move(on == On::retry ? "z" : "a", on, "a")};
    return found(check_detail::check_again(
        Lifecycle{.name = "test", .states = states, .moves = moves, .again = again}));
  };

  CHECK(with({}) == "none");
  for (const KeyScope scope : {KeyScope::forever, KeyScope::while_open}) {
    CHECK(with({{"z"}, scope}) == "none");
    CHECK(with({{"z"}, scope}, On::retry) == "odd_again z");
    CHECK(with({{"a"}, scope}) == "odd_again a");
    CHECK(with({{"y"}, scope}) == "odd_again y");
    CHECK(with({{"w"}, scope}) == "odd_again w");
    CHECK(with({{}, scope}) == "odd_again");
  }
  CHECK(with({{"z"}, KeyScope::none}) == "odd_again");
  CHECK(with({{"z"}, KeyScope::window}) == "odd_again");
}

TEST_CASE("idle_backoff, idle_reasons, idle_effect: a table sets no column that nothing reads") {
  Lifecycle table{.name = "test", .states = kTwo, .moves = kOne};
  const ReasonWords words[] = {{"r", "c", "b", "n"}};

  table.backoff.floor = Millis{1};
  CHECK(found(check(table)) == "idle_backoff");
  State at_client[] = {open("a"), ended("z")};
  at_client[0].step = Step::transfer;
  table.states = at_client;
  CHECK(found(check(table)) == "none");
  table.reasons = words;
  CHECK(found(check(table)) == "idle_reasons");
  table.backoff.floor = Millis{0};
  table.states = kTwo;
  CHECK(found(check(table)) == "none");
  for (const Effect effect : {Effect::note_added, Effect::reserve_credit, Effect::enter_book}) {
    table.add.effects = {effect};
    CHECK((found(check(table)) == "none") == (effect != Effect::enter_book));
  }
  table.request = kBook.request;
  CHECK(found(check(table)) == "none");
  table.add.effects = {Effect::spend_credit};
  CHECK(found(check(table)) == "idle_effect");
}

TEST_CASE("ambiguous_trigger: one state and one trigger have one row, wherever they lead") {
  const std::vector<State> states{open("a"), open("b"), ended("y"), ended("z")};
  const Move done_a = move("a", On::done, "z");
  const Move start = move("a", On::start, "b");
  const Move done_both{.from = {"b", "a"}, .on = On::done, .to = "y"};

  CHECK(found(states, {done_a, start, done_both}) == "ambiguous_trigger a");
  CHECK(found(states, {done_a, start, move("b", On::done, "y")}) == "none");
}

TEST_CASE("idle_move: a move goes somewhere else, also one of many that start together") {
  const std::vector<State> states{open("a"), open("b"), ended("z")};
  const Move start = move("a", On::start, "b");
  const Move done{.from = {"a", "b"}, .on = On::done, .to = "z"};

  CHECK(found(states, {start, done, {.from = {"a", "b"}, .on = On::requeue, .to = "a"}}) ==
        "idle_move a");
  CHECK(found(states, {start, done, move("b", On::requeue, "a", Bound::attempt)}) == "none");
}

TEST_CASE("exit_from_end: out of an ended state leads a user's retry and nothing else (C27)") {
  const auto out_of_end = [](On on, By by) {
    Move back = move("z", on, "a", Bound::human);
    back.by = by;
    return found({open("a"), ended("z", End::bad)}, {move("a", On::fail, "z"), back});
  };

  CHECK(out_of_end(On::retry, By::worker) == "exit_from_end z");
  CHECK(out_of_end(On::retry, By::system) == "exit_from_end z");
  CHECK(out_of_end(On::retry, By::timer) == "exit_from_end z");
  CHECK(out_of_end(On::requeue, By::user) == "exit_from_end z");
  CHECK(out_of_end(On::retry, By::user) == "none");
}

TEST_CASE("unbounded_loop: round and round needs one move that names its bound (hostile C29)") {
  const auto loop = [](Bound there, Bound back) {
    return found({open("a"), open("b"), ended("z")},
                 {move("a", On::skip, "z"), move("a", On::start, "b", there),
                  move("b", On::requeue, "a", back)});
  };

  CHECK(loop(Bound::none, Bound::none) == "unbounded_loop a");
  for (const Bound bound : {Bound::attempt, Bound::timer, Bound::human, Bound::shutdown}) {
    CHECK(loop(Bound::none, bound) == "none");
    CHECK(loop(bound, Bound::none) == "none");
  }
}

TEST_CASE("unbounded_loop: a bound elsewhere does not bound a second way round") {
  const std::vector<State> states{open("a"), open("b"), ended("z")};
  const Move skip = move("a", On::skip, "z");
  const Move start = move("a", On::start, "b");
  const Move bounded = move("b", On::requeue, "a", Bound::attempt);

  CHECK(found(states, {skip, start, bounded, move("b", On::lost, "a")}) == "unbounded_loop a");
  CHECK(found(states, {skip, start, bounded, move("b", On::lost, "a", Bound::attempt)}) == "none");
}

TEST_CASE("open_answer: an open state answers all four, an ended one none") {
  const auto leaves_open = [](Answer State::* answer) {
    State a = open("a");
    a.*answer = Answer{};
    return found({a, ended("z")}, {move("a", On::done, "z")});
  };

  CHECK(leaves_open(&State::on_fault) == "open_answer a");
  CHECK(leaves_open(&State::on_fail) == "open_answer a");
  CHECK(leaves_open(&State::on_lost) == "open_answer a");
  CHECK(leaves_open(&State::on_cancel) == "open_answer a");
  CHECK(check(kTwo, kOne) == Problem::none);
}

TEST_CASE("answer_without_move: an answer that names a state has a move there from here") {
  const auto answers_b = [](Answer State::* answer, On on) {
    State a = held("a");
    a.*answer = "b";
    Move there = cancel("a", on == On::done ? "z" : "b");
    there.on = on;
    return found({a, open("b"), ended("z")}, {move("a", On::fail, "z"), move("a", On::start, "b"),
                                              move("b", On::done, "z"), there});
  };

  for (const auto answer : {&State::on_fault, &State::on_fail, &State::on_lost, &State::on_cancel})
    CHECK(answers_b(answer, On::done) == "answer_without_move a");
  CHECK(answers_b(&State::on_fault, On::requeue) == "none");
  CHECK(answers_b(&State::on_fail, On::give_up) == "none");
  CHECK(answers_b(&State::on_lost, On::lost) == "none");
  CHECK(answers_b(&State::on_cancel, On::cancel) == "none");
}

TEST_CASE("answer_without_move: lost and cancel are answered by that very trigger") {
  const auto answers_z = [](Answer State::* answer, On on) {
    State a = open("a");
    a.*answer = "z";
    return found({a, ended("z")}, {move("a", on, "z")});
  };

  CHECK(answers_z(&State::on_lost, On::cancel) == "answer_without_move a");
  CHECK(answers_z(&State::on_cancel, On::lost) == "answer_without_move a");
}

TEST_CASE("answer_without_move: a fault is not answered by a move of a user or of progress") {
  const auto answers_b = [](Answer State::* answer, On on) {
    State a = open("a");
    a.*answer = "b";
    return found({a, open("b"), ended("z")}, {move("a", on, "b"), move("b", On::done, "z")});
  };

  for (const auto answer : {&State::on_fault, &State::on_fail}) {
    for (const On on : {On::fail, On::requeue, On::reject, On::give_up})
      CHECK(answers_b(answer, on) == "none");
    for (const On on : {On::cancel, On::lost, On::release, On::landed})
      CHECK(answers_b(answer, on) == "answer_without_move a");
  }
}

TEST_CASE("the six built-in tables pass at run time as they do when compiled") {
  CHECK(all_lifecycles().size() == 6);
  for (const Lifecycle* table : all_lifecycles())
    CHECK_MESSAGE(found(check(*table)) == "none", table->name);
}

TEST_CASE("every problem has a name of its own") {
  std::vector<std::string_view> names;
  for (int i = 0; name(static_cast<Problem>(i)) != "?"; ++i)
    names.push_back(name(static_cast<Problem>(i)));

  CHECK(names.size() == 28);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

}  // namespace
}  // namespace haul
