#pragma once
// Opens the files that a client fetched: below their root, through no link, and only if they are
// unchanged since they were listed.

#include <string>

#include "io/file/beneath.h"
#include "seam/source_file.h"

namespace haul::library {

// Whether an entry is the file that was listed, unchanged since.
bool is_listed(const io::EntrySeen& seen, const SourceFile& listed);

// Fault `root_not_mounted` (environment) if the root is an empty folder on another disk than the
// file was on: that disk is not mounted. haul puts nothing into such a folder.
[[nodiscard]] Result<void> check_source_root(const io::Descriptor& root, const SourceFile& listed);

// Opens a source for reading. Fault `source_changed` (retryable) if it changed since it was listed,
// `source_missing` (permanent) if it is gone, or that of check_source_root().
Result<io::File> open_source(const SourceFile& listed);

// "/srv/torrents/Film/film.mkv", to show.
std::string shown_source(const SourceFile& listed);

}  // namespace haul::library
