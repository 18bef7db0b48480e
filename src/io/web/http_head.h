#pragma once
// Checks the head of a request before anything else reads it. Refuses forms that two parsers may
// take for two different requests.

#include <optional>
#include <string_view>

namespace haul::io {

struct HeadRefusal {
  int status = 400;
  std::string_view detail;

  bool operator==(const HeadRefusal&) const = default;
};

// `raw` is the whole head, from the request line to the empty line that ends it. Returns nothing if
// the head is good.
std::optional<HeadRefusal> check_head(std::string_view raw);

}  // namespace haul::io
