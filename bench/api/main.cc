// Benchmarks the daemon under load, compared with its store alone. Prints the tables of
// docs/BENCHMARKS.md; only ratios carry over to other machines.

#include <fmt/core.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>

#include "api/cases.h"

namespace haul::bench {

std::string request_text(const testing::Daemon& daemon, const std::string& method,
                         const std::string& target, const std::string& body) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\n", method,
                                 target, daemon.key());
  if (!body.empty())
    text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  return text + "\r\n" + body;
}

double resident_mib(pid_t pid) {
  std::ifstream status{fmt::format("/proc/{}/status", pid)};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

}  // namespace haul::bench

int main(int argc, char** argv) {
  using namespace haul::bench;
  Plan plan;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      plan = {.rounds = 1,
              .adds = 2'000,
              .batches = 5,
              .jobs = 20'000,
              .listeners = 100,
              .slow_sockets = 100,
              .stalled = 50,
              .asks = 500};
    else if (word == "--rounds" && i + 1 < argc)
      plan.rounds = std::atoi(argv[++i]);
    else
      only = word;
  }
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  if (only.empty() || only == "adds") add_jobs(plan);
  if (only.empty() || only == "starts") starts(plan);
  if (only.empty() || only == "crowds") crowds(plan);
  return 0;
}
