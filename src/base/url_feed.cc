#include "base/url_feed.h"

#include <algorithm>
#include <utility>

namespace haul {

void UrlFeed::add(Entry entry) {
  const Lock lock{mutex_};
  entries_.push_back(std::move(entry));
}

void UrlFeed::close() {
  const Lock lock{mutex_};
  is_closed_ = true;
}

UrlFeed::Part UrlFeed::read(std::size_t from, std::size_t most) const {
  const Lock lock{mutex_};
  const std::size_t begin = std::min(from, entries_.size());
  const std::size_t end = begin + std::min(most, entries_.size() - begin);
  const auto at = [this](std::size_t position) REQUIRES(mutex_) {
    return entries_.begin() + static_cast<std::ptrdiff_t>(position);
  };
  return {.entries = {at(begin), at(end)}, .is_last = is_closed_ && end == entries_.size()};
}

}  // namespace haul
