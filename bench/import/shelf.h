#pragma once
// Downloads and a library on one disk, with the library's real sink.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "io/file/room.h"
#include "seam/media_server.h"
#include "seam/sink.h"
#include "sink/library/import_file.h"
#include "support/io/temp_folder.h"

namespace haul::bench {

// Waits for the answer to one question. Throws if the answer is a fault.
class OneAnswer final : public Inbox {
 public:
  void push(Sight sight) override;
  What wait();

 private:
  Mutex mutex_;
  Condition came_;
  std::vector<What> answers_ GUARDED_BY(mutex_);
};

class ImportShelf {
 public:
  // Throws if the temporary folder is in memory, where a flush costs nothing.
  explicit ImportShelf(library::ImportBy by, MediaServer* server = nullptr);

  std::filesystem::path downloads() const { return folder_ / "downloads"; }
  std::filesystem::path movies() const { return folder_ / "movies"; }
  std::filesystem::path series() const { return folder_ / "series"; }

  // Writes a download of random bytes.
  void download(const std::string& path, std::int64_t size) const;
  // The parcel of a new job with these downloads.
  Parcel parcel(std::string request, const std::vector<std::string>& paths);
  Sink& sink() { return *sink_; }

 private:
  const testing::TempFolder folder_;
  io::DiskSpace space_{io::KeepFree{0}};
  std::unique_ptr<Sink> sink_;
  std::int64_t jobs_ = 0;
};

}  // namespace haul::bench
