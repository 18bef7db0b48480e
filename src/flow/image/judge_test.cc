// Whether a worker pays for an image, asks for it or lands it (document 004, A4-13).

#include "flow/image/judge.h"

#include <doctest/doctest.h>

#include <utility>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using Act = CallVerdict::Act;

const PaidImage kPaid{"https://p/1", 5};

CallView last_call(IntentState state, const std::string& outcome = {}) {
  return {.step = Step::transfer,
          .handle = {},
          .last = Intent{.kind = "paid_call", .state = state, .outcome = outcome}};
}

}  // namespace

TEST_CASE("A4-13: a new call is paid if there was none, or none that delivered") {
  CHECK((judge_call({.step = Step::transfer}).act == Act::pay));
  for (const IntentState state : {IntentState::failed, IntentState::unknown})
    CHECK((judge_call(last_call(state)).act == Act::pay));
}

TEST_CASE("A4-13: an open call without a handle is in doubt; its lost worker is counted once") {
  CallView view = last_call(IntentState::open);
  view.last->data = call_data(1);
  for (const auto& [attempt, is_counted] : {std::pair{1, false}, {2, true}}) {
    view.attempt = attempt;
    CHECK((judge_call(view).act == Act::doubt));
    CHECK(judge_call(view).is_counted == is_counted);
  }
  view.last->data.clear();
  CHECK_FALSE(judge_call(view).is_counted);
}

TEST_CASE("promise 5: what a paid call delivered is landed, not paid for again") {
  const CallVerdict verdict = judge_call(last_call(IntentState::done, kPaid.to_json()));
  CHECK((verdict.act == Act::land));
  CHECK((verdict.image == kPaid));
}

TEST_CASE("A4-13: a call that has a handle is asked about, whatever became of it") {
  for (const IntentState state :
       {IntentState::open, IntentState::done, IntentState::failed, IntentState::unknown}) {
    CallView view = last_call(state);
    view.handle = "call-1";
    CHECK((judge_call(view).act == Act::ask));
  }
  CallView delivered = last_call(IntentState::done, kPaid.to_json());
  delivered.handle = "call-1";
  CHECK((judge_call(delivered).act == Act::land));
}

TEST_CASE("004: a worker has something to do in every leased state of an image, and in no other") {
  for (const State& state : kImage.states)
    CHECK((judge_call({.step = state.step}).act == Act::none) != state.is_leased());
}

TEST_CASE("what a call delivered is read back as it was written, and nothing else is") {
  const PaidImage odd{R"(https://p/"1"?a=\b)", 0};
  CHECK((read_paid_image(odd.to_json()) == odd));
  const PaidImage checked{"/staged/1", 5, R"({"height":2,"type":"png","width":1})"};
  CHECK((read_paid_image(checked.to_json()) == checked));
  for (const char* wrong : {"", "/originals/1.png", "{}", R"({"path":"x"})", R"({"size":5})",
                            R"({"path":"x","size":"big"})", R"({"path":"x","size":1.5})", R"([1])"})
    CHECK_FALSE(read_paid_image(wrong).has_value());
}

}  // namespace haul::flow
