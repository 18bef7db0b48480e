#include "flow/media/media.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "flow/client/client_jobs.h"
#include "flow/media/cleaning.h"
#include "flow/media/judge.h"
#include "flow/media/source_end.h"
#include "flow/worker/answer.h"
#include "flow/worker/by_hand_json.h"
#include "flow/worker/restored.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr double kEven = 0.5;  // Waits are regular: no jitter.
constexpr std::size_t kPage = 1'000;
constexpr std::size_t kFilesMax = 4'000;  // The store takes the list in one transaction.
constexpr std::string_view kTooLate =
    R"({"message":"what was said by hand came too late: the files are in the library",)"
    R"("level":"warning"})";

// A film goes through these steps. Each is stored before the next begins, so that a worker that
// takes over begins again with the step that is not stored:
// in `completed`: the client lists its files (manifest), the library imports them (`imported`);
// in `imported`: the media server lists them (receipt), the client lets go of the transfer, the
// library removes the sources (an intent, then each file), and the film is `cleaned`.
class MediaHandler final : public Handler {
 public:
  MediaHandler(Desk& desk, RemoteEngine& client, Sink& library, const MediaSettings& settings)
      : desk_{desk},
        client_{client},
        library_{library},
        settings_{settings},
        cleaning_{desk, library},
        jobs_{desk, client, kMedia} {}

  const Lifecycle& lifecycle() const override { return kMedia; }
  ClientWork* client_work() override { return &jobs_; }

  void begin(Held& held) override {
    held.own = std::make_unique<Importing>();
    go_on(held);
  }

  void again(Held& held) override { go_on(held); }

  // A sight that answers nothing that goes on is late: haul asks again anyway.
  void see(Held& held, Sight& sight) override {
    switch (importing(held).doing) {
      case Doing::nothing:
        return;
      case Doing::listing:
        return see_list(held, sight.what);
      case Doing::landing:
        return see_land(held, sight.what);
      case Doing::proving:
        return see_proof(held, sight.what);
      case Doing::releasing:
        return see_release(held, sight.what);
      case Doing::cleaning:
        return see_clean(held, sight.what);
    }
  }

  // What the client does for a film only reads, or may be repeated. It is left alone.
  void stop(Held& held, Leftovers) override {
    if (held.own && importing(held).is_in_library()) library_.stop(parcel_of(held), desk_.inbox);
  }

  bool is_at_rest(const Held& held) const override { return !importing(held).is_in_library(); }

  std::vector<Awaited> awaited(const Held& held) const override {
    if (importing(held).doing == Doing::nothing) return {};
    return {{.heard = held.heard}};
  }

 private:
  void go_on(Held& held) {
    switch (judge_import(held.job.state().step)) {
      case ImportAct::land:
        return list_or_land(held);
      case ImportAct::prove:
        return prove(held);
      case ImportAct::none:
        return desk_.drop(held.job.version.id);
    }
  }

  // Reads what a user said by hand. What comes while the library imports the files counts for the
  // next try; if there is none, it is too late.
  void hear_user(Held& held) {
    Intents& intents = desk_.store.intents();
    const auto said = intents.newest(held.job.version.id, kImportIntent);
    if (!said) return;
    importing(held).by_hand = read_by_hand(said->data);
    if (said->state != IntentState::open) return;
    const bool is_late = held.job.state().step != Step::land;
    if (is_late) desk_.store.events().note(held.job.version.id, "LOG", kTooLate, desk_.now());
    intents.settle(said->id, is_late ? IntentState::failed : IntentState::done,
                   is_late ? "too_late" : "read", desk_.now());
  }

  void list_or_land(Held& held) {
    hear_user(held);
    const Importing& state = importing(held);
    if (state.sources.empty()) recall_sources(held);
    if (state.sources.empty() && !planted(PlantedBug::manifest_after_import)) return list(held);
    land(held);
  }

  // Reads what an earlier worker has listed.
  void recall_sources(Held& held) {
    const std::vector<ManifestFile> files = manifest_of(desk_.store, held.job.version.id);
    if (!is_listed({.has_files = !files.empty(), .retries = held.job.retries})) return;
    for (const ManifestFile& file : files) importing(held).sources.push_back(source_of(file.entry));
  }

  void list(Held& held) {
    importing(held).doing = Doing::listing;
    client_.list(desk_.order(held), desk_.inbox);
  }

  void see_list(Held& held, const What& what) {
    if (const auto* listed = std::get_if<Listed>(&what))
      see_listed(held, *listed);
    else if (std::holds_alternative<Missing>(what))
      see_missing(held);
    else if (const auto* unseen = std::get_if<Unseen>(&what))
      wait(held, unseen->code);
    else if (const auto* failed = std::get_if<Failed>(&what))
      see_failed(held, *failed);
  }

