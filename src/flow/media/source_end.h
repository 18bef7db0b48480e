#pragma once
// What became of the source files of a film, for its last event.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/media/receipt.h"
#include "store/manifest.h"

namespace haul::flow {

struct SourceEnd {
  std::string path;  // Absolute.
  Removal outcome = Removal::kept_unsafe;
  std::string detail{};

  bool operator==(const SourceEnd&) const = default;
};

// "kept_unsafe"
std::string_view name(Removal outcome);
// A word that is no outcome is kept_unsafe: it does not say that the file is gone.
Removal removal_named(std::string_view word);

// The outcome that a user must hear of first. A film without a listed file keeps its source.
Removal worst_of(std::span<const SourceEnd> ends);
// "1 of 3 files stays: /in/a.mkv (it has changed)". Empty if none stays.
std::string kept_text(std::span<const SourceEnd> ends);
// What was compared, and what became of each source.
std::string cleaned_json(const ImportReceipt& receipt, std::span<const SourceEnd> ends);

// The manifest's entries as the seam has them, and back.
SourceFile source_of(const ManifestEntry& entry);
std::vector<ManifestEntry> entries_of(std::span<const SourceFile> files);
std::string path_of(const ManifestEntry& entry);

}  // namespace haul::flow
