#include "engine/http/existing.h"

#include <string_view>

namespace haul::http {
namespace {

// The tag without its mark of weakness: a weak tag tells whether the file is another one, too.
std::string_view opaque(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return etag;
}

// Compares what both sides have: tags, or else dates and sizes.
bool is_same(const Receipt& receipt, const Reply& reply) {
  const ReceiptFacts was = read_receipt(receipt.evidence);
  const Given& now = reply.given;
  if (!was.etag.empty() && !now.etag.empty()) return opaque(was.etag) == opaque(now.etag);
  if (!was.last_modified.empty() && !now.last_modified.empty() &&
      was.last_modified != now.last_modified)
    return false;
  return was.decoded || !reply.version.size || *reply.version.size == receipt.size;
}

}  // namespace

// A server that refuses to be asked without a body has no validators. An update wants to know, so
// it asks for the file then.
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
  return is_same(receipt, reply) ? LookStep::here : LookStep::fetch;
}

}  // namespace haul::http
