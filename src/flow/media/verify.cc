// Compares what haul imported with what the media server lists.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "base/planted_bug.h"
#include "flow/media/receipt.h"

namespace haul::flow {

std::optional<ImportReceipt> verify(const Landing& landing, const Indexed& seen) {
  if (planted(PlantedBug::completion_by_id)) return ImportReceipt{landing, seen};
  if (landing.files.empty()) return std::nullopt;
  const auto is_listed = [&](const PlacedFile& file) {
    return !file.path.empty() && std::ranges::find(seen.files, file) != seen.files.end();
  };
  if (planted(PlantedBug::proof_of_one_file) && std::ranges::any_of(landing.files, is_listed))
    return ImportReceipt{landing, seen};
  if (!std::ranges::all_of(landing.files, is_listed)) return std::nullopt;
  return ImportReceipt{landing, seen};
}

std::string ImportReceipt::to_json() const {
  std::string files;
  for (const PlacedFile& file : landing_.files)
    files += fmt::format(R"({}{{"path":{},"size":{}}})", files.empty() ? "" : ",",
                         json_quoted(file.path), file.size);
  std::string json = fmt::format(R"({{"files":[{}])", files);
  if (!by_.empty())
    json += fmt::format(R"(,"proof":{{"by":{},"match":{}}})", json_quoted(by_),
                        match_.empty() ? "null" : json_quoted(match_));
  return json + "}";
}

}  // namespace haul::flow
