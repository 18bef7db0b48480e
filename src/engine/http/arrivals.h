#pragma once
// Which bytes of a file came in which reply. The receipt of a file that came in several has them:
// each reply was checked against the validators of the version before its bytes were taken.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/http/ranges.h"

namespace haul::http {

class Arrivals {
 public:
  static constexpr std::size_t kMost = 32;

  // The bytes of one reply. They replace those of earlier replies at the same place. Of more than
  // kMost replies, the shortest neighbours are joined.
  void add(Range range);
  void clear() { all_.clear(); }
  bool is_empty() const { return all_.empty(); }
  bool are_several() const { return all_.size() > 1; }
  // In the order of the file, and disjoint. Neighbours stay apart.
  const std::vector<Range>& all() const { return all_; }

  // "0-1048576,1048576-3145728"
  std::string to_text() const;
  static std::optional<Arrivals> from_text(std::string_view text);
  // "[[0,1048576],[1048576,3145728]]"
  std::string to_json() const;

  bool operator==(const Arrivals&) const = default;

 private:
  bool join_shortest();

  std::vector<Range> all_;
};

}  // namespace haul::http
