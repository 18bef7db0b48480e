#include "app/wiring/worker.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "app/config/image_rules.h"
#include "app/config/importer.h"
#include "app/config/qbittorrent.h"
#include "app/config/relay.h"
#include "app/config/stuck.h"
#include "app/config/transfer.h"
#include "app/wiring/relay.h"
#include "flow/linked/linked_batches.h"
#include "lifecycle/tables.h"

namespace haul::app {
namespace {

constexpr Millis kLookEvery{20};

std::unique_ptr<LinkedJobs> linked_jobs(Store& store, const Clock& clock,
                                        const OutsideSettings& outside,
                                        std::function<void()> wake) {
  if (outside.download_roots.empty()) return nullptr;
  return flow::make_linked_batches(store, clock, outside.download_roots.front(), std::move(wake));
}

std::unique_ptr<TokenKeeper> disk_tokens(Store& store, const Clock& clock,
                                         const OutsideSettings& outside) {
  if (!outside.disk) return nullptr;
  return make_sealed_tokens(store, clock, outside.secret_key, kDiskTokens);
}

// Names on disk, in a bucket and at a media server contain the store's id.
OutsideSettings of_store(OutsideSettings outside, Store& store, LinkedJobs* linked,
                         TokenKeeper* tokens) {
  outside.linked = linked;
  outside.disk_tokens = tokens;
  const std::string& id = store.identity().id();
  if (outside.disk && outside.disk->spool) outside.disk->spool->store = id;
  if (outside.bucket) std::visit([&id](auto& bucket) { bucket.store = id; }, *outside.bucket);
  if (!outside.library) return outside;
  outside.library->library.store = id;
  if (auto* plex = std::get_if<plex::PlexSettings>(&outside.library->server))
    plex->client_id = "haul-" + id;
  return outside;
}

}  // namespace

flow::Settings worker_settings(const Config& config) {
  const ClientPolling client = client_polling(config);
  const RelayLease relay = relay_lease(config);
  const flow::Settings usual;
  return {.poll = client.poll,
          .missing_grace = client.missing_grace,
          .beat_every = std::min(usual.beat_every, relay.heartbeat),
          .leases = {{&kRelay, relay.timeout}},
          .look_every = kLookEvery,
          .write_items_every = kWriteItemsEvery,
          .host = host_rule(config),
          .stuck = stuck_rules(config)};
}

flow::HandlerSettings handler_settings(const Config& config) {
  return {.media = media_settings(config),
          .relay = relay_settings(config),
          .image = image_rules(config)};
}

LocalWorker::LocalWorker(Store& store, const Clock& clock, OutsideSettings outside,
                         const flow::Settings& settings, const std::string& name,
                         const flow::HandlerSettings& handlers)
    : random_{static_cast<std::uint64_t>(to_unix_ms(clock.now()))},
      linked_{linked_jobs(store, clock, outside, [this] { worker_.wake(); })},
      disk_tokens_{disk_tokens(store, clock, outside)},
      outside_{clock, of_store(std::move(outside), store, linked_.get(), disk_tokens_.get())},
      worker_{store, flow::lifecycle_work(outside_.outside(), handlers), clock, random_, settings,
              name} {
  outside_.open(worker_.gate());
}

LocalWorker::~LocalWorker() { outside_.close(); }

}  // namespace haul::app
