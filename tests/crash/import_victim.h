#pragma once
// What the import victim and the test that kills it share: a season pack, its manifest as a file,
// and the words of the victim's command.

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "seam/source_file.h"

namespace haul::testing {

inline constexpr const char* kPackStore = "a1b2c3d4e5f6";
inline constexpr const char* kPackRequest =
    R"({"kind":"series","title":"Show","release_name":"Show.S01.1080p.WEB-DL.x264-GRP"})";

// The victim makes a call with this in its arguments right before it imports.
inline constexpr const char* kVictimBegins = "/haul-victim-begins";

// In the victim's store folder: what a real store has of the job.
inline constexpr const char* kManifestFile = "manifest";  // Written before the import.
inline constexpr const char* kLandedFile = "landed";      // The evidence. Written after it.

inline void write_manifest(const std::filesystem::path& store, std::span<const SourceFile> files) {
  std::ofstream out{store / kManifestFile};
  for (const SourceFile& file : files)
    out << file.device << ' ' << file.inode << ' ' << file.size << ' ' << file.mtime_ns << ' '
        << file.path << '\n';
}

inline std::vector<SourceFile> read_manifest(const std::filesystem::path& store,
                                             const std::filesystem::path& downloads) {
  std::vector<SourceFile> files;
  std::ifstream in{store / kManifestFile};
  for (SourceFile file{.root = downloads.string()};
       in >> file.device >> file.inode >> file.size >> file.mtime_ns && in.get() == ' ' &&
       std::getline(in, file.path);)
    files.push_back(file);
  return files;
}

}  // namespace haul::testing
