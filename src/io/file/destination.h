#pragma once
// Which folders jobs may write to. Every engine opens the folder of a job through this.

#include <filesystem>
#include <vector>

#include "io/file/folder.h"

namespace haul::io {

struct Destinations {
  // Every job's folder must lie in it. haul follows links on the way to the root, but none below
  // it. Empty if a job may name any folder.
  std::filesystem::path root;
  // Folders that hold haul's own data. None of them is ever a destination, whatever path leads to
  // it.
  std::vector<std::filesystem::path> barred;
  // Further roots, for folders that haul chooses itself. haul does not create them: one that is
  // missing may be a disk that is not mounted.
  std::vector<std::filesystem::path> also{};
  // What to do about a folder that has vanished since its job was planned. By default it may be a
  // disk that is not mounted, and is waited for.
  Folder::Missing vanished = Folder::Missing::fault;
};

// Opens the folder component by component, beginning at the open root. Fault `bad_folder`
// (rejected) if it lies outside of every root, a part of it is a link, or it is barred.
Result<Folder> open_destination(const Destinations& rules, const std::filesystem::path& folder,
                                Folder::Missing missing);

}  // namespace haul::io
