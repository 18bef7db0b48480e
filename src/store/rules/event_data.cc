#include "store/rules/event_data.h"

#include <fmt/core.h>

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

// The first string of an array in canonical JSON, as JSON. Does not read the rest: a request may
// list a quarter of a million addresses.
std::string first_of(std::string_view array) {
  if (!array.starts_with(R"([")")) return "null";
  std::size_t end = 2;
  while (end < array.size() && array[end] != '"') end += array[end] == '\\' ? 2 : 1;
  if (end >= array.size()) return "null";
  return std::string{array.substr(1, end)};
}

// The first address that is given, as JSON.
std::string address(const Requested& requested, const Fields& fields) {
  for (const RequestField& field : requested.form.fields) {
    if (field.use != FieldUse::address) continue;
    if (const JsonField* given = find_field(fields, field.name))
      return field.type == FieldType::list ? first_of(given->json) : given->json;
  }
  return "null";
}

std::string engine(const Requested& requested, const Fields& fields) {
  if (!requested.engine.empty()) return json_quoted(requested.engine);
  const JsonField* given = find_field(fields, requested.form, FieldUse::engine);
  return given ? given->json : R"("auto")";
}

std::string folder(const Requested& requested, const Fields& fields) {
  const JsonField* given = find_field(fields, requested.form, FieldUse::folder);
  return given ? given->json : "null";
}

std::string quoted_or_null(const std::optional<std::string_view>& text) {
  return text ? json_quoted(*text) : "null";
}

}  // namespace

Note added_note(const Requested& requested) {
  const Fields fields = fields_of(requested.request);
  return {"JOB_ADDED",
          redacted_json(fmt::format(R"({{"url":{},"engine":{},"output_folder":{}}})",
                                    address(requested, fields), engine(requested, fields),
                                    folder(requested, fields)))};
}

Note started_note(const Requested& requested) {
  const Fields fields = fields_of(requested.request);
  return {"JOB_STARTED",
          redacted_json(fmt::format(R"({{"url":{},"engine":{}}})", address(requested, fields),
                                    engine(requested, fields)))};
}

Note error_note(const NoteError& error) {
  return {"JOB_ERROR", redacted_json(fmt::format(R"({{"error_message":{},"recoverable":{}}})",
                                                 json_quoted(error.message), error.recoverable))};
}

Note cancelled_note() { return {"JOB_CANCELLED"}; }

Note done_note(std::string_view state, const Counts& counts) {
  return {"JOB_DONE", fmt::format(R"({{"status":{},"total_items":{},"completed_items":{},)"
                                  R"("failed_items":{},"skipped_items":{}}})",
                                  json_quoted(state), counts.total, counts.completed(),
                                  counts.failed, counts.skipped)};
}

Note progress_note(const Counts& counts) {
  return {"JOB_PROGRESS", fmt::format(R"({{"completed_items":{},"total_items":{}}})",
                                      counts.completed(), counts.total)};
}

Note item_done_note(const EndedItem& item) {
  std::string data = R"({"file_id":)";
  append_quoted(data, item.key);
  data += R"(,"file_path":)";
  if (item.path)
    append_quoted(data, *item.path);
  else
    data += "null";
  data += item.counted == ItemCount::failed ? R"(,"success":false})" : R"(,"success":true})";
  return {"ITEM_DONE", redacted_json(data)};
}

Note outcome_unknown_note(std::string_view act, std::string_view why) {
  return {"OUTCOME_UNKNOWN", redacted_json(fmt::format(R"({{"act":{},"detail":{}}})",
                                                       json_quoted(act), json_quoted(why)))};
}

std::string_view status_after(AssetLoss loss) {
  return loss == AssetLoss::deleted ? "deleted" : "missing";
}

Note asset_lost_note(const LostAsset& asset) {
  return {"ASSET_LOST",
          redacted_json(
              fmt::format(R"({{"asset":{},"book":{},"media_type":{},"status":{},"path":{}}})",
                          asset.id.value, quoted_or_null(asset.book), json_quoted(asset.media_type),
                          json_quoted(status_after(asset.loss)), quoted_or_null(asset.path)))};
}

}  // namespace haul::rules
