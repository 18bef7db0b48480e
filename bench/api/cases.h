#pragma once
// The benchmarks of the daemon. Each prints its part of the report.

#include <cstddef>
#include <string>

#include "support/process/daemon.h"

namespace haul::bench {

struct Plan {
  int rounds = 5;
  std::size_t adds = 60'000;     // By 64 clients, one job per request.
  std::size_t batches = 100;     // Of 1,000 jobs each.
  std::size_t jobs = 1'000'000;  // In the larger file; the smaller has a tenth.
  std::size_t listeners = 1'000;
  std::size_t slow_sockets = 2'000;
  std::size_t stalled = 500;  // Listeners that never read.
  std::size_t asks = 5'000;   // Requests by other clients beside the slow ones.
};

void add_jobs(const Plan& plan);  // POST /jobs and /jobs/batch, compared with the store's own adds.
void starts(const Plan& plan);    // Time from exec to the first answer, and of pages of many jobs.
void crowds(const Plan& plan);    // Idle, with a thousand listeners, with slow and stalled clients.

inline constexpr const char* kJob =
    R"({"lifecycle":"batch","paused":true,"request":{"url":"https://example.org/a/b/c.bin"}})";

// An HTTP request with an API key, on a connection that stays open.
std::string request_text(const testing::Daemon& daemon, const std::string& method,
                         const std::string& target, const std::string& body = {});

// Resident memory of a process; 0 if it cannot be read.
double resident_mib(pid_t pid);

}  // namespace haul::bench
