#include "io/file/checkpoint.h"

#include <charconv>

namespace haul::io {
namespace {

constexpr std::size_t kUsualLength = 300;

template <class Number>
Number number_of(const std::string& text) {
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void append_member(std::string& json, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  json.append(",\"").append(name).append("\":");
  append_quoted(json, text);
}

// Built by hand and without empty members, because every file has one written, however small.
void Checkpoint::append_members(std::string& json) const {
  json.append(R"("inode":)").append(std::to_string(inode));
  if (name != target) append_member(json, "name", name);
  append_member(json, "part", part);
  if (size) json.append(R"(,"size":)").append(std::to_string(*size));
  append_member(json, "boot", boot);
  append_member(json, "target", target);
}

std::string Checkpoint::to_json() const {
  std::string json;
  json.reserve(kUsualLength);
  json += '{';
  append_members(json);
  json += '}';
  return json;
}

Checkpoint Checkpoint::from_members(std::span<const JsonField> members) {
  Checkpoint read;
  for (const JsonField& member : members) {
    if (member.is_null) continue;
    if (member.name == "name") read.name = member.text;
    if (member.name == "part") read.part = member.text;
    if (member.name == "inode") read.inode = number_of<std::uint64_t>(member.text);
    if (member.name == "size") read.size = number_of<std::int64_t>(member.text);
    if (member.name == "boot") read.boot = member.text;
    if (member.name == "target") read.target = member.text;
  }
  if (read.name.empty()) read.name = read.target;
  return read;
}

Checkpoint Checkpoint::from_json(std::string_view json) {
  if (json.empty()) return {};
  const auto members = read_object(json);
  return members ? from_members(*members) : Checkpoint{};
}

}  // namespace haul::io
