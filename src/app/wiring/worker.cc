#include "app/wiring/worker.h"

#include <utility>

#include "app/config/qbittorrent.h"
#include "app/config/transfer.h"

namespace haul::app {
namespace {

constexpr Millis kLookEvery{20};

}  // namespace

flow::Settings worker_settings(const Config& config) {
  const ClientPolling client = client_polling(config);
  return {.poll = client.poll,
          .missing_grace = client.missing_grace,
          .look_every = kLookEvery,
          .write_items_every = kWriteItemsEvery,
          .host = host_rule(config)};
}

LocalWorker::LocalWorker(Store& store, const Clock& clock, OutsideSettings outside,
                         const flow::Settings& settings, const std::string& name)
    : random_{static_cast<std::uint64_t>(to_unix_ms(clock.now()))},
      outside_{clock, std::move(outside)},
      worker_{store, flow::lifecycle_work(outside_.outside()), clock, random_, settings, name} {
  outside_.open(worker_.gate());
}

LocalWorker::~LocalWorker() { outside_.close(); }

}  // namespace haul::app
