#pragma once
// The files of deleted jobs that their users want removed. The wish is written in the transaction
// that hides the job (Jobs::hide). The holder of a duty carries it out, item by item, and records
// how far it is.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace haul {

// What becomes of the files that a job has downloaded when its user deletes it.
enum class OwnFiles : std::uint8_t { keep, remove };

struct Purge {
  JobId job;
  std::int64_t after = 0;  // Items up to this number are done.
  std::int64_t removed = 0;
  std::int64_t bytes = 0;  // Of the removed files.
  std::int64_t gone = 0;   // Files that were not there.
  std::int64_t kept = 0;
  std::vector<std::string> reasons{};  // "PATH: why it was kept", of the first kPurgeReasonsMax.
  std::string detail{};                // What it waits for. Empty if for nothing.
  Time asked_at;
  std::optional<Time> ended_at;

  bool operator==(const Purge&) const = default;
};
inline constexpr std::size_t kPurgeReasonsMax = 20;

// A file that an item's receipt names.
struct PurgeFile {
  std::string key;
  std::string path;
  std::int64_t inode = 0;
  std::int64_t size = 0;
};

// The jobs that need such a file. Zero if there is none.
struct FileNeeds {
  // A job that is not deleted has a receipt of this file, or lists it among those it may clean.
  JobId owner;
  // A leased job has not finished an item of the same address. It may have seen the receipt before
  // the file's job was deleted, and take the file as its own.
  JobId taker;

  bool operator==(const FileNeeds&) const = default;
};

// The landing that a receipt of kind "already_here" goes back to.
struct LandedItem {
  std::string checkpoint;
  Time landed_at;

  bool operator==(const LandedItem&) const = default;
};

class Purges {
 public:
  virtual ~Purges() = default;

  virtual std::optional<Purge> find(JobId job) = 0;
  // Those that have not ended, of jobs after this one, by job.
  virtual std::vector<Purge> open(JobId after, std::size_t limit) = 0;
  virtual FileNeeds needs(JobId job, const PurgeFile& file) = 0;
  // Items of other jobs that have this path and are of the same address, the newest first.
  virtual std::vector<LandedItem> landings(JobId job, const PurgeFile& file, std::size_t limit) = 0;
  // Writes how far a purge is, and an event if it has ended. False if another holder of the duty
  // has recorded something since `before` was read; then nothing is written.
  virtual bool record(const Purge& before, const Purge& after, Time now) = 0;
};

}  // namespace haul
