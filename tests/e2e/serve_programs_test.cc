// External programs in the daemon: the real yt-dlp and gallery-dl run through haul's own proxy,
// which applies the daemon's address policy.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>

#include "support/process/daemon.h"
#include "support/process/media.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::string add(const Daemon& daemon, const std::string& engine, const std::string& url) {
  const RawReply reply =
      daemon.post("/api/v1/jobs",
                  fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}","engine":"{}"}}}})",
                              url, engine));
  CHECK(reply.status() == 201);
  return member_of(reply.body(), "id");
}

// All files below the downloads folder, sorted: "Unknown/film.mp4, …".
std::string tree(const Daemon& daemon) {
  std::vector<std::string> files;
  std::error_code error;  // Files may vanish during the walk.
  for (fs::recursive_directory_iterator at{daemon.downloads(), error}, end; at != end && !error;
       at.increment(error)) {
    const fs::directory_entry& entry = *at;
    if (entry.is_regular_file() || entry.path().extension() == ".staging")
      files.push_back(fs::relative(entry.path(), daemon.downloads()).string());
  }
  std::ranges::sort(files);
  std::string all;
  for (const std::string& file : files) all += (all.empty() ? "" : ", ") + file;
  return all;
}

// haul removes the program's work folder shortly after the job is done, so this waits.
bool comes_to_hold(const Daemon& daemon, const std::string& files) {
  for (int i = 0; i < 1'000 && tree(daemon) != files; ++i) let_pass(10ms);
  CHECK(tree(daemon) == files);
  return tree(daemon) == files;
}

std::string album(const MediaServer& server, const std::string& name) {
  return "r:" + server.page(name, fmt::format("<a href=\"{}\">x</a>\n<a href=\"{}\">y</a>\n",
                                              server.file("1.jpg"), server.file("2.jpg")));
}

}  // namespace

TEST_CASE("a film of a page and the pictures of an album arrive through the daemon") {
  const MediaServer server;
  Daemon daemon;

  const std::string film = add(daemon, "yt-dlp", server.file("page.html"));
  REQUIRE(daemon.comes_to(film, "COMPLETED"));
  CHECK(member_of(daemon.job(film), "engine") == "yt-dlp");
  REQUIRE(comes_to_hold(daemon, "Unknown/A film (1) [page-1].mp4"));
  CHECK(streams_of(daemon.downloads() / tree(daemon)) == "h264 aac 3");

  const std::string pictures = add(daemon, "gallery-dl", album(server, "of_the_daemon.html"));
  REQUIRE(daemon.comes_to(pictures, "COMPLETED"));
  CHECK(daemon.job(pictures).find("\"downloaded\":2") != std::string::npos);
  CHECK(daemon.stop() == 0);
}

TEST_CASE("left to haul, the daemon chooses who fetches, and says which") {
  const MediaServer server;
  Daemon daemon;
  const std::string film = add(daemon, "auto", server.file("page.html"));
  REQUIRE(daemon.comes_to(film, "COMPLETED"));
  CHECK(member_of(daemon.job(film), "engine") == "yt-dlp");
  const std::string file = add(daemon, "auto", server.file("clip.mp4"));
  REQUIRE(daemon.comes_to(file, "COMPLETED"));
  CHECK(member_of(daemon.job(file), "engine") == "http");
}

TEST_CASE("F38: a kernel without Landlock shows in the daemon's health and in the doctor") {
  const TempFolder folder;
  const fs::path wrapper = folder / "without-landlock";
  fs::create_symlink(HAUL_FAKE_PROGRAM, wrapper);
  const Daemon daemon{std::vector<std::string>{wrapper.string(), "env"}};
  CHECK(daemon.get("/health/ready").body().find("sandbox_missing") != std::string::npos);

  const auto doctor = run_program({wrapper.string(), "env", "HAUL__ENGINE__SANDBOX=require",
                                   HAUL_BINARY, "doctor", "--data", daemon.data().string()});
  CHECK(doctor.code == 1);
  CHECK(doctor.out.find("no Landlock") != std::string::npos);
}

TEST_CASE("promise 20: no program gets to a private address through the daemon") {
  const MediaServer server;
  const TempFolder folder;
  const Daemon daemon{folder.path() / "data", false};
  for (const char* engine : {"yt-dlp", "gallery-dl"}) {
    CAPTURE(engine);
    const bool gallery = std::string{engine} == "gallery-dl";
    const std::string id = add(daemon, engine, (gallery ? "r:" : "") + server.file("page.html"));
    CHECK(daemon.comes_to(id, "FAILED"));
    CHECK(member_of(daemon.job(id), "reason") == "private_address");
  }
  CHECK(server.log().empty());
}

TEST_CASE(
    "S2-13: a batch that is cancelled while a program lists is CANCELLED when its folder is gone") {
  const FaultServer server;
  Daemon daemon;
  for (const char* engine : {"yt-dlp", "auto"}) {
    CAPTURE(engine);
    const std::string id = add(daemon, engine, server.url("/f/page?stall_after=head"));
    for (int i = 0; i < 3'000 && tree(daemon).find(".staging") == std::string::npos; ++i)
      let_pass(10ms);
    REQUIRE(tree(daemon).find(".staging") != std::string::npos);

    CHECK(daemon.post("/api/v1/jobs/" + id + "/cancel").status() == 202);
    CHECK(daemon.comes_to(id, "CANCELLED"));
    CHECK(tree(daemon) == "");
  }
}
