// A job is deleted with its files: by a real daemon, also by the next one after kill -9.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::string deleted_files(const Daemon& daemon, const std::string& id) {
  return member_of(daemon.job(id), "deleted_files");
}

// What became of the files, once all were looked at. Empty after 30 s.
std::string became(const Daemon& daemon, const std::string& id) {
  for (int i = 0; i < 3'000; ++i) {
    const std::string files = deleted_files(daemon, id);
    if (files.starts_with('{') && member_of(files, "ended_at") != "null") return files;
    let_pass(10ms);
  }
  return {};
}

std::string land(const Daemon& daemon, const FaultServer& server, const std::string& name) {
  const std::string id = daemon.add(server.url("/f/" + name + "?size=1000"));
  REQUIRE(daemon.comes_to(id, "COMPLETED"));
  REQUIRE(fs::exists(daemon.downloads() / name));
  return id;
}

}  // namespace

TEST_CASE("delete: a daemon removes the files of a deleted job, and of no other") {
  const FaultServer server;
  const Daemon daemon;
  const std::string plain = land(daemon, server, "plain.bin");
  const std::string id = land(daemon, server, "a.bin");
  const std::string changed = land(daemon, server, "changed.bin");
  std::ofstream{daemon.downloads() / "changed.bin", std::ios::app} << "more";

  CHECK(daemon.ask("DELETE", "/api/v1/jobs/" + plain).status() == 200);
  CHECK(daemon.ask("DELETE", "/api/v1/jobs/" + id + "?files=true").status() == 200);
  CHECK(daemon.ask("DELETE", "/api/v1/jobs/" + changed + "?files=true").status() == 200);

  const std::string files = became(daemon, id);
  CHECK(member_of(files, "removed") == "1");
  CHECK(member_of(files, "bytes") == "1000");
  CHECK_FALSE(fs::exists(daemon.downloads() / "a.bin"));
  CHECK(member_of(became(daemon, changed), "kept") == "1");
  CHECK(fs::exists(daemon.downloads() / "changed.bin"));
  CHECK(fs::exists(daemon.downloads() / "plain.bin"));
  CHECK(deleted_files(daemon, plain) == "null");
  CHECK(daemon.get("/api/v1/jobs/" + id + "/events?limit=100").body().find("FILES_REMOVED") !=
        std::string::npos);
}

TEST_CASE("delete: a daemon that is killed after its answer leaves the wish to the next one") {
  const FaultServer server;
  Daemon daemon;
  const std::string id = land(daemon, server, "a.bin");

  CHECK(daemon.ask("DELETE", "/api/v1/jobs/" + id + "?files=true").status() == 200);
  daemon.kill();
  daemon.start();

  const std::string files = became(daemon, id);
  CHECK(member_of(files, "kept") == "0");
  CHECK(std::stoi(member_of(files, "removed")) + std::stoi(member_of(files, "gone")) == 1);
  CHECK_FALSE(fs::exists(daemon.downloads() / "a.bin"));
}
