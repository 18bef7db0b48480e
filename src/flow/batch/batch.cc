#include "flow/batch/batch.h"

#include <algorithm>

#include "flow/batch/judge.h"
#include "flow/batch/relink.h"
#include "flow/batch/work.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

class BatchHandler final : public Handler, public ItemWork {
 public:
  BatchHandler(Desk& desk, ItemEngine& engine, const BatchSettings& settings)
      : batch_{desk, engine, settings} {}

  const Lifecycle& lifecycle() const override { return kBatch; }
  ItemWork* item_work() override { return this; }

  void begin(Held& held) override {
    held.own = std::make_unique<Fetch>();
    switch (judge_begin(held.job.state().step)) {
      case BatchAct::plan:
        return plan(batch_, held);
      case BatchAct::none:
        return batch_.desk.drop(held.job.version.id);
    }
  }

  // A sight of a batch can need several writes. When the store fails, some are done already.
  void see(Held& held, Sight& sight) override {
    const JobId id = held.job.version.id;
    try {
      see_batch(batch_, held, sight);
    } catch (const StoreFault&) {
      batch_.desk.doubtful.insert(id);
      throw;
    }
  }

  void stop(Held& held, Leftovers leftovers) override { stop_transfers(batch_, held, leftovers); }

  bool is_at_rest(const Held& held) const override {
    const Fetch& fetch = fetch_of(held);
    const bool lists =
        fetch.listing.is == ListingIs::running || fetch.listing.is == ListingIs::stopping;
    return fetch.at_work.empty() && !lists;
  }

  bool is_placing(const Held& held) const override {
    return std::ranges::any_of(fetch_of(held).at_work, [](const auto& each) {
      return each.second.phase == Transfer::Phase::landing;
    });
  }

  void save(Held& held) override {
    const JobId id = held.job.version.id;
    write_items(batch_, held);
    if (!batch_.desk.held.contains(id)) return;  // Its lease was lost: `held` is gone.
    const bool is_stopped_for_good = held.stopping && held.stopping->leftovers == Leftovers::remove;
    if (!is_stopped_for_good) end_if_done(batch_, held);
  }

  // The items in transfer, and the listing.
  std::vector<Awaited> awaited(const Held& held) const override {
    const Fetch& fetch = fetch_of(held);
    std::vector<Awaited> all;
    all.reserve(fetch.at_work.size() + 1);
    for (const auto& [n, transfer] : fetch.at_work)
      all.push_back({.heard = transfer.heard, .item = n, .start = transfer.start});
    if (fetch.listing.is == ListingIs::running)
      all.push_back({.heard = held.heard, .start = fetch.listing.start});
    return all;
  }

  void turn() override { transfer_items(batch_); }

  // The engine finds what is left by its name.
  // Where a later job goes on with the parts of one that failed, they stay until it has ended.
  void clear(const Job& job) override {
    if (batch_.settings.past_parts == PastParts::find && job.state().end == End::bad) return;
    const SharedText request{batch_.desk.store.reader().request(job.version.id).value_or("{}")};
    batch_.engine.stop(batch_.desk.order(job, request), Leftovers::remove, batch_.desk.inbox);
  }

  std::vector<TransferView> transfers(const Held& held) const override;
  OpenItems open_items(const Held& held) const override;

  bool has_unwritten() const override {
    return any([](const Fetch& fetch) { return !fetch.asks.empty() || !fetch.observed.empty(); });
  }
  bool expects_many_sights() const override {
    return any([](const Fetch& fetch) { return fetch.at_work.moving() > 0; });
  }

 private:
  bool any(const auto& is_so) const {
    return std::ranges::any_of(batch_.desk.held, [&](const auto& each) {
      const Held& held = each.second;
      return held.job.version.lifecycle == &kBatch && is_so(fetch_of(held));
    });
  }

  Batch batch_;
};

// The items in transfer, by number, then those that wait for a retry, by time.
std::vector<TransferView> BatchHandler::transfers(const Held& held) const {
  const Fetch& fetch = fetch_of(held);
  std::vector<TransferView> views;
  views.reserve(fetch.at_work.size() + fetch.waiting.size());
  for (const auto& [n, transfer] : fetch.at_work)
    views.push_back({.item = n,
                     .key = transfer.item.key,
                     .url = transfer.item.url,
                     .path = transfer.item.path,
                     .have = transfer.have,
                     .received = transfer.received(),
                     .size = transfer.item.size ? transfer.item.size : transfer.about,
                     .phase = transfer.phase,
                     .status = transfer.status,
                     .retry_in = {},
                     .reason = transfer.item.reason});
  for (const auto& [until, item] : fetch.waiting)
    views.push_back({.item = item.n,
                     .key = item.key,
                     .url = item.url,
                     .path = item.path,
                     .have = item.have,
                     .size = item.size,
                     .status = {},
                     .retry_in = std::max(Millis{0}, until - batch_.desk.clock.steady()),
                     .reason = item.reason});
  return views;
}

OpenItems BatchHandler::open_items(const Held& held) const {
  const Fetch& fetch = fetch_of(held);
  OpenItems open = fetch.open_items();
  open.waits_for = waited_host(batch_, held);
  return open;
}

}  // namespace

LifecycleWork batch_work(ItemEngine& items, const BatchSettings& settings) {
  return {.lifecycle = &kBatch,
          .make_handler =
              [&items, settings](Desk& desk) {
                return std::make_unique<BatchHandler>(desk, items, settings);
              },
          .not_ready = [&items](std::string_view engine) { return items.not_ready(engine).text; },
          .relink = relink};
}

}  // namespace haul::flow
