#include "base/receipt.h"

#include <array>

#include "base/json.h"

namespace haul {
namespace {

constexpr std::string_view kKind = R"({"kind":)";
constexpr std::array<std::string_view, 4> kAlgorithms = {"sha256", "sha512", "sha1", "md5"};

}  // namespace

ReceiptFacts read_receipt(std::string_view evidence) {
  const auto members = read_object(evidence);
  if (!members) return {};
  ReceiptFacts facts;
  for (const JsonField& member : *members) {
    if (member.is_null) continue;
    if (member.name == "kind") facts.kind = member.text;
    if (member.name == "etag") facts.etag = member.text;
    if (member.name == "last_modified") facts.last_modified = member.text;
    if (member.name == "mtime") facts.mtime = member.text;
    if (member.name == "name") facts.name = member.text;
    if (member.name == "beside") facts.beside = member.text;
    if (member.name == "decoded") facts.decoded = member.json == "true";
  }
  for (const std::string_view algorithm : kAlgorithms)  // The strongest one comes first.
    for (const JsonField& member : *members)
      if (facts.hash.hex.empty() && member.name == algorithm)
        facts.hash = {member.name, member.text};
  return facts;
}

std::string evidence_of_earlier(std::string_view evidence) {
  const std::string kind = read_receipt(evidence).kind;
  if (kind == kAlreadyHere || !evidence.starts_with(kKind)) return std::string{evidence};
  std::string made{kKind};
  append_quoted(made, kAlreadyHere);
  made += R"(,"was":)";
  return made.append(evidence.substr(kKind.size()));
}

}  // namespace haul
