#include "engine/here_file.h"

#include <utility>

namespace haul::engine {
namespace {

// Empty if the path is elsewhere.
std::string path_below(const io::Folder& folder, const std::string& path) {
  const std::string base = folder.path_of("");
  return path.starts_with(base) ? path.substr(base.size()) : std::string{};
}

bool is_wanted(const ReceiptFacts& facts, const WantedHere& wanted) {
  if (facts.name != wanted.name || facts.mtime.empty()) return false;
  return wanted.checksum.hex.empty() || facts.hash == wanted.checksum;
}

}  // namespace

std::optional<io::FileSeen> look_below(const io::Folder& folder, const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return folder.look(path);
  const auto inside = folder.open_inside(path.substr(0, slash), io::Folder::Missing::fault);
  return inside ? look_below(*inside, path.substr(slash + 1)) : std::nullopt;
}

std::optional<HereFile> find_here(const io::Folder& folder, std::span<const Receipt> receipts,
                                  const WantedHere& wanted) {
  for (const Receipt& receipt : receipts) {
    const ReceiptFacts facts = read_receipt(receipt.evidence);
    if (!is_wanted(facts, wanted)) continue;
    std::string name = path_below(folder, receipt.path);
    const auto seen = look_below(folder, name);
    if (seen && seen->mark.size == receipt.size && seen->mtime == facts.mtime)
      return HereFile{receipt, std::move(name), *seen};
  }
  return std::nullopt;
}

}  // namespace haul::engine
