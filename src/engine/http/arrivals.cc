#include "engine/http/arrivals.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace haul::http {

void Arrivals::add(Range range) {
  if (range.size() <= 0) return;
  std::vector<Range> kept;
  for (const Range& each : all_) {
    const Range before{each.from, std::min(each.to, range.from)};
    const Range after{std::max(each.from, range.to), each.to};
    if (before.size() > 0) kept.push_back(before);
    if (after.size() > 0) kept.push_back(after);
  }
  kept.push_back(range);
  std::ranges::sort(kept, {}, &Range::from);
  all_ = std::move(kept);
  while (all_.size() > kMost && join_shortest()) {
  }
}

// Joins no ranges that have a gap between them, because its bytes have not come yet. False if there
// is a gap between all of them.
bool Arrivals::join_shortest() {
  auto shortest = all_.end();
  for (auto each = all_.begin(); std::next(each) != all_.end(); ++each) {
    const auto next = std::next(each);
    if (each->to != next->from) continue;
    if (shortest == all_.end() || next->to - each->from < std::next(shortest)->to - shortest->from)
      shortest = each;
  }
  if (shortest == all_.end()) return false;
  shortest->to = std::next(shortest)->to;
  all_.erase(std::next(shortest));
  return true;
}

std::string Arrivals::to_text() const {
  std::string text;
  for (const Range& each : all_)
    text += fmt::format("{}{}-{}", text.empty() ? "" : ",", each.from, each.to);
  return text;
}

std::optional<Arrivals> Arrivals::from_text(std::string_view text) {
  Arrivals arrivals;
  for (bool more = !text.empty(); more;) {
    const std::size_t end = text.find(',');
    const auto one = Ranges::from_text(text.substr(0, end));
    if (!one || one->total() == 0) return std::nullopt;
    arrivals.add(one->all().front());
    more = end != std::string_view::npos;
    if (more) text.remove_prefix(end + 1);
  }
  return arrivals;
}

std::string Arrivals::to_json() const {
  std::string json = "[";
  for (const Range& each : all_)
    json += fmt::format("{}[{},{}]", json.size() == 1 ? "" : ",", each.from, each.to);
  return json + "]";
}

}  // namespace haul::http
