#include "flow/relay/judge.h"

#include <fmt/core.h>

#include "base/json.h"
#include "base/utf8.h"
#include "lifecycle/request.h"

namespace haul::flow {
namespace {

constexpr std::size_t kFileNameMax = 1'000;  // Of a chat's server. They have about 100 bytes.

// No confirmed pause follows the open send, so its outcome became unknown with this worker. A pause
// that the user asked for has no data.
bool is_confirmed(const Intent& send, const std::optional<Intent>& pause) {
  return send.state == IntentState::unknown && pause && pause->state == IntentState::done &&
         pause->id > send.id && pause->data == kDeliveryUnknown;
}

std::string text_in(const std::string& object, std::string_view name) {
  const auto fields = read_object(object);
  const JsonField* field = fields ? find_field(*fields, name) : nullptr;
  return field ? field->text : std::string{};
}

}  // namespace

RelayAct judge_step(Step step, BytesRead bytes) {
  const bool has_bytes = bytes == BytesRead::some;
  switch (step) {
    case Step::plan:
      return RelayAct::start;
    case Step::transfer:
      return has_bytes ? RelayAct::stream : RelayAct::read;
    case Step::land:
      return has_bytes ? RelayAct::send : RelayAct::read;
    case Step::none:
    case Step::claim:
    case Step::verify:
    case Step::wait:
      break;
  }
  return RelayAct::none;
}

SendStep judge_send(const EarlierSend& earlier, OnUnknown on_unknown) {
  const std::optional<Intent>& send = earlier.send;
  if (!send || send->state == IntentState::failed) return SendStep::send;
  if (send->state == IntentState::done) return SendStep::acknowledge;
  switch (on_unknown) {
    case OnUnknown::resend:
      return SendStep::send_again;
    case OnUnknown::pause:
      return is_confirmed(*send, earlier.pause) ? SendStep::send_again : SendStep::pause;
    case OnUnknown::give_up:
      break;
  }
  return SendStep::give_up;
}

bool reads_whole_first(const EarlierSend& earlier) {
  return earlier.send && earlier.send->state != IntentState::done &&
         earlier.send->outcome == kSourceBroke;
}

TryEnd judge_failure(const FailedTry& failed, OnUnknown on_unknown) {
  const bool is_unknown = failed.send == IntentState::unknown;
  if (is_unknown && on_unknown == OnUnknown::pause) return TryEnd::pause;
  if (is_unknown && on_unknown == OnUnknown::give_up) return TryEnd::give_up;
  const Millis wait{failed.cause.wait_ms};
  const bool asks_to_wait = failed.side == RelaySide::chat && wait > Millis{0} &&
                            failed.cause.fault.kind == FaultKind::retryable;
  if (is_unknown || !asks_to_wait) return TryEnd::answer;
  if (wait <= kWaitInState && failed.waits < kWaitsMax) return TryEnd::wait;
  return failed.cause.fault.code == kChatTurn ? TryEnd::release : TryEnd::answer;
}

Fault fault_of(const FailedTry& failed) {
  Fault fault = failed.cause.fault;
  const bool is_unknown = failed.send == IntentState::unknown;
  const bool may_help = failed.side == RelaySide::chat || fault.kind == FaultKind::environment;
  if (is_unknown && may_help) fault.kind = FaultKind::retryable;
  return fault;
}

Verdict flag_unknown(Verdict verdict) {
  for (WantedMove& move : verdict.moves) {
    if (move.on != On::fail) continue;
    move.detail = fmt::format("the message may have arrived ({}: {})", move.reason, move.detail);
    move.reason = kDeliveryUnknown;
  }
  return verdict;
}

std::string send_data(const std::string& fingerprint) {
  if (fingerprint.empty()) return {};
  return fmt::format(R"({{"fingerprint":{}}})", json_quoted(fingerprint));
}

std::string fingerprint_in(const std::string& send_data) {
  return text_in(send_data, "fingerprint");
}

Verdict judge_sent(const Job& job, const std::string& ack, const std::string& fingerprint) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  Verdict verdict;
  std::string_view state = job.version.state;
  for (const On on : {On::start, On::stream})
    if (const Move* move = lifecycle.find(state, on)) {
      verdict.moves.push_back({.on = on});
      state = move->to;
    }
  const std::string proof = read_object(ack) ? ack : json_quoted(ack);  // A proof is JSON.
  verdict.moves.push_back({.on = On::ack, .proof = {Proof::ack, proof}, .result = ack});
  const std::string file = text_in(ack, "file_id");
  const bool is_name = !file.empty() && file.size() <= kFileNameMax && !has_control(file);
  const bool is_named = !fingerprint.empty() && is_name;
  if (is_named) verdict.moves.back().delivery = DeliveryFacts{fingerprint, file};
  return verdict;
}

std::optional<Fault> judge_refusal(const Refusal& why) {
  if (why.kind != RefusalKind::guarded) return std::nullopt;
  const bool is_spent = why.code == "attempts_spent";
  return Fault{FaultKind::permanent, is_spent ? "attempts_exhausted" : why.code, why.detail};
}

}  // namespace haul::flow
