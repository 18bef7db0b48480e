// Image: one paid call. haul stores the provider's handle for the call as soon as it is known, so
// that a later worker asks for the result instead of paying again.

#include <fmt/core.h>

#include "base/json.h"
#include "flow/judge.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kCall = "paid_call";

void pay(Desk& desk, Held& held) {
  if (!desk.begin(held, {.kind = kCall, .repeat = IntentClass::probe}))
    return desk.drop(held.job.seen.id);
  desk.outside.images.start(desk.order(held), desk.inbox);
}

// The call itself failed. If its outcome is known, forgets its handle, so that the next try is a
// new call.
void end_call(Desk& desk, Held& held, const Failed& failed) {
  const auto state = failed.outcome_unknown ? IntentState::unknown : IntentState::failed;
  desk.settle(held, state, failed.fault.code);
  if (held.job.handle.empty() || failed.outcome_unknown) return;
  desk.note(held.job, {.handle = ""});
  held.job.handle.clear();
}

// If only the bucket fails, nothing is paid twice: the next worker asks for the call by its handle
// and lands the image again.
void fail(Desk& desk, Held& held, const Failed& failed) {
  if (!held.delivered) end_call(desk, held, failed);
  desk.wish(held.job, judge_image(held.job, failed.fault, desk.settings, desk.random.chance()));
}

void keep(Desk& desk, Held& held, const Landed& landed) {
  desk.settle(held, IntentState::done, landed.path);
  const AssetFacts asset{.media_type = "image", .path = landed.path, .size = landed.size};
  const std::string url = fmt::format("/api/v1/jobs/{}/result", held.job.seen.id.value);
  desk.wish(held.job, {.wishes = {{.on = On::landed,
                                   .proof = {Proof::evidence, landed.evidence},
                                   .asset = asset,
                                   .result = url}}});
}

}  // namespace

void generate(Desk& desk, Held& held) {
  const auto before = desk.newest(held.job.seen.id, kCall);
  if (before && before->state == IntentState::open) held.intent = before->id;
  if (!held.job.handle.empty()) {  // A4-13: ask by the stored handle.
    const Order order = desk.order(held);
    held.asked_by_name = true;
    return desk.outside.images.look({&order, 1}, desk.inbox);
  }
  if (held.intent)
    desk.settle(held, IntentState::unknown, "the worker was lost before the provider answered");
  pay(desk, held);
}

void see_image(Desk& desk, Held& held, const What& what) {
  if (const auto* accepted = std::get_if<Accepted>(&what)) {
    held.job.handle = accepted->handle;
    desk.note(held.job, {.handle = accepted->handle});
  } else if (const auto* finished = std::get_if<Finished>(&what)) {
    held.delivered = true;
    desk.outside.bucket.land({.job = held.job.seen.id,
                              .fence = held.job.seen.fence,
                              .request = held.request,
                              .path = finished->path,
                              .size = finished->size},
                             desk.inbox);
  } else if (const auto* landed = std::get_if<Landed>(&what)) {
    keep(desk, held, *landed);
  } else if (const auto* failed = std::get_if<Failed>(&what)) {
    fail(desk, held, *failed);
  } else if (std::holds_alternative<Missing>(what)) {
    fail(desk, held,
         {.fault = {FaultKind::retryable, "provider_forgot", "the provider has no such call"}});
  } else if (const auto* unseen = std::get_if<Unseen>(&what)) {
    desk.release(held.job, unseen->code, desk.settings.environment_wait);
  } else if (held.asked_by_name) {  // The provider is not done: ask again later.
    desk.release(held.job, "at_work", desk.settings.poll);
  }
}

}  // namespace haul
