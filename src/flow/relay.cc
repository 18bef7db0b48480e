// Relay: sends a file from the disk into a chat. haul can neither undo a send nor ask whether it
// happened, so it writes an intent before the send and reads the intent first after a crash.

#include "base/json.h"
#include "base/plant.h"
#include "flow/judge.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kSend = "chat_send";

// Keeps the chat's answer as the result, and as JSON in the proof.
void acknowledge(Desk& desk, const Job& job, const std::string& ack) {
  const std::string proof = read_object(ack) ? ack : json_quoted(ack);
  desk.wish(job, {.wishes = {{.on = On::ack, .proof = {Proof::ack, proof}, .result = ack}}});
}

void send(Desk& desk, Held& held) {
  const auto before = desk.newest(held.job.seen.id, kSend);
  if (before && before->state == IntentState::done)
    return acknowledge(desk, held.job, before->outcome);  // It was sent; only the move was lost.
  if (before && before->state == IntentState::open) {
    held.intent = before->id;
    desk.settle(held, IntentState::unknown, "the worker was lost before the answer");
  }
  const bool unknown = before && before->state != IntentState::failed;
  if (unknown && desk.settings.on_unknown == OnUnknown::give_up)
    return desk.wish(held.job, {.wishes = {{.on = On::fail, .reason = "delivery_unknown"}}});
  const Parcel parcel{
      .job = held.job.seen.id, .fence = held.job.seen.fence, .request = held.request};
  if (planted(Plant::effect_before_intent)) desk.outside.chat.land(parcel, desk.inbox);
  if (!desk.begin(held, {.kind = kSend, .repeat = IntentClass::unknown}))
    return desk.drop(held.job.seen.id);
  if (!planted(Plant::effect_before_intent)) desk.outside.chat.land(parcel, desk.inbox);
}

// Runs a step once its move is granted, unless the job has left the desk by then.
Desk::Then then(Desk& desk, JobId id, void (*step)(Desk&, Held&)) {
  return [&desk, id, step](const Seen&) {
    if (const auto found = desk.held.find(id); found != desk.held.end()) step(desk, found->second);
  };
}

void download(Desk& desk, Held& held) { desk.outside.disk.start(desk.order(held), desk.inbox); }

void settle_failed(Desk& desk, Held& held, const Failed& failed) {
  desk.settle(held, failed.outcome_unknown ? IntentState::unknown : IntentState::failed,
              failed.fault.code);
}

}  // namespace

void relay(Desk& desk, Held& held) {
  const JobId id = held.job.seen.id;
  desk.wish(held.job, {.wishes = {{.on = On::start}}}, then(desk, id, download),
            [&desk, id](const Refusal& why) {
              const auto found = desk.held.find(id);
              if (found == desk.held.end()) return;
              if (why.kind != RefusalKind::guarded) return desk.drop(id);
              desk.wish(found->second.job,
                        {.wishes = {{.on = On::fail, .reason = why.code, .detail = why.detail}}});
            });
}

void see_relay(Desk& desk, Held& held, const What& what) {
  const JobId id = held.job.seen.id;
  const bool bytes_came =
      std::holds_alternative<Moving>(what) || std::holds_alternative<Finished>(what);
  if (const auto* failed = std::get_if<Failed>(&what)) {
    settle_failed(desk, held, *failed);
    desk.wish(held.job, judge_relay(held.job, failed->fault, desk.settings, desk.random.chance()));
  } else if (const auto* sent = std::get_if<Sent>(&what); sent && held.intent) {
    desk.settle(held, IntentState::done, sent->ack);
    acknowledge(desk, held.job, sent->ack);
  } else if (bytes_came && held.job.seen.state == "DOWNLOADING") {
    desk.wish(held.job, {.wishes = {{.on = On::stream}}}, then(desk, id, send));
  }
}

}  // namespace haul
