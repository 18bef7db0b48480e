#include "flow/media/importing.h"

#include <filesystem>

#include "base/path_map.h"
#include "flow/media/source_end.h"

namespace haul::flow {
namespace {

constexpr std::size_t kPage = 1'000;

// Whether the client fetched the file in this life of the film. A retry keeps what earlier lives
// listed.
bool is_of_this_life(const ManifestEntry& entry, const Job& job) {
  const std::filesystem::path path = path_of(entry);
  return job.retries == 0 || path == job.result || is_inside(path, job.result);
}

}  // namespace

std::vector<ManifestFile> manifest_of(Store& store, JobId job) {
  std::vector<ManifestFile> files;
  for (auto page = store.manifest().all(job, {}, kPage); !page.empty();
       page = store.manifest().all(job, files.back().entry.id, kPage))
    files.insert(files.end(), page.begin(), page.end());
  return files;
}

Parcel preview_parcel(Store& store, const Job& job, std::span<const ByHand> said) {
  Parcel parcel{.job = job.version.id,
                .request = store.reader().request(job.version.id).value_or("{}"),
                .path = job.result,
                .by_hand = {said.begin(), said.end()}};
  if (job.state().step == Step::transfer) return parcel;  // An earlier life may have listed some.
  for (const ManifestFile& file : manifest_of(store, job.version.id))
    if (is_of_this_life(file.entry, job)) parcel.sources.push_back(source_of(file.entry));
  return parcel;
}

Parcel parcel_of(const Held& held) {
  const Importing& state = importing(held);
  return {.job = held.job.version.id,
          .fence = held.job.version.fence,
          .request = held.request,
          .path = held.job.result,
          .placed = state.landing.files,
          .sources = state.sources,
          .evidence = state.evidence,
          .by_hand = state.by_hand};
}

}  // namespace haul::flow
