#include "sink/library/known_hashes.h"

#include <utility>

namespace haul::library {
namespace {

constexpr std::size_t kKnownMax = 4'096;

}  // namespace

Result<std::string> KnownHashes::of(const io::File& file, const io::CopyWatch& watch) {
  const io::EntrySeen seen = io::seen_of(file);
  const Key key{seen.device, seen.inode};
  {
    const Lock lock{mutex_};
    const auto known = known_.find(key);
    if (known != known_.end() && known->second.seen == seen) return known->second.sha256;
  }
  auto read = io::hash_bytes(file, watch);
  if (!read) return std::unexpected{read.error()};
  remember(seen, read->sha256);
  return std::move(read->sha256);
}

void KnownHashes::remember(const io::EntrySeen& seen, std::string sha256) {
  const Lock lock{mutex_};
  if (known_.size() >= kKnownMax) known_.clear();
  known_.insert_or_assign({seen.device, seen.inode},
                          Known{.seen = seen, .sha256 = std::move(sha256)});
}

}  // namespace haul::library
