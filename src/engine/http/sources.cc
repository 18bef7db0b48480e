#include "engine/http/sources.h"

#include <algorithm>
#include <array>

#include "base/url.h"

namespace haul::http {

std::vector<std::string> sources_of(const std::string& url, const UrlOptions& own) {
  std::vector<std::string> sources{url};
  for (const std::string& mirror : own.mirrors) {
    const auto read = parse_url(mirror);
    if (!read || std::ranges::find(sources, read->text) != sources.end()) continue;
    sources.push_back(read->text);
  }
  return sources;
}

bool is_of_source(const Fault& fault) {
  if (fault.kind != FaultKind::retryable && fault.kind != FaultKind::permanent) return false;
  constexpr std::array<std::string_view, 6> kOfTheRequest = {
      "max_time", "exists", "checksum_missing", "too_large", "file_too_large", "name_taken"};
  return std::ranges::find(kOfTheRequest, fault.code) == kOfTheRequest.end();
}

Range piece_range(const PieceHashes& pieces, std::size_t number, std::int64_t size) {
  const std::int64_t from = static_cast<std::int64_t>(number) * pieces.length;
  return {from, std::min(from + pieces.length, size)};
}

void Blame::add(std::size_t piece, Range range, const Sent& sent) {
  for (const auto& [source, ranges] : sent)
    if (ranges.has_any(range)) by_piece_[piece].insert(source);
}

bool Blame::has(std::size_t piece, std::size_t source) const {
  const auto found = by_piece_.find(piece);
  return found != by_piece_.end() && found->second.contains(source);
}

std::optional<std::size_t> Blame::choose(const std::vector<std::size_t>& pieces,
                                         std::size_t sources) const {
  std::optional<std::size_t> best;
  std::ptrdiff_t most = 0;
  for (std::size_t source = 0; source < sources; ++source) {
    const auto can =
        std::ranges::count_if(pieces, [&](std::size_t piece) { return !has(piece, source); });
    if (can <= most) continue;
    most = can;
    best = source;
  }
  return best;
}

}  // namespace haul::http
