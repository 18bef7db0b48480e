// Where the daemon puts files: beneath its download folder, through no link, and never among its
// own data.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>

#include "support/daemon.h"
#include "support/fault_server.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

// Adds a batch of one file into a folder and returns its id.
std::string add_into(const Daemon& daemon, const std::string& url, const std::string& folder) {
  const RawReply reply =
      daemon.post("/api/v1/jobs",
                  fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}","folder":"{}"}}}})",
                              url, folder));
  return member_of(reply.body(), "id");
}

}  // namespace

TEST_CASE("J19: a link below the download folder leads no file out of it") {
  const FaultServer server;
  const TempFolder elsewhere;
  const Daemon daemon;
  fs::create_directories(daemon.downloads() / "deep");
  fs::create_directory_symlink(elsewhere.path(), daemon.downloads() / "link");
  fs::create_directory_symlink(elsewhere.path(), daemon.downloads() / "deep/link");

  for (const char* folder : {"link", "link/x", "deep/link"}) {
    INFO(folder);
    const std::string id = add_into(daemon, server.url("/f/a.bin?size=10"), folder);
    CHECK(daemon.comes_to(id, "FAILED"));
    CHECK(daemon.job(id).find("\"reason\":\"bad_folder\"") != std::string::npos);
  }
  CHECK(fs::is_empty(elsewhere.path()));

  const std::string id = add_into(daemon, server.url("/f/a.bin?size=10"), "deep/other");
  CHECK(daemon.comes_to(id, "COMPLETED"));
  CHECK(fs::exists(daemon.downloads() / "deep/other/a.bin"));
}

TEST_CASE("the data folder is no destination, even where it lies in the download folder") {
  const FaultServer server;
  const TempFolder home;
  const Daemon daemon{home / "data", true, {"HAUL__TRANSFER__FOLDER=" + home.path().string()}};

  const std::string id = add_into(daemon, server.url("/f/haul.db-journal?size=10"), "data");
  CHECK(daemon.comes_to(id, "FAILED"));
  CHECK(daemon.job(id).find("\"reason\":\"bad_folder\"") != std::string::npos);
  CHECK_FALSE(fs::exists(home / "data/haul.db-journal"));
}
