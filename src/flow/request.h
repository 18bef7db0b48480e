#pragma once
// What each lifecycle is asked with. Unknown fields are refused; so is a required one left out.

#include <span>
#include <string_view>

#include "lifecycle/table.h"

namespace haul {

struct RequestField {
  std::string_view name;
  bool required = false;
};

std::span<const RequestField> request_fields(const Lifecycle& lifecycle);

}  // namespace haul
