#pragma once
// What a sink would do with the files of a job: the answer to a dry run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace haul {

struct PreviewFile {
  std::string source;  // As the download lists it.
  std::string target;  // Where it would go. Empty if it would stay out.
  // The ways that would be tried, in order; "skip" if it would stay out. Empty if that is unknown.
  std::string how;
  std::int64_t size = 0;
  std::string reason{};  // Why it would stay out: a stable word.

  bool operator==(const PreviewFile&) const = default;
};

// Why nothing can be done, and how a user mends it.
struct ImportProblem {
  std::string code;
  std::string detail;
  std::string fix{};  // A sentence or a command. Empty if none is known.

  bool operator==(const ImportProblem&) const = default;
};

// The download is not complete, so its files are not known yet.
inline constexpr const char* kFilesUnknown = "files_unknown";

struct ImportPreview {
  std::vector<PreviewFile> files{};  // With a problem, all files, none with a target.
  std::optional<ImportProblem> problem{};

  bool operator==(const ImportPreview&) const = default;
};

}  // namespace haul
