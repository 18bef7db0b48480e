#pragma once
// Searches jobs by the addresses and titles in their requests. Ignores the other fields, and text
// that the page redacts in an address: a search must not reveal what the page hides.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"

namespace haul {

inline constexpr std::size_t kSearchMax = 500;  // Bytes; a longer text matches nothing.

class Needle {
 public:
  explicit Needle(std::string_view text);

  // The job's id, if the text is all digits; such a text matches nothing else.
  std::optional<JobId> id() const;

  // True if an address or title in this request contains the text. The request is in canonical
  // form. ASCII letters match in any case.
  bool is_in(std::string_view request) const;

 private:
  bool is_in_text(std::string_view text) const;
  bool is_in_string(std::string_view json) const;
  bool is_in_value(std::string_view json) const;

  std::string lowered_;
};

}  // namespace haul
