#include "engine/http/existing.h"

#include <string_view>

namespace haul::http {
namespace {

// The tag without the prefix W/. A weak tag also shows whether the file has changed.
std::string_view opaque(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return etag;
}

bool have_both(const std::string& one, const std::string& other) {
  return !one.empty() && !other.empty();
}

// Compares what both sides have: tags, or else dates and sizes.
bool is_same(const Receipt& receipt, const Reply& reply, engine::IfExists existing) {
  const ReceiptFacts was = read_receipt(receipt.evidence);
  const Given& now = reply.given;
  const bool has_any =
      have_both(was.etag, now.etag) || have_both(was.last_modified, now.last_modified);
  if (!has_any && existing == engine::IfExists::update) return false;
  if (have_both(was.etag, now.etag)) return opaque(was.etag) == opaque(now.etag);
  if (have_both(was.last_modified, now.last_modified) && was.last_modified != now.last_modified)
    return false;
  const std::int64_t size = reply.version.size.value_or(0);
  return was.decoded || size == 0 || size == receipt.size;
}

}  // namespace

// A server that refuses a HEAD request gives no validators. An update needs them, so it requests
// the file instead.
LookStep judge_look(const Receipt& receipt, const Reply& reply, engine::IfExists existing) {
  const bool refuses = reply.fault.kind == FaultKind::permanent || reply.fault.code == "http_500";
  switch (reply.meaning) {
    case Meaning::moved:
      return LookStep::hop;
    case Meaning::fault:
      if (!refuses) return LookStep::fail;
      return existing == engine::IfExists::update ? LookStep::fetch : LookStep::here;
    case Meaning::whole:
    case Meaning::coded:
    case Meaning::part:
    case Meaning::complete:
    case Meaning::changed:
      break;
  }
  return is_same(receipt, reply, existing) ? LookStep::here : LookStep::fetch;
}

Given agreed(const Given& before, const Given& now) {
  Given both = now;
  if (have_both(before.etag, now.etag) && opaque(before.etag) != opaque(now.etag))
    both.etag.clear();
  if (have_both(before.last_modified, now.last_modified) &&
      before.last_modified != now.last_modified)
    both.last_modified.clear();
  return both;
}

bool is_dropped(const Fault& fault) {
  return fault.code == "connection_lost" || fault.code == "bad_answer" || fault.code == "truncated";
}

}  // namespace haul::http
