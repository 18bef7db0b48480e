// haul's store compared with bare SQLite on the same schema, indexes and triggers, interleaved in
// one run. Prints the table of docs/BENCHMARKS.md; only ratios carry over to other machines.

#include <fmt/core.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "lifecycle/tables.h"
#include "measure.h"
#include "store/bare.h"
#include "store/bare_group.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"

namespace fs = std::filesystem;

namespace haul::bench {
namespace {

struct Plan {
  int rounds = 5;
  std::size_t lives = 500'000;
  std::size_t moves = 40'000;
  std::size_t waiting = 1'000'000;
};

const std::string kRequest =
    R"({"url":"https://example.org/a/b/c.bin","engine":"http","folder":"/in"})";
const std::string kLane = "example.org";  // The host of that request.
const std::string kBookRequest = R"({"book_id":"b1","media_type":"text","source":"x"})";

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "haul-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Time now() { return system_clock().now(); }

// Makes a file with haul's schema and one worker, and closes it.
void make_file(const fs::path& folder) {
  const auto store = open_sqlite(folder, {}, now());
  store->workers().enlist("bench", now());
}

Spent lives_of_haul(std::size_t count, std::size_t batch) {
  const Scratch scratch;
  make_file(scratch.path());
  const auto store = open_sqlite(scratch.path(), {}, now());
  const std::vector<NewJob> jobs(batch,
                                 NewJob{.lifecycle = &kBatch, .request = kRequest, .lane = kLane});
  return timed([&] {
    for (std::size_t i = 0; i < count; i += batch) store->jobs().add(jobs, now());
    for (std::size_t i = 0; i < count; i += batch) {
      const auto claims = store->jobs().claim(
          {.lifecycle = &kBatch, .lane = kLane, .worker = WorkerId{1}, .limit = batch}, now());
      std::vector<Ask> asks;
      asks.reserve(claims.size());
      for (const Claim& claim : claims)
        asks.push_back({.version = claim.version, .on = On::done, .worker = WorkerId{1}});
      for (const MoveAnswer& answer : store->jobs().move(asks, now()))
        if (!answer) throw std::runtime_error{answer.error().detail};
    }
  });
}

enum class Triggers { kept, dropped };

Spent lives_of_bare(std::size_t count, std::size_t batch, Triggers triggers) {
  const Scratch scratch;
  make_file(scratch.path());
  Bare bare{scratch.path() / "haul.db"};
  if (triggers == Triggers::dropped) bare.drop_triggers();
  return timed([&] {
    for (std::size_t i = 0; i < count; i += batch) {
      const std::int64_t at = to_unix_ms(now());
      bare.begin();
      for (std::size_t j = 0; j < batch; ++j) bare.add(kRequest, kLane, at);
      bare.commit();
    }
    for (std::size_t i = 0; i < count; i += batch) {
      bare.begin();
      const auto claims = bare.claim(kLane, batch, 1, to_unix_ms(now()));
      bare.commit();
      bare.begin();
      for (const BareJob& job : claims) bare.finish(job, 1, to_unix_ms(now()));
      bare.commit();
    }
  });
}

// Each client moves its own jobs, one call at a time, and waits for each answer.
void run_clients(std::size_t clients, std::size_t moves,
                 const std::function<void(std::size_t job, int step)>& move) {
  std::vector<std::jthread> threads;
  const std::size_t jobs = moves / 2;
  for (std::size_t c = 0; c < clients; ++c)
    threads.emplace_back([=, &move] {
      for (std::size_t job = c; job < jobs; job += clients)
        for (int step = 0; step < 2; ++step) move(job, step);
    });
}

Spent clients_of_haul(std::size_t clients, std::size_t moves) {
  const Scratch scratch;
  make_file(scratch.path());
  const auto store = open_sqlite(scratch.path(), {}, now());
  const std::vector<NewJob> jobs(1000, NewJob{.lifecycle = &kBook, .request = kBookRequest});
  std::vector<JobVersion> seen;
  while (seen.size() < moves / 2)
    for (const AddAnswer& added : store->jobs().add(jobs, now()))
      seen.push_back({.id = added->id, .lifecycle = &kBook, .state = kBook.initial().name});
  return timed([&] {
    run_clients(clients, moves, [&](std::size_t job, int step) {
      Ask ask{.version = seen[job], .on = step == 0 ? On::started : On::fail};
      if (step == 0) ask.holds = {Guard::active_report};
      const MoveAnswer answer = store->jobs().move({&ask, 1}, now()).front();
      if (!answer) throw std::runtime_error{answer.error().detail};
      seen[job] = *answer;
    });
  });
}

Spent clients_of_bare(std::size_t clients, std::size_t moves) {
  const Scratch scratch;
  make_file(scratch.path());
  Bare bare{scratch.path() / "haul.db"};
  bare.begin();
  for (std::size_t i = 0; i < moves / 2; ++i) bare.add_book(kBookRequest, to_unix_ms(now()));
  bare.commit();
  BareGroup group{bare};
  return timed([&] {
    run_clients(clients, moves, [&](std::size_t job, int step) {
      const BareJob seen{static_cast<std::int64_t>(job) + 1, step, 0};
      group.run([&] {
        if (step == 0)
          bare.move_book(seen, "queued", "downloading", "open", "started", to_unix_ms(now()));
        else
          bare.move_book(seen, "downloading", "failed", "bad", "fail", to_unix_ms(now()));
      });
    });
  });
}

// Seconds to claim a thousand jobs, and to open the file.
struct ClaimTimes {
  double claim_s = 0;
  double open_s = 0;
};

// Fills the folder's file with this many waiting and ended jobs, then measures.
ClaimTimes claim_out_of(const fs::path& folder, std::size_t waiting, std::size_t ended) {
  constexpr std::size_t kBatch1000 = 1000;
  {
    const auto store = open_sqlite(folder, {}, now());
    const WorkerId worker = store->workers().enlist("bench", now());
    const std::vector<NewJob> jobs(
        kBatch1000, NewJob{.lifecycle = &kBatch, .request = kRequest, .lane = kLane});
    for (std::size_t i = 0; i < ended; i += kBatch1000) {
      store->jobs().add(jobs, now());
      std::vector<Ask> asks;
      for (const Claim& claim : store->jobs().claim(
               {.lifecycle = &kBatch, .lane = kLane, .worker = worker, .limit = kBatch1000}, now()))
        asks.push_back({.version = claim.version, .on = On::done, .worker = worker});
      store->jobs().move(asks, now());
    }
    for (std::size_t i = 0; i < waiting; i += kBatch1000) store->jobs().add(jobs, now());
  }
  ClaimTimes times;
  std::unique_ptr<Store> store;
  times.open_s = timed([&] { store = open_sqlite(folder, {}, now()); }).wall_s;
  std::vector<double> claims;
  for (int i = 0; i < 10; ++i)
    claims.push_back(
        timed([&] {
          store->jobs().claim(
              {.lifecycle = &kBatch, .lane = kLane, .worker = WorkerId{1}, .limit = kBatch1000},
              now());
        }).wall_s);
  times.claim_s = median(claims);
  return times;
}

void lives(const Plan& plan) {
  fmt::print("| full lives/s, {} jobs | haul | bare C | ratio [min–max] | wanted |\n", plan.lives);
  fmt::print("|---|---|---|---|---|\n");
  for (const std::size_t batch : {std::size_t{1000}, std::size_t{100}}) {
    Pair pair;
    for (int round = 0; round < plan.rounds; ++round) {
      const double count = static_cast<double>(plan.lives);
      pair.ours.push_back(count / lives_of_haul(plan.lives, batch).wall_s);
      pair.theirs.push_back(count / lives_of_bare(plan.lives, batch, Triggers::kept).wall_s);
    }
    print_row(fmt::format("batches of {}", batch), pair, "≥ 0.70");
  }
}

void clients(const Plan& plan) {
  fmt::print(
      "\n| single moves/s, clients at once | haul | bare group commit | ratio [min–max] | wanted "
      "|\n");
  fmt::print("|---|---|---|---|---|\n");
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{16}, std::size_t{64}, std::size_t{256}}) {
    const std::size_t moves = count == 1 ? plan.moves / 4 : plan.moves;
    Pair pair;
    for (int round = 0; round < plan.rounds; ++round) {
      pair.ours.push_back(static_cast<double>(moves) / clients_of_haul(count, moves).wall_s);
      pair.theirs.push_back(static_cast<double>(moves) / clients_of_bare(count, moves).wall_s);
    }
    print_row(fmt::format("{}", count), pair, "≥ 0.70");
  }
}

