#pragma once
// What each lifecycle is asked with. Unknown fields are refused; so is a required one left out.

#include <span>
#include <string_view>

#include "base/few.h"
#include "lifecycle/table.h"

namespace haul {

struct RequestField {
  std::string_view name;
  std::string_view type;  // string, number, boolean, list or object: for forms and descriptions.
  std::string_view about;
  bool required = false;
  Few<std::string_view, 4> values{};  // Those it may have; none: any.
};

std::span<const RequestField> request_fields(const Lifecycle& lifecycle);

}  // namespace haul
