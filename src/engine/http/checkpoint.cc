#include "engine/http/checkpoint.h"

#include <charconv>
#include <map>

#include "base/json.h"

namespace haul {
namespace {

constexpr std::size_t kUsualLength = 400;

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string Checkpoint::to_json() const {
  // Built by hand and without empty fields, because every file has one written, however small.
  std::string json;
  json.reserve(kUsualLength);
  json.append(R"({"inode":)").append(std::to_string(inode));
  const auto add = [&json](std::string_view field, std::string_view text) {
    if (text.empty()) return;
    json.append(",\"").append(field).append("\":");
    append_quoted(json, text);
  };
  if (name != target) add("name", name);
  add("part", part);
  add("etag", version.etag);
  add("last_modified", version.last_modified);
  if (version.size) json.append(R"(,"size":)").append(std::to_string(*version.size));
  add("here", here.to_text());
  add("boot", boot);
  add("target", target);
  if (!digest.hex.empty()) add("digest", digest.algorithm + ":" + digest.hex);
  if (!length_proven) json.append(R"(,"length_proven":false)");
  json += '}';
  return json;
}

Checkpoint Checkpoint::from_json(std::string_view json) {
  if (json.empty()) return {};
  const auto fields = read_object(json);
  if (!fields) return {};
  std::map<std::string, JsonField> by_name;
  for (const JsonField& field : *fields) by_name[field.name] = field;
  const auto here = Ranges::from_text(by_name["here"].text);
  if (!here) return {};
  Checkpoint read{.name = by_name["name"].text,
                  .part = by_name["part"].text,
                  .inode = number_of<std::uint64_t>(by_name["inode"].text),
                  .version = {by_name["etag"].text, by_name["last_modified"].text, std::nullopt},
                  .here = *here,
                  .boot = by_name["boot"].text,
                  .target = by_name["target"].text,
                  .length_proven = by_name["length_proven"].text != "false"};
  if (by_name.contains("size") && !by_name["size"].is_null)
    read.version.size = number_of<std::int64_t>(by_name["size"].text);
  if (read.name.empty()) read.name = read.target;
  const std::string& digest = by_name["digest"].text;
  if (const auto colon = digest.find(':'); colon != std::string::npos)
    read.digest = {digest.substr(0, colon), digest.substr(colon + 1)};
  return read;
}

}  // namespace haul
