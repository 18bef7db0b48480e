#pragma once
// Writes a flat JSON object field by field. A reply may contain thousands of jobs, and building a
// tree to print it once costs more than the rest of the reply.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace haul::api {

class JsonObject {
 public:
  JsonObject() { out_.reserve(1'024); }

  void number(std::string_view name, std::int64_t value);
  void flag(std::string_view name, bool value);
  void text(std::string_view name, std::string_view value);
  void text_or_null(std::string_view name, std::string_view value);  // Null if empty.
  void number_or_null(std::string_view name, std::int64_t value);    // Null if zero.
  void time(std::string_view name, Time value);
  void time_or_null(std::string_view name, const std::optional<Time>& value);
  void json(std::string_view name, std::string_view value);

  std::string take() { return std::move(out_) + "}"; }

 private:
  void begin(std::string_view name);

  std::string out_ = "{";
};

}  // namespace haul::api
