// A daemon on a file with many jobs: how soon it first answers, and how long a page takes.

#include <fmt/core.h>

#include "api/cases.h"
#include "api/swarm.h"
#include "base/clock.h"
#include "lifecycle/tables.h"
#include "measure.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace haul::bench {
namespace {

constexpr std::size_t kAtOnce = 1'000;

// Adds the jobs and ends half of them, as in a store that has been used.
void fill(const std::filesystem::path& data, std::size_t count) {
  const Clock& clock = system_clock();
  const auto store = open_sqlite(data, {}, clock.now());
  const WorkerId worker = store->workers().enlist("bench", clock.now());
  for (std::size_t made = 0; made < count; made += kAtOnce) {
    const bool ends = made % (2 * kAtOnce) == 0;
    std::vector<NewJob> jobs;
    for (std::size_t i = 0; i < kAtOnce; ++i)
      jobs.push_back({.lifecycle = &kBatch,
                      .request = fmt::format(
                          R"({{"url":"https://example.org/{}.bin","folder":"/in"}})", made + i),
                      .paused = !ends});
    store->jobs().add(jobs, clock.now());
    if (!ends) continue;
    std::vector<Ask> asks;
    for (const Claim& claim : store->jobs().claim(
             {.lifecycle = &kBatch, .worker = worker, .limit = kAtOnce}, clock.now()))
      asks.push_back({.version = claim.version, .on = On::done, .worker = worker});
    store->jobs().move(asks, clock.now());
  }
}

double page_ms(const testing::Daemon& daemon, const std::string& target) {
  constexpr std::size_t kPages = 50;
  const SwarmResult result = run_swarm(
      daemon.port(), 1, kPages, [&](std::size_t) { return request_text(daemon, "GET", target); });
  if (result.refused > 0) throw std::runtime_error{target + " was refused"};
  return result.percentile(1);
}

void time_starts(const std::filesystem::path& data, int rounds) {
  std::vector<double> first_ms;
  for (int round = 0; round < rounds; ++round) {
    const double began = wall_seconds();
    testing::Daemon daemon{data};
    if (daemon.get("/ping").status() != 200) throw std::runtime_error{"no pong"};
    first_ms.push_back((wall_seconds() - began) * 1e3);
    daemon.stop();
  }
  fmt::print("| exec to the first answer of `/ping` | {:.0f} | ≤ 200 |\n", median(first_ms));
}

void time_pages(const std::filesystem::path& data) {
  const testing::Daemon daemon{data};
  for (const char* target : {"/api/v1/jobs?limit=100", "/api/v1/jobs?limit=100&end=good",
                             "/api/v1/jobs?limit=100&lifecycle=batch&state=PENDING",
                             "/api/v1/stats", "/api/v1/jobs?limit=100&q=777.bin"})
    fmt::print("| `GET {}`, the slowest of 50 | {:.1f} | ≤ 50 |\n", target,
               page_ms(daemon, target));
}

}  // namespace

void starts(const Plan& plan) {
  for (const std::size_t jobs : {plan.jobs / 10, plan.jobs}) {
    const testing::TempFolder folder;
    const auto data = folder.path() / "data";
    std::filesystem::create_directory(data);
    fill(data, jobs);
    fmt::print("| {} jobs in the file | ms | wanted |\n|---|---|---|\n", jobs);
    time_starts(data, plan.rounds);
    time_pages(data);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace haul::bench
