#include "flow/book/book_check.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace haul::flow {
namespace {

constexpr std::size_t kAtOnce = 200;
constexpr std::size_t kSuspectsMax = 10'000;  // More are a broken disk; the rest is ignored.
constexpr Millis kBetween{100};

}  // namespace

bool is_deleted(const FilePresence& seen, const std::optional<std::uint64_t>& device) {
  if (seen.is != FilePresence::Is::gone) return false;
  if (device) return *device == seen.device;
  return !seen.is_bare;
}

BookCheck::BookCheck(Store& store, const Clock& clock, Look look, BookCheckSettings settings,
                     MayWrite may_write)
    : store_{store},
      clock_{clock},
      look_{std::move(look)},
      settings_{settings},
      may_write_{std::move(may_write)} {}

Millis BookCheck::step() {
  look_again();
  const Steady now = clock_.steady();
  if (!walking_ && (!began_ || now - *began_ >= settings_.check_every)) {
    walking_ = true;
    began_ = now;
    after_ = {};
  }
  if (walking_) look_on();
  if (walking_) return kBetween;
  Millis wait = settings_.check_every - std::min(settings_.check_every, now - *began_);
  for (const auto& [id, suspect] : suspects_)
    wait = std::min(wait, suspect.since + settings_.missing_after - now);
  return std::max(wait, kBetween);
}

void BookCheck::look_again() {
  const Steady now = clock_.steady();
  std::vector<Suspect> due;
  for (const auto& [id, suspect] : suspects_)
    if (now - suspect.since >= settings_.missing_after && due.size() < kAtOnce)
      due.push_back(suspect);
  for (const Suspect& suspect : due) {
    suspects_.erase(suspect.asset.id);
    // A changed asset means that the file was fetched again; the next walk checks the new one.
    const std::vector<Asset> now_there = store_.catalog().assets_of(suspect.asset.book);
    const auto same = std::ranges::find(now_there, suspect.asset);
    if (same == now_there.end() || !finds_deleted(*same)) continue;
    if (!may_write_()) return;  // Another process checks the books now.
    store_.catalog().lose(same->id, AssetLoss::missing, clock_.now());
    devices_.erase(same->id);
  }
}

void BookCheck::look_on() {
  const std::vector<Asset> assets = store_.catalog().shelved(after_, kAtOnce);
  for (const Asset& asset : assets) {
    after_ = asset.id;
    if (finds_deleted(asset) && suspects_.size() < kSuspectsMax)
      suspects_.try_emplace(asset.id, Suspect{asset, clock_.steady()});
    if (const auto seen = devices_.find(asset.id); seen != devices_.end()) walked_.insert(*seen);
  }
  if (assets.size() == kAtOnce) return;
  walking_ = false;
  devices_ = std::exchange(walked_, {});  // Forgets files that are no longer on a shelf.
}

bool BookCheck::finds_deleted(const Asset& asset) {
  const FilePresence seen = look_(asset.path);
  if (seen.is == FilePresence::Is::there) devices_[asset.id] = seen.device;
  const auto known = devices_.find(asset.id);
  return is_deleted(seen, known == devices_.end() ? std::nullopt : std::optional{known->second});
}

}  // namespace haul::flow
