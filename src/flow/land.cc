// Media: imports the file into the library, lets the media server verify it, then cleans the
// source.

#include "base/json.h"
#include "base/plant.h"
#include "flow/judge.h"
#include "flow/restored.h"
#include "flow/verbs.h"

namespace haul {
namespace {

constexpr const char* kClean = "clean";

Parcel parcel(const Held& held) {
  return {.job = held.job.seen.id,
          .fence = held.job.seen.fence,
          .request = held.request,
          .path = held.job.result,
          .size = held.landing.size};
}

void see_landed(Desk& desk, Held& held, const Landed& landed) {
  const JobId id = held.job.seen.id;
  held.landing = {id, landed.path, landed.size};
  const AssetFacts asset{.media_type = "video", .path = landed.path, .size = landed.size};
  desk.wish(
      held.job,
      {.wishes = {{.on = On::landed, .proof = {Proof::evidence, landed.evidence}, .asset = asset}}},
      [&desk, id](const Seen&) {
        if (const auto found = desk.held.find(id); found != desk.held.end())
          prove(desk, found->second);
      });
}

// Reads from the catalog what landed, if an earlier worker landed it.
void recall_landing(Desk& desk, Held& held) {
  if (!held.landing.path.empty()) return;
  for (const Asset& asset : desk.store.catalog().assets_of(held.job.seen.id))
    held.landing = {held.job.seen.id, asset.path, asset.size.value_or(0)};
}

}  // namespace

void land(Desk& desk, Held& held) { desk.outside.library.land(parcel(held), desk.inbox); }

void prove(Desk& desk, Held& held) {
  if (!desk.settings.clean_source)
    return desk.wish(held.job, {.wishes = {{.on = On::unneeded, .reason = "disabled"}}});
  recall_landing(desk, held);
  desk.outside.library.verify(parcel(held), desk.inbox);
}

void clean(Desk& desk, Held& held, const Receipt& receipt) {
  held.receipt = receipt.to_json();
  if (!desk.begin(held, {.kind = kClean, .repeat = IntentClass::keyed, .data = held.receipt}) &&
      !planted(Plant::clean_without_lease))
    return desk.drop(held.job.seen.id);
  desk.outside.library.clean(parcel(held), desk.inbox);
}

void see_media(Desk& desk, Held& held, const What& what) {
  if (const auto* landed = std::get_if<Landed>(&what)) {
    if (held.job.seen.state == "completed") see_landed(desk, held, *landed);
  } else if (const auto* indexed = std::get_if<Indexed>(&what)) {
    const auto receipt = verify(held.landing, *indexed);
    if (!receipt)
      desk.release(held.job, "not_proven", desk.settings.verify_every);
    else if (desk.is_restored())
      desk.release(held.job, std::string{kRestored}, desk.settings.verify_every);
    else
      clean(desk, held, *receipt);
  } else if (std::holds_alternative<NotIndexed>(what)) {
    desk.release(held.job, "not_indexed", desk.settings.verify_every);
  } else if (const auto* unseen = std::get_if<Unseen>(&what)) {
    desk.release(held.job, unseen->code, desk.settings.verify_every);
  } else if (const auto* cleaned = std::get_if<Cleaned>(&what); cleaned && held.intent) {
    desk.settle(held, IntentState::done, cleaned->outcome);
    desk.wish(held.job, {.wishes = {{.on = On::verified,
                                     .reason = cleaned->outcome,
                                     .proof = {Proof::receipt, held.receipt}}}});
  } else if (const auto* failed = std::get_if<Failed>(&what)) {
    desk.settle(held, IntentState::failed, failed->fault.code);
    desk.wish(held.job, judge_media(held.job, failed->fault, desk.settings, desk.random.chance()));
  }
}

}  // namespace haul
