#pragma once
// The folder a program of somebody else's works in: beside where its files go, so that a file moves
// out by a rename, and named after its owner, so that whoever comes after a crash can clear it
// away.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fault.h"
#include "engine/http/part_name.h"
#include "io/folder.h"
#include "io/survivors.h"

namespace haul {

constexpr std::string_view kStagingEnd = ".staging";

// ".haul-a1b2c3d4e5f6-3-14-1-7.staging": store, job, item, fence, and a number that tells it from
// the owner's others.
std::string staging_name(const PartOwner& owner, std::int64_t number);
// Nothing if it is no such name, or one without a store's id.
std::optional<PartOwner> owner_of_staging(std::string_view name);

// A file a program has delivered, seen to be one and no more than that.
struct StagedFile {
  std::shared_ptr<const Folder> folder;  // Where it lies,
  std::string name;                      // and under which name there.
  std::string path;                      // From where deliveries begin: "Somebody/film.mp4".
  std::shared_ptr<File> file;
};

class Staging {
 public:
  static Result<Staging> create(const Folder& folder, const PartOwner& owner, std::int64_t number);
  ~Staging();  // With all that is in it.
  Staging(Staging&& other) noexcept
      : path_{std::exchange(other.path_, {})},
        folder_{std::move(other.folder_)},
        store_{std::move(other.store_)} {}
  Staging& operator=(Staging&&) = delete;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // The program's own folder; what is beside it the program cannot write.
  std::filesystem::path work() const { return path_ / "work"; }
  // What lies in it on the disk. Counting stops beyond `most`, and at an absurd number of files,
  // which counts as more.
  std::int64_t bytes(std::int64_t most) const;
  // Writes down which process works here, for a later haul to end if it survives a crash.
  [[nodiscard]] Result<void> sign(ProcessMark mark) const;
  // X6: refused is whatever is not a plain file of the program's own beneath "out".
  Result<StagedFile> delivered(const std::filesystem::path& path) const;

 private:
  Staging(std::filesystem::path path, Folder folder, std::string store)
      : path_{std::move(path)}, folder_{std::move(folder)}, store_{std::move(store)} {}
  std::filesystem::path path_;  // For the program. Empty: moved from.
  Folder folder_;               // The same folder, held open: for haul.
  std::string store_;
};

// Ends the processes that survived this run of the owner's store, then removes the folder.
void remove_staging(const std::filesystem::path& folder, const std::string& name);

}  // namespace haul
