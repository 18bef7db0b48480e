#pragma once
// One file on its way to its place: first a part in a folder, then the file with its final name.
// Engines that write files into folders use it. It belongs to one thread, an event loop's; what
// waits for the disk runs on the lander's threads. A thread that may wait uses filled_part.h.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "io/file/checkpoint.h"
#include "io/file/folder.h"
#include "io/file/lander.h"
#include "io/file/landing_state.h"
#include "io/file/left_parts.h"
#include "io/file/part_name.h"
#include "io/file/taken_names.h"

namespace haul::io {

// What the files of one job share.
struct LandingFolder {
  std::shared_ptr<const Folder> folder;  // Has the parts. Files land in it or below it.
  TakenNames names{};
  LeftParts left{};      // Parts of earlier leases of the job.
  bool crowded = false;  // Some names may be taken, so the folder is asked before one is chosen.
  // The folders below it that files use now, by their path from it: "Somebody/". The lander flushes
  // a folder once for all files that share the object.
  std::map<std::string, std::weak_ptr<const Folder>> inside{};
};

// Opens the folder to the files of a job. `holder` has the job and the fence of the current lease.
LandingFolder landing_folder(Folder folder, const PartOwner& holder);

class LandingFile {
 public:
  // `boot` identifies the machine's current boot. It and the folder outlive the file.
  LandingFile(LandingFolder& shared, PartOwner owner, const std::string& boot);
  ~LandingFile();  // Gives its final name back to the job.
  LandingFile(const LandingFile&) = delete;
  LandingFile& operator=(const LandingFile&) = delete;

  LandingState state() const { return state_; }
  const std::string& name() const { return name_; }
  // The final path if it is chosen, or else the wanted one. For messages.
  std::string path() const;
  const std::shared_ptr<File>& file() const { return file_; }  // Null if there is none.
  // Whether the folder has a file of the wanted name.
  bool is_name_taken() const { return folder_->find(name_).has_value(); }
  bool has_part() const { return !part_.empty(); }

  // Looks for the whole file of an earlier start and opens it.
  FoundAs recognise(const Checkpoint& kept);
  // Opens the part of an earlier start to go on with it, if it has at least so many bytes. Renames
  // it first, so that its name says who writes to it. False if there is no such part. A part that
  // cannot be used is removed.
  bool adopt(const Checkpoint& kept, std::int64_t bytes_min);
  // Removes the parts that earlier leases left of this item, except the one in use.
  void remove_left();

  // Sets the wanted file name, which must be safe.
  void set_name(std::string safe) { name_ = std::move(safe); }
  // Sets the wanted file name to the last component of a path and lands the file in the folders
  // before it. Makes all components safe, and creates the folders.
  [[nodiscard]] Result<void> set_path(std::string_view untrusted);

  // Creates the part. A small file of known size gets no name before it is whole: that halves the
  // work for the folder, and a crash leaves nothing behind.
  [[nodiscard]] Result<void> create(std::optional<std::int64_t> size);
  // Makes the part from an open file of another folder on the same file system.
  [[nodiscard]] Result<void> take(const Folder& from, const std::string& name,
                                  std::shared_ptr<File> file);
  // Closes the part, so that create() makes a new one. The old file stays until then, so that the
  // file system cannot give the new file its inode: a checkpoint of the old bytes may be stored.
  void set_aside();
  // Closes the file and removes its part.
  void remove();
  // Describes the part. The caller adds what it knows about the size.
  Checkpoint checkpoint() const;

  // The file takes this name instead of its wanted one, and replaces the file that has it, or with
  // `only` that one alone. Call before create(): an unnamed file replaces nothing. Nullopt: the
  // file replaces none.
  struct Replaced {
    std::string name;
    Replace how;
  };
  void set_replaced(std::optional<Replaced> replaced) { replaced_ = std::move(replaced); }

  // All bytes are here: chooses the final name. The caller stores the checkpoint, then calls put().
  // Fault `name_taken` if no name is free.
  [[nodiscard]] Result<Checkpoint> choose_place(std::int64_t size);
  // Puts the file in its place. `done` runs on a thread of the lander; it passes the result to
  // placed() on this thread. Then `taken` has the hash of its algorithm, unless it is null.
  void put(Lander& lander, Checksum wanted, LandDone done, std::shared_ptr<Checksum> taken = {});
  PlaceEnd placed(const Result<void>& result);

  // The transfer was stopped, or failed. Both remove the part or leave it as it is. If they return
  // StopStep::flush, the caller flushes it. Afterwards the caller reports the end, unless it must
  // wait.
  StopStep stop(Leftovers leftovers, PartSeen part);
  StopStep fail(const Fault& fault, PartSeen part);
  // The end is reported.
  void end() { enter(LandingState::ended); }

 private:
  using GiveName = std::function<Result<void>(const std::string& part)>;

  void enter(LandingState next);
  FoundAs find(const Checkpoint& kept);
  [[nodiscard]] Result<void> open_folders(std::string_view safe, Folder::Missing missing);
  [[nodiscard]] Result<void> enter_folder(const std::string& name, Folder::Missing missing);
  void forget_path();
  [[nodiscard]] Result<void> give_part_name(const GiveName& give);
  [[nodiscard]] bool create_unnamed(std::optional<std::int64_t> size);
  void give_back();
  [[nodiscard]] std::string free_name();

  LandingFolder& shared_;
  const PartOwner owner_;
  const std::string& boot_;

  LandingState state_ = LandingState::filling;
  std::shared_ptr<const Folder> folder_;  // Where it lands: the job's folder, or one below it.
  std::string inside_;                    // The path from the job's folder: "Somebody/", or empty.
  std::string name_;
  std::string target_;
  std::string part_;     // In the job's folder. Empty if the file has no part's name.
  int part_number_ = 0;  // Of the last part's name. A name is not used twice: a stored checkpoint
                         // may name the old part.
  std::string aside_;    // The old part, kept until the new one exists.
  std::shared_ptr<File> file_;
  NamedAs named_ = NamedAs::nothing;
  std::optional<Replaced> replaced_;
  bool keeps_name_ = false;                        // No later file of the job may replace this one.
  std::stop_source stop_check_{std::nostopstate};  // Of the task that the lander has.
};

}  // namespace haul::io
