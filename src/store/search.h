#pragma once
// Finding a job by what was asked for: its addresses and titles. The rest of a request is not
// looked at, nor what is redacted where an address is shown: a search must not tell what a page
// would not.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"

namespace haul {

inline constexpr std::size_t kSearchMax = 500;  // Bytes; a longer text is found nowhere.

class Needle {
 public:
  explicit Needle(std::string_view text);

  // A text of digits is the id of a job, and nothing else.
  std::optional<JobId> id() const;

  // Whether an address or title of this request, in canonical form, has the text in it. Letters of
  // ASCII match in any case.
  bool is_in(std::string_view request) const;

 private:
  bool is_in_text(std::string_view text) const;
  bool is_in_string(std::string_view json) const;
  bool is_in_value(std::string_view json) const;

  std::string lowered_;
};

}  // namespace haul
