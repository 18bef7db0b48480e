#include "flow/media/importing.h"

namespace haul::flow {
namespace {

constexpr std::size_t kPage = 1'000;

}  // namespace

std::vector<ManifestFile> manifest_of(Store& store, JobId job) {
  std::vector<ManifestFile> files;
  for (auto page = store.manifest().all(job, {}, kPage); !page.empty();
       page = store.manifest().all(job, files.back().entry.id, kPage))
    files.insert(files.end(), page.begin(), page.end());
  return files;
}

Parcel parcel_of(const Held& held) {
  const Importing& state = importing(held);
  return {.job = held.job.version.id,
          .fence = held.job.version.fence,
          .request = held.request,
          .path = held.job.result,
          .placed = state.landing.files,
          .sources = state.sources,
          .evidence = state.evidence};
}

}  // namespace haul::flow
