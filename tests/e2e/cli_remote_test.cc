// The commands that use the API, as a user or a script runs them, against a real daemon.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/process/daemon.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;

namespace {

Finished run_at(const Daemon& daemon, std::vector<std::string> words) {
  const std::string address = words.front() == "get" ? "--daemon-url" : "--url";
  words.insert(words.begin(), HAUL_BINARY);
  words.insert(words.end(), {address, fmt::format("http://127.0.0.1:{}", daemon.port()), "--data",
                             daemon.data().string()});
  return run_program(words);
}

}  // namespace

TEST_CASE("a link that is added can be watched to its end, and then be looked at") {
  const FaultServer server;
  const Daemon daemon;

  const Finished added = run_at(daemon, {"add", server.url("/f/a.bin?size=100000")});
  CHECK(added.code == 0);
  CHECK(added.out.starts_with("Added job 1: "));
  const Finished watched = run_at(daemon, {"watch", "1"});
  CHECK(watched.code == 0);
  CHECK(watched.out.find("Job 1 is COMPLETED") != std::string::npos);

  const Finished listed = run_at(daemon, {"jobs", "--json"});
  CHECK(json::parse(listed.out)["items"][0]["state"] == "COMPLETED");
  const Finished shown = run_at(daemon, {"show", "1"});
  CHECK(shown.out.find("a.bin") != std::string::npos);
  CHECK(run_at(daemon, {"why", "1"}).code == 0);
  const Finished events = run_at(daemon, {"events", "1", "--follow"});
  CHECK(events.code == 0);
  CHECK(events.out.find("> COMPLETED") != std::string::npos);
}

TEST_CASE("a get by the daemon lands in the daemon's folder, and fails as a get does") {
  const FaultServer server;
  const Daemon daemon;

  const Finished good =
      run_at(daemon, {"get", "--daemon", "-d", "sub", server.url("/f/b.bin?size=1000")});
  CHECK(good.code == 0);
  CHECK(std::filesystem::exists(daemon.downloads() / "sub" / "b.bin"));

  const Finished outside =
      run_at(daemon, {"get", "--daemon", "-d", "/etc", server.url("/f/c.bin?size=1000")});
  CHECK(outside.code == 1);
  CHECK(outside.err.find("(bad_folder)") != std::string::npos);
}

TEST_CASE("show prints the receipt of a file that the daemon downloaded") {
  const FaultServer server;
  const Daemon daemon;
  const std::string url = server.url("/f/a.bin?size=100000");
  const std::string added =
      fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}","hash":"sha256"}}}})", url);
  REQUIRE(daemon.comes_to(member_of(daemon.post("/api/v1/jobs", added).body(), "id"), "COMPLETED"));

  const Finished shown = run_at(daemon, {"show", "1"});
  CHECK(shown.code == 0);
  const std::string sum = FaultServer::content_sha256("a.bin", 100'000);
  INFO(shown.out);
  CHECK(shown.out.find("sha256         " + sum + "\n") != std::string::npos);
  CHECK(shown.out.find("size           100,000 bytes\n") != std::string::npos);
  CHECK(shown.out.find("url            " + url + "\n") != std::string::npos);
  const json receipt =
      json::parse(run_at(daemon, {"show", "1", "--json"}).out)["items"]["items"][0]["evidence"];
  CHECK(receipt.value("sha256", "") == sum);
}

TEST_CASE(
    "a search reads past 20,000 newer jobs: it finds the oldest, and an absent word nowhere") {
  const Daemon daemon;
  const auto add = [&](const std::string& name, int count) {
    std::string jobs;
    for (int i = 0; i < count; ++i)
      jobs += fmt::format(R"({}{{"lifecycle":"batch","paused":true,)"
                          R"("request":{{"url":"https://example.org/{}-{}"}}}})",
                          jobs.empty() ? "" : ",", name, i);
    REQUIRE(daemon.post("/api/v1/jobs/batch", "[" + jobs + "]").status() == 200);
  };
  add("needle", 1);
  for (int call = 0; call < 21; ++call) add(fmt::format("hay-{}", call), 1'000);

  const json found = json::parse(run_at(daemon, {"jobs", "--search", "needle", "--json"}).out);
  REQUIRE(found["items"].size() == 1);
  CHECK(found["items"][0]["id"] == 1);
  const Finished none = run_at(daemon, {"jobs", "--search", "pitchfork"});
  CHECK(none.code == 0);
  CHECK(none.out.find("pitchfork") == std::string::npos);
  CHECK(json::parse(run_at(daemon, {"jobs", "--search", "pitchfork", "--json"}).out)["items"] ==
        json::array());
}

TEST_CASE("what is refused is named, with what is possible, and is 1") {
  const Daemon daemon;
  REQUIRE(run_at(daemon, {"add", "https://example.org/x", "--paused"}).code == 0);

  const Finished both = run_at(daemon, {"cancel", "1", "99"});
  CHECK(both.code == 1);
  CHECK(both.out == "Job 1 is CANCELLED\n");
  CHECK(both.err.find("job 99: ") != std::string::npos);
  const Finished again = run_at(daemon, {"resume", "1"});
  CHECK(again.code == 1);
  CHECK(again.err.find("possible now") != std::string::npos);
}

TEST_CASE("users, keys, credits and the audit log") {
  const Daemon daemon;

  CHECK(run_at(daemon, {"users", "add", "bob", "--role", "viewer"}).code == 0);
  CHECK(run_at(daemon, {"users", "set", "bob", "--status", "blocked"}).out ==
        "User 2 (bob) is viewer, blocked\n");
  CHECK(run_at(daemon, {"credits", "bob", "grant", "5"}).out.find("available  5") !=
        std::string::npos);
  const Finished key = run_at(daemon, {"keys", "add", "ci", "--scopes", "read", "--json"});
  CHECK(json::parse(key.out)["key"].get<std::string>().size() == 46);
  const std::string id = json::parse(key.out)["id"].dump();
  CHECK(run_at(daemon, {"keys", "revoke", id}).code == 0);
  CHECK(run_at(daemon, {"audit"}).out.find("KEY_REVOKED") != std::string::npos);
  CHECK(run_at(daemon, {"stuck"}).out == "Nothing is stuck.\n");
}

TEST_CASE("a healthy daemon is healthy to the doctor; the wrong key and no daemon are sentences") {
  Daemon daemon;

  const Finished well = run_at(daemon, {"doctor", "--json"});
  CHECK(well.code == 0);
  CHECK(json::parse(well.out)["healthy"] == true);

  const TempFolder other;
  const std::string url = fmt::format("http://127.0.0.1:{}", daemon.port());
  const Finished keyless =
      run_program({HAUL_BINARY, "jobs", "--url", url, "--data", other.path().string()});
  CHECK(keyless.code == 1);
  CHECK(keyless.err.find("admin.key") != std::string::npos);

  CHECK(daemon.stop() == 0);
  const Finished away = run_program({HAUL_BINARY, "jobs", "--url", url});
  CHECK(away.code == 1);
  CHECK(away.err.find("haul serve") != std::string::npos);
  CHECK(run_program({HAUL_BINARY, "show", "x"}).code == 2);
  CHECK(run_program({HAUL_BINARY, "jobs", "--url", "nowhere"}).code == 2);
}
