#pragma once
// Which folders files may be put in. Every engine opens the folder of a job through this.

#include <filesystem>
#include <vector>

#include "io/folder.h"

namespace haul {

struct Destinations {
  // Every job's folder lies in it. Links on the way to the root are followed, those below it are
  // not. Empty: a job may name any folder.
  std::filesystem::path root;
  // Folders that hold haul's own data. None of them is ever a destination, by any name.
  std::vector<std::filesystem::path> barred;
};

// Opens the folder component by component, beginning at the open root. `bad_folder` (rejected): it
// lies outside of the root, a part of it is a link, or it is barred.
Result<Folder> open_destination(const Destinations& rules, const std::filesystem::path& folder,
                                Folder::Missing missing);

}  // namespace haul
