#include "flow/request.h"

namespace haul {
namespace {

constexpr RequestField kBookFields[] = {
    {"book_id", true}, {"title"},      {"media_type", true},       {"uri", true},
    {"source", true},  {"source_url"}, {"delete_files_on_cancel"},
};
constexpr RequestField kMediaFields[] = {
    {"kind"},   {"title", true},        {"year"}, {"season"}, {"episode"}, {"quality"}, {"uri"},
    {"engine"}, {"release_name", true},
};
constexpr RequestField kBatchFields[] = {
    {"url"},       {"urls"},     {"engine"}, {"folder"},   {"filters"}, {"discover"},
    {"pages_max"}, {"cookies"},  {"proxy"},  {"checksum"}, {"headers"}, {"user_agent"},
    {"name"},      {"segments"}, {"limits"}, {"naming"},   {"logins"},  {"netrc"},
};
constexpr RequestField kRelayFields[] = {
    {"user_id", true}, {"chat_id", true}, {"file_id", true}, {"nonce", true}};
constexpr RequestField kImageFields[] = {{"prompt", true}, {"params"}};

}  // namespace

std::span<const RequestField> request_fields(const Lifecycle& lifecycle) {
  if (lifecycle.name == "book") return kBookFields;
  if (lifecycle.name == "media") return kMediaFields;
  if (lifecycle.name == "batch") return kBatchFields;
  if (lifecycle.name == "relay") return kRelayFields;
  if (lifecycle.name == "image") return kImageFields;
  return {};
}

}  // namespace haul
