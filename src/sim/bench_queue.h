#pragma once
// Benchmarks the whole queue in one process: a file store, a worker with its inbox, and an engine
// that finds nothing to fetch. A job's life is add, claim, done, with all its events.

#include <cstddef>
#include <filesystem>

namespace haul::sim {

// Each benchmark makes a new folder under `under` and removes it at the end.
struct BenchFolder {
  std::filesystem::path under;
};

struct LivesOptions {
  std::size_t jobs = 20'000;
  std::size_t batch = 1'000;  // Jobs added by one call, and jobs held at once.
};
struct Lives {
  LivesOptions options;
  double add_s = 0;
  double work_s = 0;

  double per_s() const { return static_cast<double>(options.jobs) / (add_s + work_s); }
};
// Adds all jobs, then works until all are done.
Lives bench_lives(const BenchFolder& folder, const LivesOptions& options);

struct CallersOptions {
  std::size_t callers = 64;
  std::size_t jobs = 20'000;  // Of all callers together.
};
struct Callers {
  CallersOptions options;
  double wall_s = 0;

  double per_s() const { return static_cast<double>(options.jobs) / wall_s; }
};
// Each caller adds one job, waits until it is done on disk, and adds the next.
Callers bench_callers(const BenchFolder& folder, const CallersOptions& options);

struct Latency {
  std::size_t jobs = 0;
  double p50_ms = 0;
  double p99_ms = 0;
};
// Time from just before a job is added until an idle worker asks the engine to plan it.
Latency bench_latency(const BenchFolder& folder, std::size_t jobs);

}  // namespace haul::sim
