#pragma once
// Byte ranges: which bytes of a file are here, and which each connection fetches.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haul::http {

struct Range {
  std::int64_t from = 0;
  std::int64_t to = 0;  // The first byte after it.

  std::int64_t size() const { return to - from; }
  bool operator==(const Range&) const = default;
};

class Ranges {
 public:
  void add(Range range);
  void remove(Range range);
  void clear() { done_.clear(); }
  // Whether any byte of the range is among them.
  bool has_any(Range range) const;
  std::int64_t total() const;
  std::vector<Range> all() const;
  // The missing ranges of a file of this size.
  std::vector<Range> gaps(std::int64_t size) const;
  // End of the last range. Zero if there are none.
  std::int64_t end() const { return done_.empty() ? 0 : done_.rbegin()->second; }

  // "0-1048576,2097152-3145728"
  std::string to_text() const;
  static std::optional<Ranges> from_text(std::string_view text);

  bool operator==(const Ranges&) const = default;

 private:
  std::map<std::int64_t, std::int64_t> done_;  // Start to end. Disjoint and not adjacent.
};

// Splits a range into parts of about the same size.
std::vector<Range> split(Range range, std::size_t parts);

}  // namespace haul::http
