#include "engine/http/checkpoint.h"

#include "base/json.h"
#include "base/request_value.h"

namespace haul::http {
namespace {

constexpr std::size_t kUsualLength = 400;

Checksum read_digest(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

// A part that has its target was complete but not flushed.
bool HttpCheckpoint::is_resumable() const {
  return file.target.empty() && version().is_strong() && here.total() > 0;
}

bool HttpCheckpoint::is_joinable() const {
  return file.target.empty() && file.size.has_value() && here.total() > 0;
}

std::string HttpCheckpoint::to_json() const {
  std::string json;
  json.reserve(kUsualLength);
  json += '{';
  file.append_members(json);
  io::append_member(json, "etag", etag);
  io::append_member(json, "last_modified", last_modified);
  io::append_member(json, "here", here.to_text());
  if (!digest.hex.empty()) io::append_member(json, "digest", digest.algorithm + ":" + digest.hex);
  if (!length_proven) json.append(R"(,"length_proven":false)");
  if (unchecked) json.append(R"(,"unchecked":true)");
  if (as_page) json.append(R"(,"as_page":true)");
  io::append_member(json, "source", source);
  if (alone) json.append(R"(,"alone":true)");
  if (agreed) json.append(R"(,"agreed":)").append(std::to_string(*agreed));
  io::append_member(json, "senders", senders);
  if (replaced) json.append(R"(,"replaced":true)");
  io::append_member(json, "former", former);
  if (arrivals.are_several()) io::append_member(json, "arrivals", arrivals.to_text());
  json += '}';
  return json;
}

HttpCheckpoint HttpCheckpoint::from_json(std::string_view json) {
  if (json.empty()) return {};
  const auto members = read_object(json);
  if (!members) return {};
  HttpCheckpoint read{.file = io::Checkpoint::from_members(*members)};
  for (const JsonField& member : *members) {
    if (member.is_null) continue;
    if (member.name == "etag") read.etag = member.text;
    if (member.name == "last_modified") read.last_modified = member.text;
    if (member.name == "digest") read.digest = read_digest(member.text);
    if (member.name == "length_proven") read.length_proven = member.text != "false";
    if (member.name == "unchecked") read.unchecked = member.text == "true";
    if (member.name == "as_page") read.as_page = member.text == "true";
    if (member.name == "source") read.source = member.text;
    if (member.name == "alone") read.alone = member.text == "true";
    if (member.name == "agreed") read.agreed = read_whole(member.text);
    if (member.name == "senders") read.senders = member.text;
    if (member.name == "replaced") read.replaced = member.text == "true";
    if (member.name == "former") read.former = member.text;
    if (member.name == "arrivals")
      read.arrivals = Arrivals::from_text(member.text).value_or(Arrivals{});
    if (member.name != "here") continue;
    auto here = Ranges::from_text(member.text);
    if (!here) return {};
    read.here = *std::move(here);
  }
  return read;
}

}  // namespace haul::http
