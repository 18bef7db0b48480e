#pragma once
// Z-24: the file of an earlier run, if it is still here as it landed.

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/receipt.h"
#include "io/file/folder.h"

namespace haul::engine {

// Looks at a file in the folder or below it, through no link.
std::optional<io::FileSeen> look_below(const io::Folder& folder, const std::string& path);
// Opens one. Null if there is none, or it cannot be read.
std::shared_ptr<const io::File> open_below(const io::Folder& folder, const std::string& path);

// A file of an earlier run, unchanged since it landed.
struct HereFile {
  Receipt receipt;
  std::string name;  // Below the folder.
  io::FileSeen seen;

  bool operator==(const HereFile&) const = default;
};

// What the request wants the file to be.
struct WantedHere {
  std::string name;  // The request's own. Empty if the other side names the file.
  Checksum checksum;
  std::span<const io::FileSeen> proven{};  // Files that have their recorded hash.
};

// The first receipt whose file is in the folder or below it, has its recorded size and time, and is
// what the request wants. Receipts of another name, of another folder or without a time do not
// count. The time of a proven file does not matter.
std::optional<HereFile> find_here(const io::Folder& folder, std::span<const Receipt> receipts,
                                  const WantedHere& wanted);
// The first one whose file has its recorded size but another time, and that has a hash to prove the
// bytes by. Leaves out the paths that were tried.
std::optional<HereFile> find_touched(const io::Folder& folder, std::span<const Receipt> receipts,
                                     const WantedHere& wanted, const std::set<std::string>& tried);

}  // namespace haul::engine
