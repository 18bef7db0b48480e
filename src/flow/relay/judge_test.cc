// What a worker does with a relay, and what becomes of a send (document 003, Z-12, Z-27).

#include "flow/relay/judge.h"

#include <doctest/doctest.h>

#include <string>

#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

using namespace std::chrono_literals;

constexpr OnUnknown kPolicies[] = {OnUnknown::resend, OnUnknown::pause, OnUnknown::give_up};

Intent intent(std::int64_t id, IntentState state) { return {.id = IntentId{id}, .state = state}; }

// The decision about a job whose newest send has id 5.
SendStep after(IntentState send, OnUnknown policy, std::optional<Intent> pause = {}) {
  return judge_send({.send = intent(5, send), .pause = std::move(pause)}, policy);
}

Failed failed(FaultKind kind, Millis wait = 0ms) {
  Failed what{.fault = {kind, "code", ""}};
  what.wait_ms = wait.count();
  return what;
}

// The end of a try that the chat let fail, with nothing sent.
TryEnd ended(const Failed& cause, int waits = 0) {
  return judge_failure({.cause = cause, .side = RelaySide::chat, .waits = waits},
                       OnUnknown::resend);
}

TryEnd ended_unknown(OnUnknown policy, Millis wait = 0ms) {
  const Failed cause = failed(FaultKind::retryable, wait);
  return judge_failure({.cause = cause, .side = RelaySide::chat, .send = IntentState::unknown},
                       policy);
}

std::string moves_of(std::string_view state) {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &kRelay, .state = kRelay.find(state)->name};
  std::string text;
  for (const WantedMove& move : judge_sent(job, R"({"message_id":7})").moves)
    text += (text.empty() ? "" : " > ") + std::string{name(move.on)} + move.result;
  return text;
}

}  // namespace

TEST_CASE("003: the step of a relay's state says what its worker does") {
  CHECK((judge_step(Step::plan, BytesRead::none) == RelayAct::start));
  CHECK((judge_step(Step::transfer, BytesRead::none) == RelayAct::read));
  CHECK((judge_step(Step::transfer, BytesRead::some) == RelayAct::stream));
  CHECK((judge_step(Step::land, BytesRead::none) == RelayAct::read));
  CHECK((judge_step(Step::land, BytesRead::some) == RelayAct::send));
  for (const Step other : {Step::none, Step::claim, Step::verify, Step::wait})
    for (const BytesRead bytes : {BytesRead::none, BytesRead::some})
      CHECK((judge_step(other, bytes) == RelayAct::none));
}

TEST_CASE("003: a worker has something to do in every leased state of a relay") {
  for (const State& state : kRelay.states)
    if (state.is_leased()) CHECK((judge_step(state.step, BytesRead::none) != RelayAct::none));
}

TEST_CASE("promise 5: a relay that was never sent, or is known not to have arrived, is sent") {
  for (const OnUnknown policy : kPolicies) {
    CHECK((judge_send({}, policy) == SendStep::send));
    CHECK((after(IntentState::failed, policy) == SendStep::send));
  }
}

TEST_CASE("promise 5: a relay that the chat has is never sent again") {
  for (const OnUnknown policy : kPolicies)
    CHECK((after(IntentState::done, policy) == SendStep::acknowledge));
}

TEST_CASE("Z-27: a send that may have arrived is repeated, paused or given up, as the setting is") {
  for (const IntentState state : {IntentState::open, IntentState::unknown}) {
    CHECK((after(state, OnUnknown::resend) == SendStep::send_again));
    CHECK((after(state, OnUnknown::pause) == SendStep::pause));
    CHECK((after(state, OnUnknown::give_up) == SendStep::give_up));
  }
}

TEST_CASE("Z-27: only a pause after the unknown send, granted and resumed, is the user's yes") {
  const auto question = [](std::int64_t id, IntentState state) {
    Intent pause = intent(id, state);
    pause.data = "delivery_unknown";
    return pause;
  };
  const auto paused = [&](std::int64_t id, IntentState pause) {
    return after(IntentState::unknown, OnUnknown::pause, question(id, pause));
  };
  CHECK((paused(6, IntentState::done) == SendStep::send_again));
  CHECK((paused(4, IntentState::done) == SendStep::pause));
  CHECK((paused(6, IntentState::failed) == SendStep::pause));
  CHECK((after(IntentState::open, OnUnknown::pause, question(6, IntentState::done)) ==
         SendStep::pause));
  CHECK((after(IntentState::unknown, OnUnknown::give_up, question(6, IntentState::done)) ==
         SendStep::give_up));
}

TEST_CASE("Z-27: a pause that the user asked for is no answer to haul's question") {
  CHECK((after(IntentState::unknown, OnUnknown::pause, intent(6, IntentState::done)) ==
         SendStep::pause));
}

