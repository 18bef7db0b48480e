#pragma once
// What each lifecycle is asked with. Unknown fields are refused; so is a required one left out.

#include <span>
#include <string>
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

// What is wrong with the id or the title of a book; empty: nothing. An id stands in addresses.
std::string wrong_with_book_id(std::string_view id);
std::string wrong_with_title(std::string_view title);

}  // namespace haul
