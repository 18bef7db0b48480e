// Adding through the API compared with adding to the store, with the same number of clients.

#include <fmt/core.h>

#include <thread>

#include "api/cases.h"
#include "api/swarm.h"
#include "base/clock.h"
#include "lifecycle/tables.h"
#include "measure.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace haul::bench {
namespace {

constexpr std::size_t kClients = 64;
constexpr std::size_t kBatchClients = 4;
constexpr std::size_t kBatchSize = 1'000;

const std::string kRequest =
    R"({"url":"https://example.org/a/b/c.bin","folder":"/var/lib/haul/downloads"})";

Time now() { return system_clock().now(); }

// Jobs added per second, `size` in each call.
double rate_of_store(std::size_t clients, std::size_t calls, std::size_t size) {
  const testing::TempFolder folder;
  const auto store = open_sqlite(folder.path(), {}, now());
  const std::vector<NewJob> jobs(size,
                                 NewJob{.lifecycle = &kBatch, .request = kRequest, .paused = true});
  const Spent spent = timed([&] {
    std::vector<std::jthread> threads;
    for (std::size_t c = 0; c < clients; ++c)
      threads.emplace_back([&, c] {
        for (std::size_t i = c; i < calls; i += clients) store->jobs().add(jobs, now());
      });
  });
  return static_cast<double>(calls * size) / spent.wall_s;
}

SwarmResult post(const std::string& target, const std::string& body, std::size_t clients,
                 std::size_t calls) {
  const testing::Daemon daemon;
  const std::string request = request_text(daemon, "POST", target, body);
  run_swarm(daemon.port(), clients, clients, [&](std::size_t) { return request; });  // Warm up.
  SwarmResult result =
      run_swarm(daemon.port(), clients, calls, [&](std::size_t) { return request; });
  if (result.refused > 0) throw std::runtime_error{"some were refused"};
  return result;
}

std::string thousand() {
  std::string body = "[";
  for (std::size_t i = 0; i < kBatchSize; ++i) body += (i == 0 ? "" : ",") + std::string{kJob};
  return body + "]";
}

}  // namespace

void add_jobs(const Plan& plan) {
  fmt::print("| jobs added/s | API | store alone | ratio [min–max] | wanted |\n");
  fmt::print("|---|---|---|---|---|\n");
  Pair single;
  Pair batch;
  std::vector<double> p99;
  const std::string body = thousand();
  for (int round = 0; round < plan.rounds; ++round) {
    const SwarmResult one = post("/api/v1/jobs", kJob, kClients, plan.adds);
    single.ours.push_back(one.rate());
    p99.push_back(one.percentile(0.99));
    single.theirs.push_back(rate_of_store(kClients, plan.adds, 1));
    const SwarmResult many = post("/api/v1/jobs/batch", body, kBatchClients, plan.batches);
    batch.ours.push_back(many.rate() * kBatchSize);
    batch.theirs.push_back(rate_of_store(kBatchClients, plan.batches, kBatchSize));
  }
  print_row(fmt::format("`POST /jobs`, {} clients", kClients), single, "≥ 0.60");
  print_row(fmt::format("`POST /jobs/batch`, 1,000 a body, {} clients", kBatchClients), batch,
            "≥ 0.50");
  fmt::print("\n`POST /jobs`, {} clients: p99 {:.1f} ms (wanted ≤ 50).\n\n", kClients, median(p99));
  std::fflush(stdout);
}

}  // namespace haul::bench
