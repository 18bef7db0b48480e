// kill -9 of a real `haul get` at random moments, then the same command again until it is done:
// every file is whole, no finished file is fetched again, and nothing is left over (S2-27, Z-7).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "support/process/get_folders.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/server/fault_server.h"
#include "support/store/acknowledged.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kFiles = 300;
constexpr int kKillsAJob = 4;  // Z-7: the fifth lost worker ends a job.
constexpr int kKillsInTest = 10;
constexpr int kKillsInProof = 100;

struct Wanted {
  std::size_t size = 0;
  std::string switches;
};

// Most are small. The rest break off in the middle, are refused at first, take seconds, or are
// large enough for segments.
Wanted wanted(int number, std::mt19937& random) {
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  if (number == 7) return {33 * kMiB, "&limit_rate=20000000"};
  if (number % 60 == 3) return {4 * kMiB, "&limit_rate=2000000"};
  if (number % 60 == 4) return {3 * kMiB, "&limit_rate=2000000&reset_after=1500000&reset_times=1"};
  if (number % 60 == 5) return {300'000, "&etag=none&last_modified=none&limit_rate=200000"};
  if (number % 20 == 11) return {200'000, "&reset_after=100000&reset_times=1"};
  if (number % 20 == 12) return {20'000, "&status=503&status_times=1"};
  if (number % 20 == 13)
    return {between<std::size_t>(random, 1, 50'000), "&chunked=ok&digest=good"};
  if (number % 20 == 14) return {50'000, "&delay_ms=300"};
  return {between<std::size_t>(random, 0, 30'000), ""};
}

class KilledJob {
 public:
  KilledJob(int job, std::mt19937& random) : random_{random} {
    std::vector<std::string> urls;
    for (int i = 0; i < kFiles; ++i) {
      const std::string name = fmt::format("j{}-{:03}.bin", job, i);
      const auto found = files_.emplace(name, wanted(i, random)).first;
      urls.push_back(server_.url(
          fmt::format("/f/{}?size={}{}", name, found->second.size, found->second.switches)));
    }
    command_ = folders_.command(
        {"-i", folders_.list(urls), "--per-host", "16", "--delay", "0", "--segments", "3"});
  }

  // Starts the command and kills it after a random time. False if it was done before.
  bool run_and_kill() {
    Child get{command_};
    const std::size_t lines = between<std::size_t>(random_, 0, 3 * (kFiles - done_.size()) / 4);
    for (std::size_t i = 0; i < lines; ++i)
      if (!get.line()) break;
    let_pass(between(random_, 0us, 200ms));
    return get.kill() == -SIGKILL;
  }

  // Checks the store and the files between two runs.
  void look_around() {
    asked_before_ = server_.log().size();
    if (!folders_.has_store()) return;
    Sql store = folders_.store();
    const std::vector<std::string> broken = broken_invariants(store);
    REQUIRE_MESSAGE(broken.empty(), joined(broken));
    done_ =
        names(store.ask("SELECT json_extract(payload_json, '$.file_id') "
                        "FROM contract_batch_events WHERE type = 'ITEM_DONE'"));
    landed_ = folders_.files();
    for (const std::string& name : done_) CHECK_MESSAGE(landed_.contains(name), name);
    for (const std::string& name : landed_) CHECK_MESSAGE(files_.contains(name), name);
  }
  // Files that were renamed before the kill, but whose items were not committed as done.
  std::size_t unwritten() const { return landed_.size() - done_.size(); }

  // The next run must not request files that are done or already in their place.
  void check_asked_once() const {
    const std::vector<LoggedRequest> log = server_.log();
    for (std::size_t i = asked_before_; i < log.size(); ++i) {
      const std::string name = log[i].path.substr(std::string_view{"/f/"}.size());
      CHECK_MESSAGE(!done_.contains(name), name << " was written down as done");
      CHECK_MESSAGE(!landed_.contains(name), name << " was in its place");
    }
  }

  void finish() {
    const int ended = Child{command_}.wait();
    CHECK(ended == 0);
  }

  void check_whole(int kills) const {
    for (const std::string& part : folders_.parts()) CHECK_MESSAGE(part.empty(), "was left over");
    CHECK(folders_.files().size() == files_.size());
    for (const auto& [name, file] : files_)
      CHECK_MESSAGE(folders_.sha256_of(name) == FaultServer::content_sha256(name, file.size), name);

    Sql store = folders_.store();
    const std::vector<std::string> broken = broken_invariants(store);
    CHECK_MESSAGE(broken.empty(), joined(broken));
    CHECK(store.ask("SELECT status, total_items, completed_items, failed_items, skipped_items "
                    "FROM contract_batch_jobs") == fmt::format("COMPLETED|{0}|{0}|0|0", kFiles));
    CHECK(store.ask("SELECT DISTINCT status FROM contract_batch_job_items") == "COMPLETED");
    CHECK(store.ask("SELECT count(*), count(DISTINCT json_extract(payload_json, '$.file_id')) "
                    "FROM contract_batch_events WHERE type = 'ITEM_DONE'") ==
          fmt::format("{0}|{0}", kFiles));
    CHECK(store.ask("SELECT type FROM contract_batch_events ORDER BY id DESC LIMIT 1") ==
          "JOB_DONE");
    CHECK(store.ask("SELECT count(*) FROM contract_batch_events WHERE type = 'JOB_DONE'") == "1");
    // A run that is killed before it claims the job does not count as a loss.
    const int lost = std::stoi(store.ask("SELECT attempt FROM jobs"));
    CHECK(lost <= kills);
    CHECK(store.ask("SELECT count(*) FROM contract_batch_events WHERE type = 'JOB_ERROR'") ==
          std::to_string(lost));
  }

 private:
  // The file names in a list of URLs, one URL per line.
  static std::set<std::string> names(const std::string& urls) {
    std::set<std::string> found;
    std::istringstream lines{urls};
    for (std::string url; std::getline(lines, url);) {
      const std::string path = url.substr(0, url.find('?'));
      found.insert(path.substr(path.rfind('/') + 1));
    }
    return found;
  }

  const FaultServer server_;
  std::mt19937& random_;
  GetFolders folders_;
  std::map<std::string, Wanted> files_;
  std::vector<std::string> command_;
  std::size_t asked_before_ = 0;
  std::set<std::string> done_;    // Items whose ITEM_DONE is committed.
  std::set<std::string> landed_;  // Files that are in their place.
};

}  // namespace

TEST_SUITE_BEGIN("proof");

TEST_CASE("S2-27, Z-7: killed at random moments, a get ends with every file whole and none twice") {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const int kills_wanted = rounds(kKillsInTest, kKillsInProof);
  std::size_t unwritten = 0;

  int kills = 0;
  for (int job = 1; kills < kills_wanted && job <= kills_wanted; ++job) {
    INFO("HAUL_TEST_SEED=" << seed << " job " << job);
    KilledJob killed{job, random};
    int of_this = 0;
    while (of_this < std::min(kKillsAJob, kills_wanted - kills)) {
      const bool struck = killed.run_and_kill();
      killed.check_asked_once();
      if (!struck) break;
      ++of_this;
      killed.look_around();
      unwritten += killed.unwritten();
    }
    if (of_this == kKillsAJob || kills + of_this == kills_wanted) killed.finish();
    killed.check_asked_once();
    killed.check_whole(of_this);
    kills += of_this;
  }

  CHECK(kills == kills_wanted);
  MESSAGE(unwritten << " files were in their place and not yet written down");
}

TEST_SUITE_END();
