#pragma once
// The rules for a relay as pure functions: what a worker does with one, whether it sends the file,
// and what a failed try leads to (document 003).

#include <cstdint>
#include <optional>
#include <string>

#include "flow/relay/settings.h"
#include "flow/worker/verdict.h"
#include "seam/sight.h"
#include "store/intents.h"

namespace haul::flow {

// What a worker does next with a relay that it holds.
enum class RelayAct : std::uint8_t {
  none,
  start,   // Ask for the move that starts it.
  read,    // Tell the disk to read the file.
  stream,  // Ask for the move into the state that sends.
  send,    // Tell the chat to send the file.
};

// Whether the disk has read any bytes of the file.
enum class BytesRead : std::uint8_t { none, some };

// By the step of the job's state.
RelayAct judge_step(Step step, BytesRead bytes);

// The newest intents of a job when a worker gets it. An open send is one whose worker was lost.
struct EarlierSend {
  std::optional<Intent> send;
  std::optional<Intent> pause;
};

// What an earlier send means for the next one.
enum class SendStep : std::uint8_t {
  send,         // The chat has no earlier message.
  send_again,   // It may have one, and the settings or the user allow a second.
  acknowledge,  // It has the message. Only the move was lost.
  pause,        // It may have one. The user decides: a resume sends again.
  give_up,      // It may have one, so the job fails.
};

// The data of the intent of a pause by which haul asks the user whether to send again.
inline constexpr const char* kDeliveryUnknown = "delivery_unknown";

// Z-27. A resume of a relay that haul paused after the unknown outcome is the user's yes.
SendStep judge_send(const EarlierSend& earlier, OnUnknown on_unknown);

// The outcome of a send that ended because the disk broke off while the chat received the file.
inline constexpr const char* kSourceBroke = "source_broke";

// S3-15: after such a send the next try has the whole file before it opens another upload.
bool reads_whole_first(const EarlierSend& earlier);

enum class RelaySide : std::uint8_t { disk, chat };

struct FailedTry {
  const Failed& cause;                     // The failure that came first.
  RelaySide side = RelaySide::disk;        // Whose failure it is.
  IntentState send = IntentState::failed;  // Unknown if the chat may have the message.
  int waits = 0;                           // How often this worker has waited for the chat.
};

// What a failed try leads to.
enum class TryEnd : std::uint8_t {
  answer,   // What the table says about the failure.
  wait,     // The chat asked for a short wait. The job waits in its state and counts no attempt.
  release,  // haul itself held the send back. The job waits in the queue and counts no attempt.
  pause,
  give_up,
};

inline constexpr Millis kWaitInState{60'000};  // Z-12: the longest wait that stays in the state.
inline constexpr int kWaitsMax = 100;          // A chat that asks more often fails the try.

// The code of a send that haul held back, because the chat gets no more for now. The chat got no
// request.
inline constexpr const char* kChatTurn = "chat_turn";

// Z-12, Z-27.
TryEnd judge_failure(const FailedTry& failed, OnUnknown on_unknown);

// The fault that the table answers. Z-27: a send whose outcome is unknown always counts an attempt.
Fault fault_of(const FailedTry& failed);

// Z-27: a job that ends after such a send says so in the event of its end.
Verdict flag_unknown(Verdict verdict);

// What the intent of a send keeps, as JSON: the fingerprint of its file.
std::string send_data(const std::string& fingerprint);
std::string fingerprint_in(const std::string& send_data);

// The moves of a relay that the chat has, from the state it is in to the end. `ack` is the chat's
// answer. S3-22: if it names the file, haul keeps that name under the fingerprint.
Verdict judge_sent(const Job& job, const std::string& ack, const std::string& fingerprint = {});

// The store refused to start the relay. A guard's refusal fails the job (A3-1). Nothing for any
// other refusal: the worker gives the job back.
std::optional<Fault> judge_refusal(const Refusal& why);

}  // namespace haul::flow
