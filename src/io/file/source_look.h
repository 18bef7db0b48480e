#pragma once
// Looks at files that were fetched for a job: each beneath its download root and through no link,
// with the identity that haul compares before it removes the file (Z-4).

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "base/fault.h"
#include "io/file/folder.h"
#include "seam/source_file.h"

namespace haul::io {

// The longest of the roots that has the path inside it. Null if none has.
const std::filesystem::path* root_of(const std::filesystem::path& path,
                                     std::span<const std::filesystem::path> roots);

// Opens every root and every folder once, however many files it has.
class SourceLooker {
 public:
  // `fetcher` knows the sizes: "qBittorrent", for messages.
  explicit SourceLooker(std::string fetcher) : fetcher_{std::move(fetcher)} {}

  // Faults of the kind environment: `path_refused` if the way has a link or the file is no regular
  // one, `asset_pending` if it is not there, `size_differs`.
  Result<SourceFile> look(const std::filesystem::path& root, const std::filesystem::path& path,
                          std::int64_t size);

 private:
  Result<const Descriptor*> open(const std::filesystem::path& root, const std::string& folder);

  static constexpr std::size_t kOpenMax = 64;
  const std::string fetcher_;
  std::map<std::filesystem::path, Descriptor> folders_;
};

}  // namespace haul::io
