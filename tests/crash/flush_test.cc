// F22: a failed flush is final. strace makes one flush of the database fail. The store must
// acknowledge nothing after it, and the next start must find everything acknowledged before.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/process/trace.h"
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
