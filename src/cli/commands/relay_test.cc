#include <doctest/doctest.h>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::Desk;

const std::string kAdded = R"({"id":5,"state":"QUEUED","end":"open"})";

std::string nonce_of(const std::string& asked) {
  const std::string before = R"("nonce":")";
  const std::size_t at = asked.find(before) + before.size();
  return asked.substr(at, asked.find('"', at) - at);
}

}  // namespace

TEST_CASE("relay asks for the file, the chat and the user whose key it has") {
  Desk desk;
  desk.api.on("GET /api/v1/me", 200, R"({"id":3,"name":"bob"})")
      .on("POST /api/v1/jobs", 201, kAdded);

  CHECK(run_relay({.path = "disk:/a \"b\".mp4", .chat = "@films", .nonce = "n1"}, desk.remote()) ==
        0);

  CHECK(desk.api.asked ==
        "GET /api/v1/me\n"
        R"(POST /api/v1/jobs {"lifecycle":"relay","request":{"user_id":"3","chat_id":"@films",)"
        R"("file_id":"disk:/a \"b\".mp4","nonce":"n1"}})"
        "\n");
  CHECK(desk.out.str() == "Added job 5: QUEUED\n");
}

TEST_CASE("relay for another user names that user, and asks for no other") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 200, kAdded);
  CHECK(run_relay({.path = "/a", .chat = "-100", .user = "eve", .nonce = "n1", .paused = true},
                  desk.remote()) == 0);
  CHECK(desk.api.asked ==
        R"(POST /api/v1/jobs {"lifecycle":"relay","request":{"user_id":"eve","chat_id":"-100",)"
        R"("file_id":"/a","nonce":"n1"},"paused":true})"
        "\n");
  CHECK(desk.out.str() == "Job 5 already exists: QUEUED\n");
}

TEST_CASE("S3-10: every relay command is a request of its own, unless it has a nonce") {
  const auto nonce = [] {
    Desk desk;
    desk.api.on("POST /api/v1/jobs", 201, kAdded);
    CHECK(run_relay({.path = "/a", .chat = "1", .user = "eve"}, desk.remote()) == 0);
    return nonce_of(desk.api.asked);
  };
  const std::string first = nonce();
  CHECK(first.size() == 22);
  CHECK(nonce() != first);
}

TEST_CASE("relay says what the daemon refuses") {
  Desk desk;
  desk.api.on("POST /api/v1/jobs", 422,
              R"({"code":"queue_full","detail":"1000 relays are open, the limit"})");
  CHECK(run_relay({.path = "/a", .chat = "1", .user = "eve"}, desk.remote()) == 1);
  CHECK(desk.err.str().find("queue_full") != std::string::npos);
}

}  // namespace haul::cli
