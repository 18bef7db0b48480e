#include "store/rules/event_data.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/json_plain.h"
#include "base/redact.h"

namespace haul::rules {
namespace {

constexpr std::size_t kNoteBytes = 256;  // Most notes have less.

// The members of a request. None for one that is not an object.
class Fields {
 public:
  explicit Fields(std::string_view request) {
    if (auto plain = plain_members(request)) {
      members_ = *std::move(plain);
      return;
    }
    if (auto read = read_object(request)) read_ = *std::move(read);
    for (const JsonField& field : read_) members_.push_back({field.name, field.json});
  }

  // As JSON. Nothing if it is absent or null.
  std::optional<std::string_view> find(std::string_view name) const {
    const auto found = std::ranges::find(members_, name, &JsonMember::name);
    if (found == members_.end() || found->json == "null") return std::nullopt;
    return found->json;
  }
  std::optional<std::string_view> find(const RequestForm& form, FieldUse use) const {
    const RequestField* field = field_with(form, use);
    return field ? find(field->name) : std::nullopt;
  }

 private:
  std::vector<JsonField> read_;  // What the members are views of, if the library read them.
  std::vector<JsonMember> members_;
};

// The first string of an array in canonical JSON, as JSON. Does not read the rest: a request may
// list a quarter of a million addresses.
std::string_view first_of(std::string_view array) {
  if (!array.starts_with(R"([")")) return "null";
  std::size_t end = 2;
  while (end < array.size() && array[end] != '"') end += array[end] == '\\' ? 2 : 1;
  if (end >= array.size()) return "null";
  return array.substr(1, end);
}

// The first address that is given, as JSON.
std::string_view address(const Requested& requested, const Fields& fields) {
  for (const RequestField& field : requested.form.fields) {
    if (field.use != FieldUse::address) continue;
    if (const auto given = fields.find(field.name))
      return field.type == FieldType::list ? first_of(*given) : *given;
  }
  return "null";
}

void append_engine(std::string& out, const Requested& requested, const Fields& fields) {
  if (!requested.engine.empty()) return append_quoted(out, requested.engine);
  out += fields.find(requested.form, FieldUse::engine).value_or(R"("auto")");
}

// {"url":...,"engine":... without the closing brace.
std::string begin_note(const Requested& requested, const Fields& fields) {
  std::string data;
  data.reserve(kNoteBytes);
  data.append(R"({"url":)").append(address(requested, fields)).append(R"(,"engine":)");
  append_engine(data, requested, fields);
  return data;
}

std::string quoted_or_null(const std::optional<std::string_view>& text) {
  return text ? json_quoted(*text) : "null";
}

}  // namespace

Note added_note(const Requested& requested) {
  const Fields fields{requested.request};
  std::string data = begin_note(requested, fields);
  data.append(R"(,"output_folder":)")
      .append(fields.find(requested.form, FieldUse::folder).value_or("null"))
      .append("}");
  return {"JOB_ADDED", redacted_json(data)};
}

Note started_note(const Requested& requested) {
  return {"JOB_STARTED", redacted_json(begin_note(requested, Fields{requested.request}) + "}")};
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
