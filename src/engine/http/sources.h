#pragma once
// The sources of one file: its address and the mirrors that the request names. Pure.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/piece_hashes.h"
#include "base/url_options.h"
#include "engine/http/ranges.h"

namespace haul::http {

// Canonical and each once: the item's own address, then its mirrors.
std::vector<std::string> sources_of(const std::string& url, const UrlOptions& own);

// Whether the fault is one of the source, so that another source may do without.
bool is_of_source(const Fault& fault);

Range piece_range(const PieceHashes& pieces, std::size_t number, std::int64_t size);

// Which sources have sent which damaged pieces.
class Blame {
 public:
  // By source: the bytes that each has sent.
  using Sent = std::map<std::size_t, Ranges>;

  void add(std::size_t piece, Range range, const Sent& sent);
  // The source to ask for these pieces: the one that can send most of them, of several the first.
  // No value if each source has sent each of them damaged.
  std::optional<std::size_t> choose(const std::vector<std::size_t>& pieces,
                                    std::size_t sources) const;
  bool has(std::size_t piece, std::size_t source) const;

 private:
  std::map<std::size_t, std::set<std::size_t>> by_piece_;
};

}  // namespace haul::http
