// `haul bench`: runs the in-process benchmarks and prints their results.
#include <fmt/core.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands/commands.h"
#include "sim/bench_queue.h"

namespace haul::cli {
namespace {

constexpr std::size_t kSmall = 20'000;
constexpr std::size_t kLarge = 500'000;
constexpr std::size_t kPickups = 200;

struct BenchReport {
  std::vector<sim::Lives> lives;
  std::vector<sim::Callers> callers;
  std::vector<sim::Latency> latency;
};

std::string to_text(const sim::Lives& lives) {
  return fmt::format(
      "{:>7} jobs in batches of {:>4}: {:>8.0f} lives/s ({:.2f} s add, {:.2f} s work)\n",
      lives.options.jobs, lives.options.batch, lives.per_s(), lives.add_s, lives.work_s);
}

std::string to_text(const sim::Callers& callers) {
  return fmt::format("{:>7} jobs of {:>2} single clients: {:>8.0f} lives/s\n", callers.options.jobs,
                     callers.options.callers, callers.per_s());
}

std::string to_text(const sim::Latency& latency) {
  return fmt::format("{:>7} jobs, idle pickup: p50 {:.3f} ms, p99 {:.3f} ms\n", latency.jobs,
                     latency.p50_ms, latency.p99_ms);
}

std::string to_json(const sim::Lives& lives) {
  return fmt::format(R"({{"jobs":{},"batch":{},"per_s":{:.1f},"add_s":{:.4f},"work_s":{:.4f}}})",
                     lives.options.jobs, lives.options.batch, lives.per_s(), lives.add_s,
                     lives.work_s);
}

std::string to_json(const sim::Callers& callers) {
  return fmt::format(R"({{"clients":{},"jobs":{},"per_s":{:.1f}}})", callers.options.callers,
                     callers.options.jobs, callers.per_s());
}

std::string to_json(const sim::Latency& latency) {
  return fmt::format(R"({{"jobs":{},"p50_ms":{:.4f},"p99_ms":{:.4f}}})", latency.jobs,
                     latency.p50_ms, latency.p99_ms);
}

template <class Row>
std::string to_json(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) out += (out.empty() ? "" : ",") + to_json(row);
  return "[" + out + "]";
}

// Prints a row as soon as it is known: a run takes minutes.
template <class Row>
void keep(std::vector<Row>& rows, const Row& row, const BenchOptions& options, Terminal terminal) {
  rows.push_back(row);
  if (!options.json) terminal.out << to_text(row) << std::flush;
}

bool wants(const BenchOptions& options, std::string_view part) {
  return options.part.empty() || options.part == part;
}

void run_lives(const sim::BenchFolder& folder, const BenchOptions& options, BenchReport& report,
               Terminal terminal) {
  const std::vector<std::size_t> sizes =
      options.jobs == 0 ? std::vector{kSmall, kLarge} : std::vector{options.jobs};
  for (const std::size_t jobs : sizes)
    for (const std::size_t batch : {std::size_t{1}, std::size_t{100}, std::size_t{1'000}}) {
      if (batch == 1 && jobs > kSmall) continue;  // Three flushes per job would take minutes.
      keep(report.lives, sim::bench_lives(folder, {.jobs = jobs, .batch = batch}), options,
           terminal);
    }
}

void run_callers(const sim::BenchFolder& folder, const BenchOptions& options, BenchReport& report,
                 Terminal terminal) {
  const std::size_t jobs = options.jobs == 0 ? kSmall : options.jobs;
  for (const std::size_t callers : {std::size_t{1}, std::size_t{16}, std::size_t{64}}) {
    const std::size_t share = callers == 1 ? jobs / 10 : jobs;  // One caller waits for each flush.
    keep(report.callers, sim::bench_callers(folder, {.callers = callers, .jobs = share}), options,
         terminal);
  }
}

}  // namespace

int run_bench(const BenchOptions& options, Terminal terminal) {
  const sim::BenchFolder folder{options.folder};
  BenchReport report;
  if (wants(options, "lives")) run_lives(folder, options, report, terminal);
  if (wants(options, "clients")) run_callers(folder, options, report, terminal);
  if (wants(options, "latency"))
    keep(report.latency, sim::bench_latency(folder, kPickups), options, terminal);
  if (options.json)
    terminal.out << fmt::format(R"({{"lives":{},"clients":{},"latency":{}}})",
                                to_json(report.lives), to_json(report.callers),
                                to_json(report.latency))
                 << "\n";
  return 0;
}

}  // namespace haul::cli
