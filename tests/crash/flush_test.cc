// F22: a failed flush is final. strace makes one flush of the database fail. The store must
// acknowledge nothing after it, and the next start must find everything acknowledged before.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/process/daemon.h"
#include "support/process/process.h"
#include "support/process/trace.h"
#include "support/run/moment.h"
#include "support/run/skip.h"
#include "support/store/acknowledged.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr int kLinesMax = 5'000;

struct Failure {
  std::string file;  // The file whose flush fails.
  int when = 1;      // Which flush of a thread fails, from 1.
  std::string checkpoint_pages;
};

// Runs a victim with one failing flush. True if it ended by itself before it had printed kLinesMax
// lines.
bool ends(const std::filesystem::path& folder, const Failure& failure, Acknowledged& told) {
  Child victim{{"strace", "-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", "-P",
                (folder / failure.file).string(), "-e", "trace=fdatasync,fsync", "-e",
                fmt::format("inject=fdatasync,fsync:error=EIO:when={}", failure.when), HAUL_VICTIM,
                folder.string(), "3", failure.checkpoint_pages}};
  for (int i = 0; i < kLinesMax; ++i) {
    const auto line = victim.line();
    if (!line) return true;
    told.hear(*line);
  }
  victim.kill();
  while (const auto line = victim.line()) told.hear(*line);
  return false;
}

bool is_traced(const std::filesystem::path& thread) {
  std::ifstream status{thread / "status"};
  for (std::string word; status >> word;)
    if (word == "TracerPid:") return status >> word && word != "0";
  return false;
}

// Makes every flush of the log fail from now on, while the daemon runs. Not there if strace may not
// trace a process that it did not start.
class FailingFlushes {
 public:
  explicit FailingFlushes(const Daemon& daemon)
      : daemon_{daemon},
        strace_{{"strace", "-f", "-qqq", "-o", "/dev/null", "-p", std::to_string(daemon.pid()),
                 "-P", (daemon.data() / "haul.db-wal").string(), "-e", "trace=fdatasync,fsync",
                 "-e", "inject=fdatasync,fsync:error=EIO"}} {
    CHECK(comes_true([&] { return strace_.has_ended() || daemon_.has_ended() || traces_all(); }));
  }

  // A daemon that met a failing flush already may have ended, and strace with it.
  bool are_there() const {
    if (!strace_.has_ended() || daemon_.has_ended()) return true;
    skip("strace may not trace a running process here");
    return false;
  }

 private:
  bool traces_all() const {
    std::error_code error;  // Threads end during the walk.
    std::filesystem::directory_iterator at{fmt::format("/proc/{}/task", daemon_.pid()), error};
    for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error))
      if (!is_traced(at->path())) return false;
    return !error;
  }

  const Daemon& daemon_;
  Child strace_;
};

// The status of the answer to a new job. Zero if there is no answer.
int status_of_add(const Daemon& daemon) {
  try {
    return daemon
        .post("/api/v1/jobs", R"({"lifecycle":"batch","request":{"url":"http://127.0.0.1/later"}})")
        .status();
  } catch (const std::runtime_error&) {
    return 0;  // The daemon has ended.
  }
}

// Recovers with a start without failures, and checks everything.
void check_recovered(const std::filesystem::path& folder, Acknowledged& told) {
  {
    Child victim{{HAUL_VICTIM, folder.string(), "4"}};
    for (int i = 0; i < 20; ++i) {
      const auto line = victim.line();
      REQUIRE(line);
      told.hear(*line);
    }
  }
  Sql sql{folder / "haul.db"};
  const auto lost = told.missing(sql, Acknowledged::Which::all);
  CHECK_MESSAGE(lost.empty(), joined(lost));
  const auto broken = broken_invariants(sql);
  CHECK_MESSAGE(broken.empty(), joined(broken));
}

}  // namespace

TEST_CASE("F22: when a commit cannot be flushed, the store ends and recovers with all it told") {
  if (!can_trace()) return;
  for (const int when : {2, 3, 5, 9, 17, 40}) {
    INFO("flush " << when << " of the log fails");
    const TempFolder folder;
    Acknowledged told;

    CHECK(ends(folder.path(), {"haul.db-wal", when, "100000"}, told));

    check_recovered(folder.path(), told);
  }
}

TEST_CASE("F22: when folding the log into the file cannot be flushed, the store ends too") {
  if (!can_trace()) return;
  const TempFolder folder;
  Acknowledged told;

  CHECK(ends(folder.path(), {"haul.db", 2, "50"}, told));

  check_recovered(folder.path(), told);
}

TEST_CASE("F22: a daemon that cannot flush accepts no job, ends with 70, and starts again") {
  if (!can_trace()) return;
  // A sanitizer's search for leaks traces the process itself, which strace prevents.
  Daemon daemon{std::vector<std::string>{"ASAN_OPTIONS=detect_leaks=0"}};
  const std::string kept = daemon.add("http://127.0.0.1/kept");
  REQUIRE(!kept.empty());
  {
    const FailingFlushes failing{daemon};
    if (!failing.are_there()) return;

    const int status = status_of_add(daemon);
    CHECK_MESSAGE((status == 0 || status >= 500), status);
    CHECK(daemon.wait() == 70);
  }
  CHECK(has_logged(R"("level":"error","event":"store_gone")"));

  daemon.start();
  CHECK(daemon.comes_to_be_ready(200));
  CHECK(daemon.get("/api/v1/jobs/" + kept).status() == 200);
  CHECK(daemon.stop() == 0);
}
