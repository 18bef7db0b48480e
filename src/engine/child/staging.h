#pragma once
// The folder a third-party program works in. It is beside the destination, so that a rename moves a
// file out. Its name contains its owner, so that the next leaseholder can remove it after a crash.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fault.h"
#include "io/file/folder.h"
#include "io/file/part_name.h"
#include "io/process/leftover_processes.h"

namespace haul::child {

constexpr std::string_view kStagingEnd = ".staging";

// ".haul-a1b2c3d4e5f6-3-14-1-7.staging": store, job, item, fence, and a number that distinguishes
// it from the owner's other folders.
std::string staging_name(const io::PartOwner& owner, std::int64_t number);
// No value if it is no such name, or has no store id.
std::optional<io::PartOwner> owner_of_staging(std::string_view name);

// A file that a program has delivered, checked by Staging::delivered().
struct StagedFile {
  std::shared_ptr<const io::Folder> folder;  // The folder it is in.
  std::string name;                          // Its name in that folder.
  std::string path;                          // Relative to "out": "Somebody/film.mp4".
  std::shared_ptr<io::File> file;
};

// Makes a file not executable. False if the system refuses.
[[nodiscard]] bool deny_running(const io::File& file);

class Staging {
 public:
  static Result<Staging> create(const io::Folder& folder, const io::PartOwner& owner,
                                std::int64_t number);
  ~Staging();  // Removes the folder and its contents.
  Staging(Staging&& other) noexcept
      : path_{std::exchange(other.path_, {})},
        folder_{std::move(other.folder_)},
        store_{std::move(other.store_)} {}
  Staging& operator=(Staging&&) = delete;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // The program's own folder. The program cannot write beside it.
  std::filesystem::path work() const { return path_ / "work"; }
  // Disk space the folder uses. Stops counting above `most`. More than 200,000 files count as more
  // than `most`.
  std::int64_t bytes(std::int64_t most) const;
  // Records which process works here, so that a later haul can end it if it survives a crash.
  [[nodiscard]] Result<void> sign(io::ProcessMark mark) const;
  // X6: refuses everything but a regular file of the program's own below "out". Makes the file not
  // executable.
  Result<StagedFile> delivered(const std::filesystem::path& path) const;

 private:
  Staging(std::filesystem::path path, io::Folder folder, std::string store)
      : path_{std::move(path)}, folder_{std::move(folder)}, store_{std::move(store)} {}
  std::filesystem::path path_;  // For the program. Empty if moved from.
  io::Folder folder_;           // The same folder, held open, for haul.
  std::string store_;
};

// Ends the surviving processes of the run in this folder if it worked for the owner's store, then
// removes the folder.
void remove_staging(const std::filesystem::path& folder, const std::string& name);

}  // namespace haul::child
