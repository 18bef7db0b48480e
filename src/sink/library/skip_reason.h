#pragma once
// Why a file of a download is not imported, as far as its own path and size tell.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sink/library/select.h"

namespace haul::library {

// The size of the folder that all files share, with its slash. Its name says nothing about single
// files: "Extras/Extras.S01E01.mkv" is a series.
std::size_t shared_folder(std::span<const ImportFile> files);

// The reason word of SkippedFile. Empty if the file may be imported: a video or a subtitle. The
// path begins below the shared folder.
std::string_view skip_reason(std::string_view path, std::int64_t size);

// Whether it lies in the folder of a disc: BDMV, VIDEO_TS.
bool is_of_disc(std::string_view path);

// A sample is smaller than this part of the largest video.
inline constexpr std::int64_t kSampleShare = 4;

// The reason if the name says "sample" or "trailer". It only counts if the file is small, because
// films may have that name.
std::string_view reason_if_small(std::string_view path);

}  // namespace haul::library
