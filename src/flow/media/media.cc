#include "flow/media/media.h"

#include <fmt/core.h>

#include "base/ensure.h"
#include "base/planted_bug.h"
#include "flow/client/client_jobs.h"
#include "flow/media/judge.h"
#include "flow/worker/answer.h"
#include "flow/worker/restored.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr const char* kClean = "clean";
constexpr std::string_view kClientEngine = "qbittorrent";  // As a request names it.

struct Importing final : HandlerState {
  bool waits = false;   // For an answer of the library.
  Landing landing{};    // What is in the library.
  std::string receipt;  // As JSON.
};

// The client is the only engine for films: a request that names another one cannot begin.
Lack lack_of(const RemoteEngine& client, std::string_view engine) {
  if (engine.empty() || engine == kClientEngine) return client.not_ready();
  return {fmt::format("haul has no engine {} for films", engine), Lack::Remedy::none};
}

Importing& state_of(const Held& held) {
  ensure(held.own != nullptr, "a handler knows the jobs that it has begun");
  return static_cast<Importing&>(*held.own);
}

class MediaHandler final : public Handler {
 public:
  MediaHandler(Desk& desk, RemoteEngine& client, Sink& library, const MediaSettings& settings)
      : desk_{desk}, library_{library}, settings_{settings}, jobs_{desk, client, kMedia} {}

  const Lifecycle& lifecycle() const override { return kMedia; }
  ClientWork* client_work() override { return &jobs_; }

  void begin(Held& held) override {
    held.own = std::make_unique<Importing>();
    again(held);
  }

  void again(Held& held) override {
    switch (judge_import(held.job.state().step)) {
      case ImportAct::land:
        return land(held);
      case ImportAct::prove:
        return prove(held);
      case ImportAct::none:
        return desk_.drop(held.job.version.id);
    }
  }

  void see(Held& held, Sight& sight) override {
    Importing& state = state_of(held);
    const What& what = sight.what;
    if (const auto* landed = std::get_if<Landed>(&what)) {
      if (held.job.state().step == Step::land) see_landed(held, *landed);
    } else if (const auto* indexed = std::get_if<Indexed>(&what)) {
      state.waits = false;
      see_indexed(held, *indexed);
    } else if (std::holds_alternative<NotIndexed>(what)) {
      state.waits = false;
      wait(held, "not_indexed");
    } else if (const auto* unseen = std::get_if<Unseen>(&what)) {
      state.waits = false;
      wait(held, unseen->code);
    } else if (const auto* cleaned = std::get_if<Cleaned>(&what); cleaned && held.intent) {
      state.waits = false;
      desk_.settle(held, IntentState::done, cleaned->outcome);
      desk_.ask(held.job, {.moves = {{.on = On::verified,
                                      .reason = cleaned->outcome,
                                      .proof = {Proof::receipt, state.receipt}}}});
    } else if (const auto* failed = std::get_if<Failed>(&what)) {
      see_failed(held, *failed);
    } else if (std::holds_alternative<Stopped>(what) && held.stopping) {
      state.waits = false;
      desk_.settle(held, IntentState::failed, "stopped");
    }
  }

  void stop(Held& held, Leftovers) override {
    if (held.own && state_of(held).waits) library_.stop(parcel(held), desk_.inbox);
  }

  bool is_at_rest(const Held& held) const override { return !state_of(held).waits; }

 private:
  void land(Held& held) {
    state_of(held).waits = true;
    library_.land(parcel(held), desk_.inbox);
  }

  void see_landed(Held& held, const Landed& landed) {
    const JobId id = held.job.version.id;
    if (landed.files.empty())
      return see_failed(
          held, {.fault = {FaultKind::retryable, "nothing_landed", "the library named no file"}});
    state_of(held).waits = false;
    state_of(held).landing = {id, landed.files};
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
    if (!settings_.clean_source)
      return desk_.ask(held.job, {.moves = {{.on = On::unneeded,
                                             .reason = "disabled",
                                             .holds = {Guard::cleanup_disabled}}}});
    recall_landing(held);
    state_of(held).waits = true;
    library_.verify(parcel(held), desk_.inbox);
  }

  // Reads from the catalog what landed, if an earlier worker landed it.
  void recall_landing(Held& held) {
    Landing& landing = state_of(held).landing;
    if (!landing.files.empty()) return;
    landing.job = held.job.version.id;
    Catalog& catalog = desk_.store.catalog();
    for (auto page = catalog.assets_of(landing.job); !page.empty();
         page = catalog.assets_of(landing.job, page.back().id))
      for (const Asset& asset : page)
        if (!asset.path.empty()) landing.files.push_back({asset.path, asset.size.value_or(0)});
  }

  // A job that is being stopped begins nothing, not even a wait.
  void wait(Held& held, const std::string& reason) {
    if (!held.stopping) desk_.wait(held, reason, settings_.verify_every);
  }

  void see_indexed(Held& held, const Indexed& indexed) {
    if (held.stopping) return;
    const auto receipt = judge_indexed({state_of(held).landing, desk_.is_restored()}, indexed);
    if (receipt) return clean(held, *receipt);
    switch (receipt.error()) {
      case KeepSource::not_proven:
        return wait(held, "not_proven");
      case KeepSource::restored:
        return wait(held, std::string{kRestored});
    }
  }

  void clean(Held& held, const Receipt& receipt) {
    ensure(receipt.job() == held.job.version.id, "a receipt is for the job that it cleans");
    Importing& state = state_of(held);
    state.receipt = receipt.to_json();
    if (!desk_.begin(held, {.kind = kClean, .data = state.receipt}) &&
        !planted(PlantedBug::clean_without_lease))
      return desk_.drop(held.job.version.id);
    state.waits = true;
    library_.clean(parcel(held), desk_.inbox);
  }

  void see_failed(Held& held, const Failed& failed) {
    if (failed.outcome_unknown && !held.stopping) stop(held, Leftovers::keep);  // It may go on.
    state_of(held).waits = false;
    desk_.settle(held, failed.outcome_unknown ? IntentState::unknown : IntentState::failed,
                 failed.fault.code);
    if (held.stopping) return;  // The stop is its answer.
    desk_.ask(held.job, answer(held.job, failed.fault, desk_.settings, desk_.random.chance(),
                               Millis{failed.wait_ms}));
  }

  static Parcel parcel(const Held& held) {
    return {.job = held.job.version.id,
            .fence = held.job.version.fence,
            .request = held.request,
            .path = held.job.result,
            .placed = state_of(held).landing.files};
  }

  Desk& desk_;
  Sink& library_;
  const MediaSettings settings_;
  ClientJobs jobs_;
};

}  // namespace

LifecycleWork media_work(RemoteEngine& client, Sink& library, const MediaSettings& settings) {
  return {.lifecycle = &kMedia,
          .make_handler =
              [&client, &library, settings](Desk& desk) {
                return std::make_unique<MediaHandler>(desk, client, library, settings);
              },
          .not_ready =
              [&client, &library](std::string_view engine) {
                return both_not_ready(lack_of(client, engine), library.not_ready());
              }};
}

}  // namespace haul::flow
