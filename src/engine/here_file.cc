#include "engine/here_file.h"

#include <algorithm>
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

// The file of a receipt, if it is wanted and has its recorded size.
std::optional<HereFile> file_of(const io::Folder& folder, const Receipt& receipt,
                                const ReceiptFacts& facts, const WantedHere& wanted) {
  if (!is_wanted(facts, wanted)) return std::nullopt;
  std::string name = path_below(folder, receipt.path);
  auto seen = look_below(folder, name);
  if (!seen || seen->mark.size != receipt.size) return std::nullopt;
  return HereFile{receipt, std::move(name), *std::move(seen)};
}

}  // namespace

std::optional<io::FileSeen> look_below(const io::Folder& folder, const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return folder.look(path);
  const auto inside = folder.open_inside(path.substr(0, slash), io::Folder::Missing::fault);
  return inside ? look_below(*inside, path.substr(slash + 1)) : std::nullopt;
}

std::shared_ptr<const io::File> open_below(const io::Folder& folder, const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) {
    auto file = folder.open_file(path);
    return file ? std::make_shared<const io::File>(*std::move(file)) : nullptr;
  }
  const auto inside = folder.open_inside(path.substr(0, slash), io::Folder::Missing::fault);
  return inside ? open_below(*inside, path.substr(slash + 1)) : nullptr;
}

std::optional<HereFile> find_here(const io::Folder& folder, std::span<const Receipt> receipts,
                                  const WantedHere& wanted) {
  for (const Receipt& receipt : receipts) {
    const ReceiptFacts facts = read_receipt(receipt.evidence);
    auto file = file_of(folder, receipt, facts, wanted);
    if (!file) continue;
    const bool is_proven = std::ranges::find(wanted.proven, file->seen) != wanted.proven.end();
    if (is_proven || file->seen.mtime == facts.mtime) return file;
  }
  return std::nullopt;
}

std::optional<HereFile> find_touched(const io::Folder& folder, std::span<const Receipt> receipts,
                                     const WantedHere& wanted, const std::set<std::string>& tried) {
  for (const Receipt& receipt : receipts) {
    const ReceiptFacts facts = read_receipt(receipt.evidence);
    if (facts.hash.hex.empty() || tried.contains(receipt.path)) continue;
    auto file = file_of(folder, receipt, facts, wanted);
    if (file && file->seen.mtime != facts.mtime) return file;
  }
  return std::nullopt;
}

}  // namespace haul::engine