void triggers(const Plan& plan) {
  const std::size_t count = plan.lives / 5;
  Pair pair;
  for (int round = 0; round < plan.rounds; ++round) {
    pair.ours.push_back(lives_of_bare(count, 1000, Triggers::kept).cpu_s * 1e6 /
                        static_cast<double>(count));
    pair.theirs.push_back(lives_of_bare(count, 1000, Triggers::dropped).cpu_s * 1e6 /
                          static_cast<double>(count));
  }
  fmt::print("\n| CPU µs a life, bare C | with triggers | without | ratio [min–max] | wanted |\n");
  fmt::print("|---|---|---|---|---|\n");
  print_row("batches of 1000", pair, "≤ 1.20");
}

void claims(const Plan& plan) {
  const Scratch few;
  const Scratch many;
  const ClaimTimes small = claim_out_of(few.path(), 20'000, 0);
  const ClaimTimes large = claim_out_of(many.path(), plan.waiting, plan.waiting);
  fmt::print(
      "\n| claiming 1,000 | out of 20,000 | out of {} waiting and as many ended | ratio | wanted "
      "|\n",
      plan.waiting);
  fmt::print("|---|---|---|---|---|\n");
  fmt::print("| ms | {:.1f} | {:.1f} | {:.2f} | ≤ 2.00 |\n", small.claim_s * 1e3,
             large.claim_s * 1e3, large.claim_s / small.claim_s);
  fmt::print("\nOpening that file took {:.0f} ms (wanted ≤ 1,000).\n", large.open_s * 1e3);
}

}  // namespace
}  // namespace haul::bench

int main(int argc, char** argv) {
  using namespace haul::bench;
  Plan plan;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      plan = {.rounds = 3, .lives = 50'000, .moves = 10'000, .waiting = 50'000};
    else if (word == "--rounds" && i + 1 < argc)
      plan.rounds = std::atoi(argv[++i]);
    else if (word == "--jobs" && i + 1 < argc)
      plan.lives = std::strtoul(argv[++i], nullptr, 10);
    else
      only = word;
  }
  if (only.empty() || only == "lives") lives(plan);
  if (only.empty() || only == "clients") clients(plan);
  if (only.empty() || only == "triggers") triggers(plan);
  if (only.empty() || only == "claims") claims(plan);
  return 0;
}
