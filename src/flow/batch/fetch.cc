#include "flow/batch/fetch.h"

#include <algorithm>

#include "base/sizes.h"
#include "seam/item_key.h"

namespace haul::flow {

using Phase = Transfer::Phase;

namespace {

bool is_of_program(const Transfer& transfer) { return engine_of(transfer.item.key) != kHttp; }

}  // namespace

Transfer& AtWork::add(Transfer transfer) {
  const std::int64_t n = transfer.item.n;
  if (find(n) != nullptr) take(n);
  moving_ += transfer.phase == Phase::moving ? 1 : 0;
  of_programs_ += is_of_program(transfer) ? 1 : 0;
  return by_number_.insert_or_assign(n, std::move(transfer)).first->second;
}

Transfer* AtWork::find(std::int64_t n) {
  const auto found = by_number_.find(n);
  return found == by_number_.end() ? nullptr : &found->second;
}

void AtWork::set_phase(Transfer& transfer, Phase phase) {
  moving_ -= transfer.phase == Phase::moving ? 1 : 0;
  moving_ += phase == Phase::moving ? 1 : 0;
  transfer.phase = phase;
}

Transfer AtWork::take(std::int64_t n) {
  Transfer taken = std::move(by_number_.extract(n).mapped());
  moving_ -= taken.phase == Phase::moving ? 1 : 0;
  of_programs_ -= is_of_program(taken) ? 1 : 0;
  return taken;
}

bool is_resumable(const Item& item) { return !item.checkpoint.empty() && item.checkpoint != "{}"; }

const std::string& Fetch::source_of(const Item& item) const {
  const auto found = sources.find(item.n);
  return found == sources.end() ? item.url : found->second;
}

std::size_t Fetch::videos() const {
  return static_cast<std::size_t>(std::ranges::count_if(at_work, [](const auto& each) {
    return each.second.phase == Phase::moving && engine_of(each.second.item.key) == kYtDlp;
  }));
}

bool Fetch::has_work() const {
  const bool lists = listing.is == ListingIs::running || listing.is == ListingIs::waiting;
  return lists || !ready.empty() || !waiting.empty() || !at_work.empty();
}

OpenItems Fetch::open_items() const {
  OpenItems open{.received = received};
  const auto add = [&open](std::int64_t have, const std::optional<std::int64_t>& size) {
    const std::int64_t here = std::max<std::int64_t>(size ? std::min(have, *size) : have, 0);
    open.have = sum_of_sizes(open.have, here);
    open.size = sum_of_sizes(open.size, size.value_or(0));
    open.sized += size ? 1 : 0;
    open.left = sum_of_sizes(open.left, size ? *size - here : 0);
  };
  const auto add_idle = [&](const Item& item) {
    add(is_resumable(item) ? item.have : 0, item.size);
  };
  for (const auto& [n, transfer] : at_work) {
    add(transfer.have, transfer.item.size);
    open.received += transfer.received();
  }
  for (const auto& [until, item] : waiting) add_idle(item);
  for (const auto& [host, items] : ready) std::ranges::for_each(items, add_idle);
  for (const ItemMove& ask : asks)  // The store counts it with the next write.
    if (ask.on == On::landed) add(ask.size.value_or(0), ask.size);
  return open;
}

}  // namespace haul::flow
