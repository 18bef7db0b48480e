#include "engine/http/ranges.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace haul::http {

void Ranges::add(Range range) {
  if (range.size() <= 0) return;
  auto next = done_.upper_bound(range.from);
  if (next != done_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= range.from) {  // It touches or overlaps the one before.
      range.from = before->first;
      range.to = std::max(range.to, before->second);
      done_.erase(before);
    }
  }
  while (next != done_.end() && next->first <= range.to) {
    range.to = std::max(range.to, next->second);
    next = done_.erase(next);
  }
  done_[range.from] = range.to;
}

void Ranges::remove(Range range) {
  if (range.size() <= 0) return;
  auto at = done_.upper_bound(range.from);
  if (at != done_.begin()) --at;
  while (at != done_.end() && at->first < range.to) {
    const Range each{at->first, at->second};
    if (each.to <= range.from) {
      ++at;
      continue;
    }
    at = done_.erase(at);
    if (each.from < range.from) done_[each.from] = range.from;
    if (each.to > range.to) done_[range.to] = each.to;
  }
}

bool Ranges::has_any(Range range) const {
  const auto next = done_.lower_bound(range.to);
  return next != done_.begin() && range.size() > 0 && std::prev(next)->second > range.from;
}

std::int64_t Ranges::total() const {
  std::int64_t sum = 0;
  for (const auto& [from, to] : done_) sum += to - from;
  return sum;
}

std::vector<Range> Ranges::all() const {
  std::vector<Range> all;
  all.reserve(done_.size());
  for (const auto& [from, to] : done_) all.push_back({from, to});
  return all;
}

std::vector<Range> Ranges::gaps(std::int64_t size) const {
  std::vector<Range> missing;
  std::int64_t at = 0;
  for (const auto& [from, to] : done_) {
    if (from >= size) break;
    if (from > at) missing.push_back({at, from});
    at = to;
  }
  if (at < size) missing.push_back({at, size});
  return missing;
}

std::string Ranges::to_text() const {
  std::string text;
  for (const auto& [from, to] : done_)
    text += fmt::format("{}{}-{}", text.empty() ? "" : ",", from, to);
  return text;
}

std::optional<Ranges> Ranges::from_text(std::string_view text) {
  Ranges ranges;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    Range range;
    auto read = std::from_chars(at, end, range.from);
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '-') return std::nullopt;
    read = std::from_chars(read.ptr + 1, end, range.to);
    if (read.ec != std::errc{} || range.from < 0 || range.size() <= 0) return std::nullopt;
    ranges.add(range);
    at = read.ptr;
    if (at == end) break;
    if (*at != ',' || at + 1 == end) return std::nullopt;
    ++at;
  }
  return ranges;
}

std::vector<Range> split(Range range, std::size_t parts) {
  std::vector<Range> pieces;
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(parts, 1));
  std::int64_t from = range.from;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::int64_t to =
        range.from + range.size() / count * i + range.size() % count * i / count;
    if (to > from) pieces.push_back({from, to});
    from = to;
  }
  return pieces;
}

}  // namespace haul::http
