#pragma once
// Lists folders of the disk, for the bot's catalogue.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/yandexdisk/replies.h"
#include "engine/yandexdisk/settings.h"
#include "io/web/http.h"
#include "seam/token_keeper.h"

namespace haul::yandexdisk {

// The entries of one folder, without those of the folders in it.
struct DiskListing {
  std::vector<DiskMeta> entries;  // By their paths.
  // False if a page or an entry is missing, the folder changed meanwhile, or it has too many
  // entries. Then an entry that is not listed may exist all the same (S3-25).
  bool is_complete = true;
  Fault why_not{};  // Set if it is not complete.
};

inline constexpr std::int64_t kListingMax = 20'000;  // Entries of one folder.

// Call from any thread. Destroying it drops open questions without an answer.
class DiskCatalogue {
 public:
  virtual ~DiskCatalogue() = default;
  // Calls `done` once, on the loop's thread. A fault if not even the first page came: `bad_path`,
  // and those of the API.
  virtual void list(std::string folder, std::function<void(Result<DiskListing>)> done) = 0;
};

struct CatalogueParts {
  io::HttpLoop& loop;
  const Clock& clock;
  TokenKeeper& keeper;
};
// The parts outlive it.
std::unique_ptr<DiskCatalogue> make_disk_catalogue(const CatalogueParts& parts,
                                                   DiskSettings settings);

}  // namespace haul::yandexdisk