  // The manifest has every file before the library touches one (Z-4).
  void see_listed(Held& held, const Listed& listed) {
    Importing& state = importing(held);
    state.doing = Doing::nothing;
    if (held.stopping) return;
    if (listed.files.empty())
      return see_failed(
          held, {.fault = {FaultKind::environment, "no_files", "the client lists no file"}});
    if (listed.files.size() > kFilesMax)
      return see_failed(held, {.fault = {FaultKind::permanent, "too_many_files",
                                         fmt::format("it has {} files; haul imports at most {}",
                                                     listed.files.size(), kFilesMax)}});
    const auto written =
        desk_.store.manifest().list(desk_.hold(held.job), entries_of(listed.files));
    if (!written) return desk_.give_back(held.job, written.error());
    state.sources = listed.files;
    state.missing_since.reset();
    if (planted(PlantedBug::manifest_after_import) && held.job.state().step == Step::verify)
      return ask_for_proof(held);
    hear_user(held);  // The list took its time.
    land(held);
  }

  void see_missing(Held& held) {
    Importing& state = importing(held);
    state.doing = Doing::nothing;
    if (held.stopping) return;
    const Steady now = desk_.clock.steady();
    if (!state.missing_since) state.missing_since = now;
    switch (judge_missing_transfer(now - *state.missing_since, desk_.settings)) {
      case OnMissing::wait:
        return desk_.wait(held, "missing_in_client", desk_.settings.poll);
      case OnMissing::fail:
        return desk_.ask(held.job,
                         answer_final(held.job, {FaultKind::permanent, "missing_external_job",
                                                 "the client does not know it any more"}));
    }
  }

  void land(Held& held) {
    importing(held).doing = Doing::landing;
    library_.land(parcel_of(held), desk_.inbox);
  }

  void see_land(Held& held, const What& what) {
    if (const auto* landed = std::get_if<Landed>(&what))
      see_landed(held, *landed);
    else
      see_end(held, what);
  }

  void see_landed(Held& held, const Landed& landed) {
    Importing& state = importing(held);
    const JobId id = held.job.version.id;
    if (landed.files.empty())
      return see_failed(
          held, {.fault = {FaultKind::retryable, "nothing_landed", "the library named no file"}});
    state.doing = Doing::nothing;
    if (landed.told.empty()) return wait(held, "server_not_told");
    state.setbacks = 0;
    state.landing = {id, landed.files};
    state.evidence = landed.evidence;
    std::vector<AssetFacts> assets;
    assets.reserve(landed.files.size());
    for (const PlacedFile& file : landed.files)
      assets.push_back({.media_type = "video", .path = file.path, .size = file.size});
    desk_.ask(held.job,
              {.moves = {{.on = On::landed,
                          .holds = {Guard::import_durable, Guard::server_told},
                          .proof = {Proof::evidence, landed.evidence},
                          .assets = std::move(assets)}}},
              [this, id](const JobVersion&) {
                const auto found = desk_.held.find(id);
                if (found != desk_.held.end() && !found->second.stopping) prove(found->second);
              });
  }

  void prove(Held& held) {
    hear_user(held);
    if (!settings_.clean_source)
      return desk_.ask(held.job, {.moves = {{.on = On::unneeded,
                                             .reason = "disabled",
                                             .holds = {Guard::cleanup_disabled}}}});
    if (planted(PlantedBug::manifest_after_import) && importing(held).sources.empty())
      return list(held);
    ask_for_proof(held);
  }

  void ask_for_proof(Held& held) {
    recall_landing(held);
    importing(held).doing = Doing::proving;
    Parcel parcel = parcel_of(held);
    parcel.sources.clear();
    library_.verify(parcel, desk_.inbox);
  }

  // Reads what landed, if an earlier worker landed it.
  void recall_landing(Held& held) {
    Importing& state = importing(held);
    if (!state.landing.files.empty()) return;
    const JobId id = held.job.version.id;
    state.landing.job = id;
    Catalog& catalog = desk_.store.catalog();
    for (auto page = catalog.assets_of(id); !page.empty();
         page = catalog.assets_of(id, page.back().id))
      for (const Asset& asset : page)
        if (!asset.path.empty())
          state.landing.files.push_back({asset.path, asset.size.value_or(0)});
    Events& events = desk_.store.events();
    for (auto page = events.of(id, {}, kPage); !page.empty();
         page = events.of(id, page.back().id, kPage))
      for (const Event& event : page)
        if (event.on == name(On::landed)) state.evidence = event.data;
  }

  void see_proof(Held& held, const What& what) {
    if (const auto* indexed = std::get_if<Indexed>(&what))
      see_indexed(held, *indexed);
    else if (std::holds_alternative<NotIndexed>(what))
      wait(held, "not_indexed");
    else if (const auto* unseen = std::get_if<Unseen>(&what))
      wait(held, unseen->code);
    else
      see_end(held, what);
  }

