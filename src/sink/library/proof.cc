#include "sink/library/proof.h"

#include <fmt/core.h>

#include <utility>

#include "base/text.h"
#include "sink/library/copies.h"

namespace haul::library {
namespace {

constexpr const char* kByHash = "hash";

What failed(Fault fault) { return Failed{.fault = std::move(fault), .checkpoint = {}}; }

What damaged(const PlacedFile& file) {
  return failed(
      {FaultKind::environment, "copy_damaged",
       fmt::format("{} does not have the bytes that were imported: delete it, then cancel "
                   "the job and retry it",
                   printable(file.path))});
}

What missing(const LibraryCopies& copies) {
  if (auto fault = copies.unseen()) return failed(*std::move(fault));
  return failed({FaultKind::environment, "copy_missing",
                 copies.missing() + ": mount its disk or put it back, or cancel the job and retry "
                                    "it"});
}

}  // namespace

// Files are read only if all of them are there: without one the others prove nothing.
What prove_by_reading(const Parcel& parcel, KnownHashes& hashes, const std::stop_token& stop,
                      const TellProgress& tell) {
  LibraryCopies copies{parcel.placed, parcel.evidence, hashes};
  if (parcel.placed.empty()) return NotIndexed{};
  if (!copies.missing().empty()) return missing(copies);
  std::vector<PlacedFile> present = copies.present();
  ParcelProgress progress;
  for (const PlacedFile& file : present) progress.size += file.size;
  std::int64_t before = 0;
  const io::CopyWatch watch{.stop = stop, .progress = [&](std::int64_t done) {
                              progress.have = before + done;
                              tell(progress);
                            }};
  for (const PlacedFile& file : present) {
    const auto whole = copies.is_whole(file, parcel.sources, watch);
    if (!whole && whole.error().code == "stopped") return Stopped{};
    if (!whole) return failed(whole.error());
    if (!*whole) return damaged(file);
    before += file.size;
  }
  return Indexed{.files = std::move(present), .by = kByHash};
}

}  // namespace haul::library
