#pragma once
// The work on jobs that an outside client does, such as torrents. No worker leases these jobs. One
// worker at a time hands them to the client and asks about them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seam/sight.h"
#include "store/store.h"

namespace haul::flow {

// A transfer at a client, as the client last reported it.
struct ClientTransfer {
  JobId job;
  UserId owner;
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  double speed = 0;
};

// A job at a client, with what the store keeps beside its row.
struct ClientJob {
  Job job;
  std::vector<Intent> intents;
  std::string request;
};

// Reads the intents and the requests of these jobs, in their order. Each is one call, whatever the
// number of jobs.
std::vector<ClientJob> read_client_jobs(Store& store, std::vector<Job> jobs);

class ClientWork {
 public:
  virtual ~ClientWork() = default;

  // Handles the due jobs: hands them to the client, asks about them, or tells it to stop them.
  virtual void look() = 0;
  // The client reported about a job.
  virtual void see(const ClientJob& read, const What& what) = 0;
  // Tells the client to stop these jobs and to remove what it has of them.
  virtual void stop(std::span<const Job> jobs) = 0;
  // A user wants this job cancelled. If no look has seen that yet, makes the next one due.
  virtual void hasten(const Job&, IntentId /*cancel*/) {}
  virtual std::vector<ClientTransfer> transfers() const = 0;
};

}  // namespace haul::flow
