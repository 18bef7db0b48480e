// What the daemon writes to its log.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "support/process/daemon.h"
#include "support/server/fault_server.h"
#include "support/store/stopped_store.h"

using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// Settings of a daemon that logs everything to a file.
std::vector<std::string> logging_to(const std::filesystem::path& file) {
  return {"HAUL__LOG__LEVEL=debug", "sh", "-c",
          fmt::format("exec \"$0\" \"$@\" 2>'{}'", file.string()), "env"};
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("F52: the daemon's log has no token of an address and no password that was tried") {
  const TempFolder folder;
  const FaultServer server;
  Daemon daemon{logging_to(folder / "log")};

  const std::string failed = daemon.add(server.url("/f/a?token=canary"));  // Answered by 400.
  CHECK(daemon.comes_to(failed, "COMPLETED"));
  // No server listens there.
  const std::string lost = daemon.add("http://127.0.0.6:4281/f/b?token=canary");
  CHECK(daemon.post("/api/v1/jobs/" + lost + "/cancel").status() < 300);
  CHECK(daemon.comes_to(lost, "CANCELLED"));
  CHECK(daemon.add("gopher://h.example/?token=canary").empty());
  CHECK(daemon.post("/api/v1/login", R"({"name":"x","password":"canary"})").status() == 401);
  CHECK(daemon.stop() == 0);

  const std::string log = text_of(folder / "log");
  CHECK(log.find("serving") != std::string::npos);
  CHECK(log.find("login_failed") != std::string::npos);
  CHECK(log.find("canary") == std::string::npos);
}

TEST_CASE("S1-14: at its start the daemon warns of stuck jobs, with the command that lists them") {
  const StoppedStore store{[](Bench& b) {
    b.after(-20'000h);
    b.add(haul::kMedia);
    b.add(haul::kMedia);
  }};
  const TempFolder folder;
  Daemon daemon{store.file().parent_path(), true, logging_to(folder / "log")};
  CHECK(daemon.stop() == 0);
  CHECK(text_of(folder / "log")
            .find(R"("event":"stuck","jobs":"2","detail":"2 jobs are in a state for too long; )"
                  R"(haul stuck lists them")") != std::string::npos);

  daemon.set("HAUL__STUCK__MEDIA__QUEUED=0s");
  daemon.start();
  CHECK(daemon.stop() == 0);
  CHECK(text_of(folder / "log").find("stuck") == std::string::npos);
}
