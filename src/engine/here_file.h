#pragma once
// Z-24: the file of an earlier run, if it is still here as it landed.

#include <optional>
#include <span>
#include <string>

#include "base/receipt.h"
#include "io/file/folder.h"

namespace haul::engine {

// Looks at a file in the folder or below it, through no link.
std::optional<io::FileSeen> look_below(const io::Folder& folder, const std::string& path);

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
};

// The first receipt whose file is in the folder or below it, has its recorded size and time, and is
// what the request wants. Receipts of another name, of another folder or without a time do not
// count.
std::optional<HereFile> find_here(const io::Folder& folder, std::span<const Receipt> receipts,
                                  const WantedHere& wanted);

}  // namespace haul::engine
