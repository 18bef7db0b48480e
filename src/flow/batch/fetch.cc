#include "flow/batch/fetch.h"

#include <algorithm>

#include "seam/item_key.h"

namespace haul::flow {

using Phase = Transfer::Phase;

Transfer& AtWork::add(Transfer transfer) {
  const std::int64_t n = transfer.item.n;
  if (find(n) != nullptr) take(n);
  moving_ += transfer.phase == Phase::moving ? 1 : 0;
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
  return taken;
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

}  // namespace haul::flow
