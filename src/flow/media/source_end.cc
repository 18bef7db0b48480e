#include "flow/media/source_end.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"

namespace haul::flow {
namespace {

constexpr std::size_t kToldMax = 1'000;  // An event has room for so many files.

// The last one is the first that a user must hear of.
constexpr std::array kByWeight{Removal::already_gone, Removal::trashed, Removal::deleted,
                               Removal::kept_unsafe};

std::string end_json(const SourceEnd& end) {
  std::string json =
      fmt::format(R"({{"path":{},"outcome":"{}")", json_quoted(end.path), name(end.outcome));
  if (!end.detail.empty()) json += R"(,"detail":)" + json_quoted(end.detail);
  return json + "}";
}

}  // namespace

std::string_view name(Removal outcome) {
  switch (outcome) {
    case Removal::deleted:
      return "deleted";
    case Removal::trashed:
      return "trashed";
    case Removal::kept_unsafe:
      return "kept_unsafe";
    case Removal::already_gone:
      return "already_gone";
  }
  return "?";  // Not reached: the switch is complete.
}

Removal removal_named(std::string_view word) {
  for (const Removal outcome : kByWeight)
    if (name(outcome) == word) return outcome;
  return Removal::kept_unsafe;
}

Removal worst_of(std::span<const SourceEnd> ends) {
  const auto weight = [](Removal outcome) { return std::ranges::find(kByWeight, outcome); };
  if (ends.empty()) return Removal::kept_unsafe;
  Removal worst = ends.front().outcome;
  for (const SourceEnd& end : ends)
    if (weight(end.outcome) > weight(worst)) worst = end.outcome;
  return worst;
}

std::string kept_text(std::span<const SourceEnd> ends) {
  const auto is_kept = [](const SourceEnd& end) { return end.outcome == Removal::kept_unsafe; };
  const auto kept = std::ranges::count_if(ends, is_kept);
  if (ends.empty()) return "haul has no list of its source files, so they stay";
  if (kept == 0) return {};
  const SourceEnd& first = *std::ranges::find_if(ends, is_kept);
  return fmt::format("{} of {} files {}: {}{}", kept, ends.size(), kept == 1 ? "stays" : "stay",
                     printable(first.path),
                     first.detail.empty() ? "" : fmt::format(" ({})", printable(first.detail)));
}

std::string cleaned_json(const ImportReceipt& receipt, std::span<const SourceEnd> ends) {
  std::string json = receipt.to_json();
  json.pop_back();  // The brace: more members follow.
  json += R"(,"sources":[)";
  for (std::size_t i = 0; i < std::min(ends.size(), kToldMax); ++i)
    json += (i == 0 ? "" : ",") + end_json(ends[i]);
  json += "]";
  if (ends.size() > kToldMax) json += fmt::format(R"(,"more_sources":{})", ends.size() - kToldMax);
  return json + "}";
}

SourceFile source_of(const ManifestEntry& entry) {
  return {.root = entry.root,
          .path = entry.path,
          .device = entry.device,
          .inode = entry.inode,
          .size = entry.size,
          .mtime_ns = entry.mtime_ns};
}

std::vector<ManifestEntry> entries_of(std::span<const SourceFile> files) {
  std::vector<ManifestEntry> entries;
  entries.reserve(files.size());
  for (const SourceFile& file : files)
    entries.push_back({.id = {},
                       .made_by = MadeBy::client,
                       .root = file.root,
                       .path = file.path,
                       .device = file.device,
                       .inode = file.inode,
                       .size = file.size,
                       .mtime_ns = file.mtime_ns});
  return entries;
}

std::string path_of(const ManifestEntry& entry) { return entry.root + "/" + entry.path; }

}  // namespace haul::flow
