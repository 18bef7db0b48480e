#pragma once
// What is refused of a request's head before anything else reads it: forms that two readers may
// take for two different requests.

#include <optional>
#include <string_view>

namespace haul {

struct HeadRefusal {
  int status = 400;
  std::string_view detail;

  bool operator==(const HeadRefusal&) const = default;
};

// The raw bytes, from the request line to the empty line that ends it.
std::optional<HeadRefusal> check_head(std::string_view raw);

}  // namespace haul
