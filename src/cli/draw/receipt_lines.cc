#include "cli/draw/receipt_lines.h"

#include <fmt/core.h>

#include <vector>

#include "base/receipt.h"
#include "cli/draw/bytes.h"
#include "cli/draw/job_lines.h"

namespace haul::cli {
namespace {

std::string rule_of(const JsonView& receipt) {
  std::string rule = receipt.text("kind");
  if (const std::string was = receipt.text("was"); !was.empty()) rule += ", was " + was;
  if (receipt.flag("compared")) rule += ", its bytes were compared";
  return rule + (receipt.flag("unchecked") ? ", the certificate was not checked" : "");
}

std::string size_of(const JsonView& item) {
  const auto size = item.number("size");
  if (!size) return {};
  const bool is_decoded = item.object("evidence").flag("decoded");
  return fmt::format("{} bytes{}", count_text(*size), is_decoded ? ", decoded" : "");
}

std::string segments_of(const JsonView& receipt) {
  const auto segments = receipt.number("segments");
  return segments ? count_text(*segments) : "";
}

constexpr std::size_t kRangesMax = 32;  // A receipt has no more: the shortest are joined.

// How many replies brought the bytes. A file that came in one has no ranges. Without a strong
// validator haul compares only the size that each reply names, as it does for mirrors and for the
// bytes of a former link.
std::string ranges_of(const JsonView& receipt) {
  const std::size_t ranges = receipt.list("ranges").size();
  if (ranges == 0) return {};
  const std::string etag = receipt.text("etag");
  const bool is_strong =
      etag.empty() ? !receipt.text("last_modified").empty() : !etag.starts_with("W/");
  const bool is_one_source = receipt.text("sources").empty() && receipt.text("former_url").empty();
  return fmt::format("{}{}{}", ranges, ranges < kRangesMax ? "" : " or more",
                     is_strong && is_one_source ? ", each of this version" : "");
}

}  // namespace

std::string proof_of(const JsonView& item) {
  const ReceiptFacts facts = read_receipt(item.json("evidence"));
  const bool has_own = facts.kind != "hash" && !facts.hash.hex.empty();
  return facts.kind + (has_own ? ", " + facts.hash.algorithm : "") +
         (facts.unchecked ? ", unchecked" : "");
}

std::string receipt_lines(const JsonView& item, Colour colour) {
  const JsonView receipt = item.object("evidence");
  if (receipt.text("kind").empty()) return {};
  return fact_lines({{"file", item.text("path")},
                     {"rule", rule_of(receipt)},
                     {"size", size_of(item)},
                     {"sha256", receipt.text("sha256")},
                     {"sha512", receipt.text("sha512")},
                     {"sha1", receipt.text("sha1")},
                     {"md5", receipt.text("md5")},
                     {"pieces", receipt.text("pieces")},
                     {"etag", receipt.text("etag")},
                     {"last modified", receipt.text("last_modified")},
                     {"url", item.text("url")},
                     {"final url", receipt.text("url")},
                     {"former url", receipt.text("former_url")},
                     {"started over", receipt.text("started_over")},
                     {"sources", receipt.text("sources")},
                     {"ranges", ranges_of(receipt)},
                     {"segments", segments_of(receipt)},
                     {"engine", receipt.text("engine")},
                     {"beside", receipt.text("beside")},
                     {"landed", time_of(receipt, "landed_at")}},
                    colour);
}

}  // namespace haul::cli
