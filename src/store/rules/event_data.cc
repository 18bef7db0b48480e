#include "store/rules/event_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/redact.h"

namespace haul::rules {
namespace {

using Fields = std::vector<JsonField>;

// None for a request that is not an object.
Fields fields_of(std::string_view request) {
  auto fields = read_object(request);
  return fields ? *std::move(fields) : Fields{};
}

// As JSON. Nothing if the field is missing or null.
std::optional<std::string> field(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  if (found == fields.end() || found->is_null) return std::nullopt;
  return found->json;
}

// The first string of an array in canonical JSON, as JSON. Does not read the rest: a request may
// list a quarter of a million addresses.
std::string first_of(std::string_view array) {
  if (!array.starts_with(R"([")")) return "null";
  std::size_t end = 2;
  while (end < array.size() && array[end] != '"') end += array[end] == '\\' ? 2 : 1;
  if (end >= array.size()) return "null";
  return std::string{array.substr(1, end)};
}

std::string address(const Fields& fields) {
  if (auto url = field(fields, "url")) return *std::move(url);
  const auto urls = field(fields, "urls");
  return urls ? first_of(*urls) : "null";
}

std::string engine(const Fields& fields, std::string_view known) {
  if (!known.empty()) return json_quoted(known);
  return field(fields, "engine").value_or(R"("auto")");
}

}  // namespace

std::string added_data(const Requested& requested) {
  const Fields fields = fields_of(requested.request);
  return redacted_json(fmt::format(R"({{"url":{},"engine":{},"output_folder":{}}})",
                                   address(fields), engine(fields, requested.engine),
                                   field(fields, "folder").value_or("null")));
}

std::string started_data(const Requested& requested) {
  const Fields fields = fields_of(requested.request);
  return redacted_json(fmt::format(R"({{"url":{},"engine":{}}})", address(fields),
                                   engine(fields, requested.engine)));
}

std::string error_data(const NoteError& error) {
  return redacted_json(fmt::format(R"({{"error_message":{},"recoverable":{}}})",
                                   json_quoted(error.message), error.recoverable));
}

std::string done_data(std::string_view state, const Counts& counts) {
  return fmt::format(R"({{"status":{},"total_items":{},"completed_items":{},)"
                     R"("failed_items":{},"skipped_items":{}}})",
                     json_quoted(state), counts.total, counts.completed(), counts.failed,
                     counts.skipped);
}

std::string progress_data(const Counts& counts) {
  return fmt::format(R"({{"completed_items":{},"total_items":{}}})", counts.completed(),
                     counts.total);
}

std::string item_done_data(const EndedItem& item) {
  std::string data = R"({"file_id":)";
  append_quoted(data, item.key);
  data += R"(,"file_path":)";
  if (item.path)
    append_quoted(data, *item.path);
  else
    data += "null";
  data += item.counted == ItemCount::failed ? R"(,"success":false})" : R"(,"success":true})";
  return redacted_json(data);
}

}  // namespace haul::rules
