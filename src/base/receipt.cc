#include "base/receipt.h"

#include <fmt/core.h>

#include <array>

#include "base/json.h"

namespace haul {
namespace {

constexpr std::string_view kKind = R"({"kind":)";
constexpr std::string_view kCompared = R"(,"compared":true)";
constexpr std::string_view kMtime = R"("mtime":")";
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
    if (member.name == "started_over") facts.started_over = member.text;
    if (member.name == "decoded") facts.decoded = member.json == "true";
    if (member.name == "unchecked") facts.unchecked = member.json == "true";
    if (member.name == "compared") facts.compared = member.json == "true";
  }
  for (const std::string_view algorithm : kAlgorithms)  // The strongest one comes first.
    for (const JsonField& member : *members)
      if (facts.hash.hex.empty() && member.name == algorithm)
        facts.hash = {member.name, member.text};
  return facts;
}

std::string evidence_of_earlier(std::string_view evidence, std::string_view mtime) {
  const ReceiptFacts facts = read_receipt(evidence);
  std::string made{evidence};
  if (const std::size_t at = made.find(std::string{kMtime} + facts.mtime);
      !facts.mtime.empty() && facts.mtime != mtime && at != std::string::npos)
    made.replace(at, kMtime.size() + facts.mtime.size(), std::string{kMtime}.append(mtime));
  if (const std::size_t at = made.find(kCompared); facts.compared && at != std::string::npos)
    made.erase(at, kCompared.size());
  if (facts.kind == kAlreadyHere || !evidence.starts_with(kKind)) return made;
  made.erase(0, kKind.size());
  return fmt::format(R"({}"{}","was":{})", kKind, kAlreadyHere, made);
}

std::string evidence_of_compared(std::string_view evidence, std::string_view mtime) {
  std::string made = evidence_of_earlier(evidence, mtime);
  if (made.ends_with('}')) made.insert(made.size() - 1, kCompared);
  return made;
}

}  // namespace haul