TEST_CASE("Z-12: a wait of 60 s that the chat asks for stays in the state, a longer one does not") {
  CHECK((ended(failed(FaultKind::retryable)) == TryEnd::answer));
  CHECK((ended(failed(FaultKind::retryable, 1ms)) == TryEnd::wait));
  CHECK((ended(failed(FaultKind::retryable, 60s)) == TryEnd::wait));
  CHECK((ended(failed(FaultKind::retryable, 60'001ms)) == TryEnd::answer));
}

TEST_CASE("Z-12: only the chat, and only with a fault that may pass, makes a relay wait") {
  for (const FaultKind kind :
       {FaultKind::permanent, FaultKind::rejected, FaultKind::environment, FaultKind::cancelled})
    CHECK((ended(failed(kind, 5s)) == TryEnd::answer));
  const Failed busy = failed(FaultKind::retryable, 5s);
  CHECK((judge_failure({.cause = busy}, OnUnknown::resend) == TryEnd::answer));
}

TEST_CASE("a chat that asks for a wait for the 101st time fails the try") {
  CHECK((ended(failed(FaultKind::retryable, 5s), 99) == TryEnd::wait));
  CHECK((ended(failed(FaultKind::retryable, 5s), 100) == TryEnd::answer));
}

TEST_CASE("Z-12: a send that haul held back never counts an attempt") {
  Failed cause = failed(FaultKind::retryable, 60s);
  cause.fault.code = "chat_turn";
  CHECK((ended(cause) == TryEnd::wait));
  CHECK((ended(cause, 100) == TryEnd::release));
  cause.wait_ms = 60'001;
  CHECK((ended(cause) == TryEnd::release));
}

TEST_CASE("Z-27: an unknown outcome counts an attempt, pauses or gives up, as the setting is") {
  CHECK((ended_unknown(OnUnknown::resend) == TryEnd::answer));
  CHECK((ended_unknown(OnUnknown::resend, 5s) == TryEnd::answer));
  CHECK((ended_unknown(OnUnknown::pause) == TryEnd::pause));
  CHECK((ended_unknown(OnUnknown::give_up) == TryEnd::give_up));
}

TEST_CASE("Z-27: a fault of a send with an unknown outcome always counts an attempt") {
  const auto kind = [](FaultKind fault, RelaySide side, IntentState send) {
    const Failed cause = failed(fault);
    return fault_of({.cause = cause, .side = side, .send = send}).kind;
  };
  for (const FaultKind fault :
       {FaultKind::retryable, FaultKind::permanent, FaultKind::rejected, FaultKind::environment}) {
    CHECK((kind(fault, RelaySide::chat, IntentState::unknown) == FaultKind::retryable));
    CHECK((kind(fault, RelaySide::chat, IntentState::failed) == fault));
    CHECK((kind(fault, RelaySide::disk, IntentState::failed) == fault));
  }
  CHECK((kind(FaultKind::environment, RelaySide::disk, IntentState::unknown) ==
         FaultKind::retryable));
  CHECK(
      (kind(FaultKind::permanent, RelaySide::disk, IntentState::unknown) == FaultKind::permanent));
}

TEST_CASE("promise 5: what the chat has goes to DELIVERED from each state, without a jump") {
  CHECK(moves_of("CLAIMED") == R"(start > stream > ack{"message_id":7})");
  CHECK(moves_of("DOWNLOADING") == R"(stream > ack{"message_id":7})");
  CHECK(moves_of("STREAMING") == R"(ack{"message_id":7})");
}

TEST_CASE("S3-13: an answer of the chat that is no JSON object is quoted in the proof") {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &kRelay, .state = "STREAMING"};
  CHECK(judge_sent(job, "ok 7").moves.at(0).proof.data == R"("ok 7")");
  CHECK(judge_sent(job, R"({"message_id":7})").moves.at(0).proof.data == R"({"message_id":7})");
}

TEST_CASE("S3-13: Telegram's name of the file is kept only if the store can keep it") {
  Job job;
  job.version = {.id = JobId{1}, .lifecycle = &kRelay, .state = "STREAMING"};
  const auto kept = [&](const std::string& file_id) {
    const std::string ack = R"({"message_id":7,"file_id":")" + file_id + "\"}";
    const Verdict verdict = judge_sent(job, ack, "fingerprint");
    return verdict.moves.at(0).on == On::ack && verdict.moves.at(0).delivery.has_value();
  };
  CHECK(kept("a"));
  CHECK(kept(std::string(1'000, 'a')));
  CHECK_FALSE(kept(std::string(1'001, 'a')));
  CHECK_FALSE(kept(""));
  CHECK_FALSE(kept("\\u0000abc"));
  CHECK_FALSE(kept("a\\nb"));
}

TEST_CASE("A3-1: a guard that refuses the start fails the relay under the document's reason") {
  const auto reason = [](RefusalKind kind, const std::string& code) {
    const auto fault = judge_refusal({kind, code, "why", ""});
    return fault ? fault->code : std::string{"none"};
  };
  CHECK(reason(RefusalKind::guarded, "user_inactive") == "user_inactive");
  CHECK(reason(RefusalKind::guarded, "attempts_spent") == "attempts_exhausted");
  CHECK(reason(RefusalKind::stale, "stale") == "none");
  CHECK(reason(RefusalKind::forbidden, "no_such_move") == "none");
}

TEST_CASE("S3-15: after a send that the disk broke off the file is read whole first") {
  const auto earlier = [](IntentState state, const char* outcome) {
    return flow::EarlierSend{
        .send = Intent{.kind = "chat_send", .state = state, .data = "", .outcome = outcome},
        .pause = {}};
  };
  CHECK(flow::reads_whole_first(earlier(IntentState::failed, "source_broke")));
  CHECK(flow::reads_whole_first(earlier(IntentState::unknown, "source_broke")));
  CHECK_FALSE(flow::reads_whole_first(earlier(IntentState::failed, "connection_lost")));
  CHECK_FALSE(flow::reads_whole_first({}));
}

}  // namespace haul::flow
