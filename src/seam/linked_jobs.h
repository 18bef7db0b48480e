#pragma once
// Jobs that haul adds itself, to fetch the files of other jobs. An engine never touches the store,
// so it asks for them here.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "base/id.h"
#include "base/time.h"

namespace haul {

struct Order;

// A job that was added for another one, as the store has it.
struct LinkedJob {
  enum class Is : std::uint8_t {
    waiting,    // No worker fetches it now.
    fetching,   // A worker does.
    whole,      // All its files are fetched.
    failed,     // It ended, and at least one file is missing.
    cancelled,  // A user, or the job that it was added for, cancelled it.
  };

  JobId id;
  Is is = Is::waiting;
  std::string folder;  // Its files are here, or will be. Absolute.
  std::int64_t have = 0;
  std::optional<std::int64_t> size{};
  std::string reason{};  // Why it waits or failed: a stable word. May be empty.
  std::string detail{};

  bool is_over() const { return is != Is::waiting && is != Is::fetching; }
  bool operator==(const LinkedJob&) const = default;
};

// A file that a linked job has fetched.
struct LinkedFile {
  std::string path;  // Absolute.
  std::int64_t size = 0;
  // What tells it from another file of this size in its place, as far as the store knows it.
  std::int64_t inode = 0;  // Zero if it is not known.
  Time begun_at{};         // No byte of it was written before,
  Time landed_at{};        // and none after.

  bool operator==(const LinkedFile&) const = default;
};

// Every call waits for the store, at most until the store's deadline. Call from any thread. A store
// that cannot answer is the fault `store_unavailable` (environment).
class LinkedJobs {
 public:
  virtual ~LinkedJobs() = default;

  // Adds a job that fetches this address for the order, or finds the one that it has since its last
  // retry by hand. The job is stored when this returns. Fault of the kind permanent if haul cannot
  // fetch such an address.
  virtual Result<JobId> add(const Order& order, const std::string& url) = 0;
  // The job that add() has added for the order since its last retry. Zero if there is none.
  virtual Result<JobId> find(const Order& order) = 0;
  // The last whole job that was added before that retry. Zero if there is none.
  virtual Result<JobId> find_earlier(const Order& order) = 0;
  // One answer each, in order. Nothing for an id that is no linked job.
  virtual Result<std::vector<std::optional<LinkedJob>>> look(std::span<const JobId> jobs) = 0;
  // The files that a job has fetched. Fault `too_many_files` (permanent) if they are very many.
  virtual Result<std::vector<LinkedFile>> files(JobId job) = 0;
  // Asks for a cancel. The job is over when look() says so. One that is over stays as it is.
  virtual Result<void> cancel(JobId job) = 0;
};

}  // namespace haul
