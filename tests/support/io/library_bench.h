#pragma once
// Downloads and a library in a temporary folder, for tests of imports and cleans.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/file/beneath.h"
#include "io/file/room.h"
#include "seam/source_file.h"
#include "sink/library/import_file.h"
#include "sink/library/known_hashes.h"
#include "support/flow/turned_clock.h"
#include "support/io/temp_folder.h"

namespace haul::testing {

inline constexpr const char* kTestStore = "a1b2c3d4e5f6";

class LibraryBench {
 public:
  LibraryBench() {
    std::filesystem::create_directory(downloads());
    std::filesystem::create_directory(movies());
  }

  std::filesystem::path downloads() const { return temp_ / "downloads"; }
  std::filesystem::path movies() const { return temp_ / "movies"; }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << text;
  }
  static std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
  }

  // A file below a download root, as it looks now.
  static SourceFile listed_below(const std::filesystem::path& downloads, const std::string& path) {
    const io::Descriptor root = io::open_root(downloads).value();
    const io::SplitPath split = io::split_path(path);
    const io::Descriptor folder =
        io::open_folder_beneath(root, split.folder, io::Mounts::cross).value();
    const io::EntrySeen seen = io::seen_in(folder, split.name).value();
    return {.root = downloads.string(),
            .path = path,
            .device = seen.device,
            .inode = seen.inode,
            .size = seen.size,
            .mtime_ns = seen.mtime_ns};
  }
  SourceFile listed(const std::string& path) const { return listed_below(downloads(), path); }
  SourceFile download(const std::string& path, const std::string& text) const {
    write(downloads() / path, text);
    return listed(path);
  }

  // All files below a folder, with their bytes: "a/b=text c=text". Links are shown as links.
  static std::string tree(const std::filesystem::path& folder) {
    std::set<std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
      const std::string path = entry.path().lexically_relative(folder).string();
      if (entry.is_symlink())
        lines.insert(path + "->" + std::filesystem::read_symlink(entry.path()).string());
      else if (entry.is_regular_file())
        lines.insert(path + "=" + text_of(entry.path()));
      else if (std::filesystem::is_empty(entry.path()))
        lines.insert(path + "/");
    }
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : " ") + line;
    return text;
  }

  library::ImportEnv env(const std::vector<library::ImportBy>& methods) {
    return {.methods = methods, .space = space, .clock = clock, .hashes = hashes};
  }

  TurnedClock clock;
  io::DiskSpace space{io::KeepFree{0}};
  library::KnownHashes hashes;

 private:
  TempFolder temp_;
};

}  // namespace haul::testing
