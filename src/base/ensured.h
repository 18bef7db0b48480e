#pragma once
// The value of an optional that haul itself guarantees to be set; see ensure.h. The check and the
// access cannot drift apart.

#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/ensure.h"

namespace haul {

// `what` says what must hold: "only a send that was made is acknowledged". A reference into an
// optional that has a name, else the value itself.
template <class Optional>
auto ensured(Optional&& value, std::string_view what,
             const std::source_location& where = std::source_location::current())
    -> std::conditional_t<std::is_lvalue_reference_v<Optional>, decltype((*value)),
                          typename std::remove_reference_t<Optional>::value_type> {
  if (!value) [[unlikely]]
    report_broken(what, where);
  return *std::forward<Optional>(value);
}

}  // namespace haul
