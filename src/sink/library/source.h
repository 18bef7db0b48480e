#pragma once
// The files that a client fetched, opened again: below their root, through no link, and only if
// they are still what was listed.

#include <string>

#include "io/file/beneath.h"
#include "seam/source_file.h"

namespace haul::library {

// Whether an entry is the file that was listed, unchanged since.
bool is_listed(const io::EntrySeen& seen, const SourceFile& listed);

// The fault of a source that is not below its root. If the root is an empty folder on another disk
// than the file was on, that disk is not mounted: `root_not_mounted` (environment). Otherwise
// `source_missing` (permanent).
Fault source_gone(const io::Descriptor& root, const SourceFile& listed);

// Opens a source for reading. Fault `source_changed` (retryable) if it is not what was listed, or
// one of source_gone().
Result<io::File> open_source(const SourceFile& listed);

// "/srv/torrents/Film/film.mkv", to show.
std::string shown_source(const SourceFile& listed);

}  // namespace haul::library
