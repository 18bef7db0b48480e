#include "cli/remote/json_body.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::cli {

JsonBody& JsonBody::text(std::string_view name, const std::string& value) {
  return value.empty() ? *this : json(name, json_quoted(value));
}

JsonBody& JsonBody::json(std::string_view name, const std::string& value) {
  body_ += fmt::format("{}\"{}\":{}", body_.empty() ? "" : ",", name, value);
  return *this;
}

}  // namespace haul::cli
