// A link that expires on a daemon: the part stays, and another link or a retry goes on with it.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSize = 6'000'000;
constexpr std::size_t kHere = 4'000'000;

std::size_t parts_in(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    count += entry.path().extension() == ".part" ? 1 : 0;
  return count;
}

bool holds(const fs::path& file, const std::string& content) {
  std::ifstream in{file, std::ios::binary};
  return std::string{std::istreambuf_iterator<char>{in}, {}} == content;
}

// How many bytes of bodies a server has sent. The close of a connection may cost a few of them, so
// that the part is shorter than what came before it.
std::uint64_t sent_by(const FaultServer& server) {
  std::uint64_t sent = 0;
  for (const LoggedRequest& request : server.log()) sent += request.sent;
  return sent;
}

struct ExpiredJob {
  FaultServer former;
  FaultServer now{"127.0.0.2"};
  Daemon daemon;
  std::string id = daemon.add(former.url(
      fmt::format("/f/a.bin?size={}&close_after={}&close_times=1&status=403&status_after=1&"
                  "status_times=1",
                  kSize, kHere)));

  ExpiredJob() {
    REQUIRE(daemon.comes_to(id, "COMPLETED"));
    REQUIRE(daemon.get("/api/v1/jobs/" + id + "/items").body().find(R"("reason":"http_403")") !=
            std::string::npos);
    REQUIRE(parts_in(daemon.downloads()) == 1);
  }
  RawReply replace(const std::string& url, int item = 1) const {
    return daemon.post(fmt::format("/api/v1/jobs/{}/items/{}/url", id, item),
                       fmt::format(R"({{"url":"{}"}})", url));
  }
};

}  // namespace

TEST_CASE("S2-31: a daemon's item goes on from a new link with the bytes that are here") {
  ExpiredJob s;

  const RawReply reply = s.replace(s.now.url(fmt::format("/f/a.bin?size={}", kSize)));
  REQUIRE(reply.status() == 201);
  const std::string next = member_of(reply.body(), "id");
  REQUIRE(s.daemon.comes_to(next, "COMPLETED"));

  CHECK(member_of(s.daemon.job(next), "retry_of") == s.id);
  CHECK(holds(s.daemon.downloads() / "a.bin", FaultServer::content("a.bin", kSize)));
  CHECK(parts_in(s.daemon.downloads()) == 0);
  CHECK(sent_by(s.now) < kSize - kHere * 3 / 4);
  const std::string events{s.daemon.get("/api/v1/jobs/" + next + "/events?limit=100").body()};
  CHECK(events.find(R"("LINK_REPLACED")") != std::string::npos);
  CHECK(s.replace("http://127.0.0.2/x", 2).status() == 404);
}

TEST_CASE("haul replace-url takes an item by its number or by its old link") {
  for (const bool by_number : {true, false}) {
    CAPTURE(by_number);
    ExpiredJob s;
    const std::string items{s.daemon.get("/api/v1/jobs/" + s.id + "/items").body()};
    const std::string old = nlohmann::json::parse(items)["items"][0]["url"];

    const Finished told = run_program({HAUL_BINARY, "replace-url", s.id, by_number ? "1" : old,
                                       s.now.url(fmt::format("/f/a.bin?size={}", kSize)), "--json",
                                       "--url", fmt::format("http://127.0.0.1:{}", s.daemon.port()),
                                       "--data", s.daemon.data().string()});
    REQUIRE_MESSAGE(told.code == 0, told.err);
    REQUIRE(s.daemon.comes_to(member_of(told.out, "id"), "COMPLETED"));

    CHECK(holds(s.daemon.downloads() / "a.bin", FaultServer::content("a.bin", kSize)));
    CHECK(sent_by(s.now) < kSize - kHere * 3 / 4);
  }
}

TEST_CASE("A2-16: a retry on a daemon goes on with the part of a link that works again") {
  ExpiredJob s;

  const RawReply reply = s.daemon.post("/api/v1/jobs/" + s.id + "/retry");
  REQUIRE(reply.status() == 201);
  REQUIRE(s.daemon.comes_to(member_of(reply.body(), "id"), "COMPLETED"));

  CHECK(holds(s.daemon.downloads() / "a.bin", FaultServer::content("a.bin", kSize)));
  const std::string range = s.former.log().back().range;
  REQUIRE(range.starts_with("bytes="));
  CHECK(std::stoul(range.substr(std::string{"bytes="}.size())) > kHere * 3 / 4);
}

TEST_CASE("the part of a refused link goes when its job is deleted") {
  ExpiredJob s;

  CHECK(s.daemon.ask("DELETE", "/api/v1/jobs/" + s.id).status() == 200);

  CHECK(comes_true([&] { return parts_in(s.daemon.downloads()) == 0; }));
}
