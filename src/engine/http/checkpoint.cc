#include "engine/http/checkpoint.h"

#include <charconv>
#include <map>

#include "base/json.h"

namespace haul {
namespace {

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string Checkpoint::to_json() const {
  // Put together by hand: it is written for each file, however small.
  std::string json = R"({"inode":)" + std::to_string(inode);
  const auto add = [&json](std::string_view field, const std::string& value) {
    json.append(",\"").append(field).append("\":").append(value);
  };
  add("name", json_quoted(name));
  add("part", json_quoted(part));
  add("etag", json_quoted(version.etag));
  add("last_modified", json_quoted(version.last_modified));
  add("size", version.size ? std::to_string(*version.size) : "null");
  add("here", json_quoted(here.to_text()));
  add("boot", json_quoted(boot));
  add("target", json_quoted(target));
  add("digest", json_quoted(digest.hex.empty() ? "" : digest.algorithm + ":" + digest.hex));
  add("length_proven", length_proven ? "true" : "false");
  return json + "}";
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
  const std::string& digest = by_name["digest"].text;
  if (const auto colon = digest.find(':'); colon != std::string::npos)
    read.digest = {digest.substr(0, colon), digest.substr(colon + 1)};
  return read;
}

}  // namespace haul
