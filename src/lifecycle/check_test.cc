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
  return {.name = name,
          .on_fault = kStay,
          .on_fail = kRefused,
          .on_lost = kStay,
          .on_cancel = kRefused};
}

constexpr State ended(std::string_view name, End end = End::good) {
  return {.name = name, .end = end};
}

constexpr Move move(std::string_view from, On on, std::string_view to, Bound bound = Bound::none) {
  return {.from = {from}, .on = on, .to = to, .terms = {.bound = bound}};
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
  CHECK(found({asks_for_help, z, ended("help")},
              {move("a", On::done, "z"), move("a", On::cancel, "help")}) == "none");
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
    State a = open("a");
    a.leased = leased;
    a.on_lost = on_lost;
    return found({a, ended("z")}, {move("a", On::done, "z"), move("a", On::lost, "z")});
  };

  CHECK(with(Leased::yes, kStay) == "stranded_lease a");
  CHECK(with(Leased::yes, kRefused) == "stranded_lease a");
  CHECK(with(Leased::yes, kAdopt) == "none");
  CHECK(with(Leased::yes, "z") == "none");
  CHECK(with(Leased::no, kStay) == "none");
}

TEST_CASE("stranded_lease: a last loss needs an on_fail to go to; an unlimited loss needs none") {
  const auto with = [](Answer on_lost, Answer on_fail, ShortList<Guard, 4> guards, int most) {
    State a = open("a");
    a.leased = Leased::yes;
    a.on_lost = on_lost;
    a.on_fail = on_fail;
    const State states[] = {a, open("b"), ended("z")};
    Move lost = move("a", On::lost, "b");
    lost.terms.guards = guards;
    const Move moves[] = {move("a", On::fail, "z"), lost, move("b", On::done, "z")};
    return found(
        check(Lifecycle{.name = "test", .states = states, .moves = moves, .attempts_max = most}));
  };
  const ShortList<Guard, 4> bounded{Guard::attempt_left};

  CHECK(with(kAdopt, kRefused, {}, 3) == "stranded_lease a");
  CHECK(with(kAdopt, "z", {}, 3) == "none");
  CHECK(with(kAdopt, kRefused, {}, 0) == "none");
  CHECK(with("b", kRefused, bounded, 3) == "stranded_lease a");
  CHECK(with("b", "z", bounded, 3) == "none");
  CHECK(with("b", kRefused, {}, 3) == "none");
}

TEST_CASE("too_many_takeable: workers take jobs out of six states, claimed or leased; not of 7") {
  const std::vector<std::string_view> names{"a", "b", "c", "d", "e", "f", "g"};
  const auto chain = [&](On first, std::size_t length) {
    std::vector<State> states;
    std::vector<Move> moves;
    for (std::size_t i = 0; i < length; ++i) {
      State state = open(names[i]);
      const bool is_claimed = i == 0 && first == On::claim;
      state.leased = is_claimed ? Leased::no : Leased::yes;
      state.on_lost = kAdopt;
      states.push_back(state);
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
    State a = open("a");
    a.step = step;
    a.leased = leased;
    a.on_lost = kAdopt;
    a.on_fault = step == Step::wait ? kNever : kStay;
    const State states[] = {a, ended("z")};
    const Move moves[] = {move("a", On::done, "z")};
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
  const auto answers_z = [](Answer State::* answer, On on) {
    State a = open("a");
    a.*answer = "z";
    return found({a, open("b"), ended("y"), ended("z")},
                 {move("a", On::skip, "y"), move("a", On::start, "b"), move("b", On::done, "z"),
                  move("a", on, on == On::done ? "y" : "z")});
  };

  for (const auto answer : {&State::on_fault, &State::on_fail, &State::on_lost, &State::on_cancel})
    CHECK(answers_z(answer, On::done) == "answer_without_move a");
  CHECK(answers_z(&State::on_fault, On::requeue) == "none");
  CHECK(answers_z(&State::on_fail, On::give_up) == "none");
  CHECK(answers_z(&State::on_lost, On::lost) == "none");
  CHECK(answers_z(&State::on_cancel, On::cancel) == "none");
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
  const auto answers_z = [](Answer State::* answer, On on) {
    State a = open("a");
    a.*answer = "z";
    return found({a, ended("z")}, {move("a", on, "z")});
  };

  for (const auto answer : {&State::on_fault, &State::on_fail}) {
    for (const On on : {On::fail, On::requeue, On::reject, On::give_up})
      CHECK(answers_z(answer, on) == "none");
    for (const On on : {On::cancel, On::lost, On::release, On::landed})
      CHECK(answers_z(answer, on) == "answer_without_move a");
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

  CHECK(names.size() == 18);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

}  // namespace
}  // namespace haul
