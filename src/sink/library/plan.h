#pragma once
// Decides where the files of a download go in the library: from the request, the files' names and
// the naming templates. It does no I/O, so that a preview shows exactly what an import will do.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seam/by_hand.h"
#include "sink/library/import_request.h"
#include "sink/library/naming.h"
#include "sink/library/select.h"

namespace haul::library {

struct ImportTemplates {
  NameTemplate movie;
  NameTemplate series;
  NameTemplate daily;
};

// The templates of a configuration that sets none.
ImportTemplates default_templates();

struct PlannedFile {
  std::string source;  // As the download lists it.
  std::string target;  // Below the library's folder for this kind. Every component is safe.
  std::int64_t size = 0;

  bool operator==(const PlannedFile&) const = default;
};

struct ImportPlan {
  LibraryKind kind = LibraryKind::movie;
  std::vector<PlannedFile> files{};  // At least one. Each video is followed by its subtitles.
  std::vector<SkippedFile> skipped{};
};

// The kind that a request says, by its field, its numbers or the name of its release. Nothing if
// only its files may say it.
std::optional<LibraryKind> kind_said(const ImportRequest& request);

// The fields of the request win over what names say, and what a person says by hand wins over both.
// If a download has several episodes, each keeps its own number. Refuses no_video, cannot_parse,
// ambiguous and two_for_one_target.
std::expected<ImportPlan, ImportRefusal> plan_import(const ImportRequest& request,
                                                     std::span<const ImportFile> files,
                                                     const ImportTemplates& templates,
                                                     std::span<const ByHand> by_hand = {});

}  // namespace haul::library
