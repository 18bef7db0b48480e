#pragma once
// Imports all files of a job: plans where they go, puts each there, and flushes. What an earlier
// landing has put there is recognised. A preview shows the same plan.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "seam/sink.h"
#include "sink/library/import_file.h"
#include "sink/library/plan.h"

namespace haul::library {

// Where the files of one kind go.
struct LibraryRoot {
  std::filesystem::path path;  // Empty if it is not configured.
  std::string key;             // The setting that has it: "library.movies".
};
struct LibraryRoots {
  LibraryRoot movies{.path = {}, .key = "library.movies"};
  LibraryRoot series{.path = {}, .key = "library.series"};

  const LibraryRoot& of(LibraryKind kind) const {
    return kind == LibraryKind::movie ? movies : series;
  }
};

struct ParcelEnv {
  const ImportEnv& import;
  const LibraryRoots& roots;
  const ImportTemplates& templates;
  const std::string& store;         // Id of haul's store.
  std::filesystem::path records{};  // For use_root().
};

struct ParcelImport {
  std::vector<LandedFile> files;
  // Why some files are not in their places. Empty if all are, whole and durable.
  std::optional<Fault> fault{};
};

// Called with the bytes that are done, of all files together.
struct ParcelProgress {
  std::int64_t have = 0;
  std::int64_t size = 0;
};
using TellProgress = std::function<void(const ParcelProgress&)>;

// What import_parcel() would do, from the same plan. Reads no file, but looks at whether another
// one is in its place. Without sources, it only checks what the user said.
ImportPreview preview_parcel(const ParcelEnv& env, const Parcel& parcel);

ParcelImport import_parcel(const ParcelEnv& env, const Parcel& parcel, const std::stop_token& stop,
                           const TellProgress& tell);

}  // namespace haul::library
