#pragma once
// Finds the video that a subtitle belongs to, by its name.

#include <span>

#include "sink/library/select.h"

namespace haul::library {

// Adds each subtitle to the video whose name it has, with or without tags behind it such as
// ".en.forced". It lies beside the video, or in a folder "Subs" there. All others are skipped.
void match_subtitles(std::span<const ImportFile> subtitles, ImportSelection& selection);

}  // namespace haul::library
