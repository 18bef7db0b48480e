#include "flow/own_limits.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace haul {
namespace {

const JsonField* find(std::span<const JsonField> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? nullptr : &*found;
}

std::unexpected<std::string> wrong(const JsonField& field, std::string_view expected) {
  return std::unexpected{
      fmt::format("request.limits.{}: {} is not {}", field.name, field.json, expected)};
}

}  // namespace

std::expected<OwnLimits, std::string> read_own_limits(std::span<const JsonField> request) {
  OwnLimits own;
  const JsonField* const limits = find(request, "limits");
  if (!limits) return own;
  const auto fields = read_object(limits->json);
  if (!fields) return std::unexpected{"request.limits: expected an object"};
  if (const JsonField* field = find(*fields, "per_host")) {
    const char* const end = field->json.data() + field->json.size();
    const auto read = std::from_chars(field->json.data(), end, own.at_once);
    if (read.ec != std::errc{} || read.ptr != end || own.at_once == 0 ||
        own.at_once > kOwnAtOnceMax)
      return wrong(*field, "a whole number from 1 to 1000");
  }
  if (const JsonField* field = find(*fields, "delay")) {
    const auto delay = read_duration(field->text);
    if (!delay || *delay < Millis{0} || *delay > kOwnApartMax)
      return wrong(*field, "a duration from 0 to 1h (e.g. \"2s\")");
    own.apart = *delay;
  }
  return own;
}

}  // namespace haul