  void see_indexed(Held& held, const Indexed& indexed) {
    Importing& state = importing(held);
    state.doing = Doing::nothing;
    if (held.stopping) return;
    auto receipt = judge_indexed({state.landing, desk_.is_restored()}, indexed);
    if (receipt) {
      state.receipt = *std::move(receipt);
      return release(held);
    }
    switch (receipt.error()) {
      case KeepSource::not_proven:
        return wait(held, "not_proven");
      case KeepSource::restored:
        return wait(held, std::string{kRestored});
    }
  }

  // A worker that has lost the film must not take the transfer of its next life away.
  void release(Held& held) {
    if (!desk_.observe(held.job, {.reason = "", .detail = ""}))
      return desk_.drop(held.job.version.id);
    if (held.job.handle.empty()) return cleaning_.begin(held, {});  // No client ever had it.
    importing(held).doing = Doing::releasing;
    Order order = desk_.order(held);
    for (const ManifestFile& file : manifest_of(desk_.store, held.job.version.id))
      order.sources.push_back(path_of(file.entry));
    client_.release(order, desk_.inbox);
  }

  void see_release(Held& held, const What& what) {
    Importing& state = importing(held);
    if (const auto* failed = std::get_if<Failed>(&what)) return see_failed(held, *failed);
    const auto* released = std::get_if<Released>(&what);
    const auto* seeding = std::get_if<Seeding>(&what);
    if (!released && !seeding) return;
    state.doing = Doing::nothing;
    if (held.stopping) return;
    state.setbacks = 0;
    if (released) return cleaning_.begin(held, *released);
    const SeedingWait until = judge_seeding(*seeding, desk_.now(), settings_);
    desk_.wait(held, "seeding", until.after, until.detail);
  }

  void see_clean(Held& held, const What& what) {
    if (const auto* some = std::get_if<CleanedSome>(&what))
      cleaning_.see(held, *some);
    else if (const auto* cleaned = std::get_if<Cleaned>(&what))
      cleaning_.end(held, *cleaned);
    else
      see_end(held, what);
  }

  // The library has ended without the answer that was wanted.
  void see_end(Held& held, const What& what) {
    if (const auto* failed = std::get_if<Failed>(&what)) {
      see_failed(held, *failed);
    } else if (std::holds_alternative<Stopped>(what) && held.stopping) {
      importing(held).doing = Doing::nothing;
      desk_.settle(held, IntentState::failed, "stopped");
    }
  }

  // Waits in its state, longer each time. A job that is being stopped begins nothing, not even a
  // wait.
  void wait(Held& held, const std::string& reason, const std::string& detail = {}) {
    Importing& state = importing(held);
    state.doing = Doing::nothing;
    if (held.stopping) return;
    desk_.wait(held, reason, settings_.again.after(++state.setbacks, kEven), detail);
  }

  void see_failed(Held& held, const Failed& failed) {
    Importing& state = importing(held);
    if (failed.outcome_unknown && !held.stopping) stop(held, Leftovers::keep);  // It may go on.
    state.doing = Doing::nothing;
    desk_.settle(held, failed.outcome_unknown ? IntentState::unknown : IntentState::failed,
                 failed.fault.code);
    if (held.stopping) return;  // The stop is its answer.
    if (waits_after(failed.fault, kMedia))
      return wait(held, failed.fault.code, failed.fault.detail);
    const Verdict verdict = answer(held.job, failed.fault, desk_.settings, desk_.random.chance(),
                                   Millis{failed.wait_ms});
    // Under its lease, a wait writes no events. What may still go on is told apart by another
    // lease.
    if (verdict.moves.empty() && verdict.release_after && !failed.outcome_unknown)
      return desk_.wait(held, verdict.release_reason, *verdict.release_after,
                        verdict.release_detail);
    desk_.ask(held.job, verdict);
  }

  Desk& desk_;
  RemoteEngine& client_;
  Sink& library_;
  const MediaSettings settings_;
  Cleaning cleaning_;
  ClientJobs jobs_;
};

}  // namespace

LifecycleWork media_work(RemoteEngine& client, Sink& library, const MediaSettings& settings) {
  return {
      .lifecycle = &kMedia,
      .make_handler =
          [&client, &library, settings](Desk& desk) {
            return std::make_unique<MediaHandler>(desk, client, library, settings);
          },
      .not_ready =
          [&client, &library](std::string_view engine) {
            return both_not_ready(client.not_ready(engine), library.not_ready());
          },
      .lacks_for = [&library](std::string_view request) { return library.lack_for(request).text; },
      .plan_import = [&library](Store& store, const Job& job, std::span<const ByHand> said)
          -> std::expected<ImportPreview, Refusal> {
        const bool is_new = !std::ranges::equal(said, last_said(store.intents(), job.version.id));
        if (auto refusal = refuse_by_hand(job, is_new)) return std::unexpected{*std::move(refusal)};
        return library.preview(preview_parcel(store, job, said));
      }};
}

}  // namespace haul::flow
