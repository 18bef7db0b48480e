#pragma once
// Threads that flush files and put them in their place, so that no event loop waits for a disk.
// With Durability::batch, all waiting tasks form one group, whose flushes share the disk's work.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/request_value.h"
#include "io/file/folder.h"
#include "io/file/piece_check.h"

namespace haul::io {

enum class Durability : std::uint8_t {
  each,   // Flush the file, rename it, flush its folder, one file after the other.
  batch,  // The same for all files that wait, with one flush of the folder.
  off,    // Only rename. After a power cut a file may be empty.
};

// Which name the file has before it lands.
enum class NamedAs : std::uint8_t {
  nothing,   // It was created without a name.
  part,      // A part's name.
  in_place,  // The final name, but it may not be flushed.
};

// Replaces the file that has the final name.
struct Replace {
  std::optional<FileSeen> only{};  // Only this one. Otherwise the name is taken.
};

struct LandTask {
  std::shared_ptr<const Folder> folder;  // Where it lands.
  std::shared_ptr<const File> file;
  NamedAs named = NamedAs::part;
  std::string part;  // Only of a part.
  std::string target;
  Checksum wanted;                     // Not checked if its hex is empty.
  std::shared_ptr<const Folder> from;  // The part's folder. Null if it is `folder`.
  std::stop_token stop{};              // Ends a check of the bytes early: fault `stopped`.
  std::optional<Replace> replace{};
  std::shared_ptr<Checksum> taken{};  // Gets the hash of its algorithm. Null: none is taken.
};

// How a file reaches the disk, together with its name. A flush of a small file costs the disk more
// than its bytes do, so a flush that comes later anyway does its work where it can.
enum class FlushOrder : std::uint8_t {
  before,       // Flush, name, flush the folder. Holds on every file system.
  with_folder,  // Write out, name; the flush of the folder flushes the file too.
  after,        // Write out, name, flush the file with its name, flush the folder.
};
FlushOrder flush_order(Journal journal, NamedAs named);

// Runs on a thread of the lander, once. Has a fault if the task failed.
using LandDone = std::function<void(Result<void>)>;

class Lander {
 public:
  virtual ~Lander() = default;
  // Puts the file in its place. Replaces another only if the task says so: otherwise fault
  // `name_taken` if the name exists.
  virtual void land(LandTask task, LandDone done) = 0;
  virtual void flush(std::shared_ptr<const File> file, LandDone done) = 0;
  // Compares the bytes of a file with hashes, before it lands.
  virtual void check(PieceCheck check, LandDone done) = 0;
  // Lets the disk start writing, so that the last flush has less to wait for.
  virtual void begin_flush(std::shared_ptr<const File> file, std::function<void()> done) = 0;
};

std::unique_ptr<Lander> make_lander(Durability durability);

}  // namespace haul::io
