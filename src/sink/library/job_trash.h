#pragma once
// The trash of one job below one download root. A file keeps its path:
// .haul-trash/<store>-<job>/files/<path>. One task at a time has it open, so a clean, a
// restore and an emptying of one job follow each other, also in two processes.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/file/beneath.h"
#include "io/file/entries.h"
#include "sink/library/trash_index.h"

namespace haul::library {

// A file of the trash in its open folder.
struct TrashPlace {
  io::Descriptor folder;
  std::string name;
  io::EntrySeen seen;
};

// A job's trash to read, which needs no lock: an index is replaced whole.
struct TrashLook {
  io::Descriptor folder;
  std::vector<TrashedFile> rows;

  // Fault `not_found` if the root has no trash of this job.
  static Result<TrashLook> open(const io::Descriptor& root, const TrashOwner& owner);
  // Fault `not_found` if the file is not there. It may have changed: TrashedFile::is().
  Result<io::EntrySeen> find(const TrashedFile& row, const TrashOwner& owner) const;
};

class JobTrash {
 public:
  enum class Missing : std::uint8_t { fault, create };
  // Fault `trash_busy` (environment) if another has it open.
  static Result<JobTrash> open(const io::Descriptor& root, const TrashOwner& owner,
                               Missing missing);

  const std::vector<TrashedFile>& rows() const { return look_.rows; }
  // Writes them to the disk, if they are others.
  [[nodiscard]] Result<void> set_rows(std::vector<TrashedFile> rows);

  // Where a row's file is. Puts back what a cut-off emptying had set aside. Fault `not_found` if
  // the file is not there; another one if the disk does not say.
  Result<TrashPlace> find(const TrashedFile& row) const;
  // Whether a row's file is certainly not there.
  bool is_gone(const TrashedFile& row) const;
  // The folder of a kept file. Makes what is missing.
  Result<io::Descriptor> make_folder_of(const std::string& kept) const;
  std::string aside_of(const TrashedFile& row) const;

  // Forgets the rows that are over and have no file, and removes the folders that are left empty.
  using IsOver = std::function<bool(const TrashedFile& row)>;
  [[nodiscard]] Result<void> tidy(const IsOver& is_over);

 private:
  JobTrash(TrashOwner owner, io::NamesLock lock, io::Descriptor trash, TrashLook look)
      : owner_{std::move(owner)},
        lock_{std::move(lock)},
        trash_{std::move(trash)},
        look_{std::move(look)} {}

  void remove_folders(std::string path) const;

  TrashOwner owner_;
  io::NamesLock lock_;
  io::Descriptor trash_;  // The folder that has the jobs' folders.
  TrashLook look_;
};

}  // namespace haul::library
