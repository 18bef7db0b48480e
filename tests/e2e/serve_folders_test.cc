// Where the daemon puts files: beneath its download folder, through no link, and never among its
// own data.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "support/process/daemon.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
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

// The parts in the download folder, waited for until there are so many.
std::vector<std::string> parts_of(const Daemon& daemon, std::size_t number) {
  std::vector<std::string> parts;
  for (int i = 0; i < 3'000; ++i) {
    parts.clear();
    std::error_code error;  // What goes meanwhile is not there.
    for (const auto& entry : fs::directory_iterator{daemon.downloads(), error})
      if (entry.path().extension() == ".part") parts.push_back(entry.path().filename());
    if (parts.size() == number) break;
    let_pass(10ms);
  }
  return parts;
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

TEST_CASE("the file of a category lands in its folder, unless the request names another") {
  const FaultServer server;
  const Daemon daemon{std::vector<std::string>{"HAUL__CATEGORY__FILMS__FOLDER=films/new"}};
  const auto add = [&](const char* name, const char* more) {
    const RawReply reply = daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}","category":"films"{}}}}})",
                    server.url(fmt::format("/f/{}?size=10", name)), more));
    return member_of(reply.body(), "id");
  };
  for (const std::string& id : {add("a.bin", ""), add("b.bin", R"(,"folder":"old")")})
    CHECK(daemon.comes_to(id, "COMPLETED"));

  CHECK(fs::file_size(daemon.downloads() / "films/new/a.bin") == 10);
  CHECK(fs::file_size(daemon.downloads() / "old/b.bin") == 10);
}

TEST_CASE("a job whose folder is a file, or lies below one, fails at once") {
  const FaultServer server;
  const Daemon daemon;
  fs::create_directories(daemon.downloads());
  std::ofstream{daemon.downloads() / "file"} << "x";

  for (const char* folder : {"file", "file/below"}) {
    INFO(folder);
    const std::string id = add_into(daemon, server.url("/f/a.bin?size=10"), folder);
    CHECK(daemon.comes_to(id, "FAILED"));
    CHECK(daemon.job(id).find("\"reason\":\"bad_folder\"") != std::string::npos);
  }
}

TEST_CASE("F54: a download folder that holds the data folder stops the start, with its line") {
  const TempFolder home;
  const fs::path config = home / "haul.toml";
  std::ofstream{config} << "[transfer]\n\nfolder = \"" << home.path().string() << "\"\n";
  const std::string data = (home / "data").string();
  const std::string said = config.string() + ":3: transfer.folder: ";

  const Finished serve =
      run_program({HAUL_BINARY, "serve", "--data", data, "--config", config.string()});
  CHECK(serve.code == 2);
  CHECK(serve.err.find(said) != std::string::npos);
  const Finished check =
      run_program({HAUL_BINARY, "config", "check", "--data", data, "--config", config.string()});
  CHECK(check.code == 1);
  CHECK(check.err.find(said) != std::string::npos);
  const Finished doctor =
      run_program({HAUL_BINARY, "doctor", "--data", data, "--config", config.string()});
  CHECK(doctor.code == 1);
  CHECK(doctor.out.find(said) != std::string::npos);
  CHECK_FALSE(fs::exists(home / "data"));
}

TEST_CASE("promise 15: a part that no row knows of goes when its job is cancelled") {
  const FaultServer server;
  Daemon daemon;
  const std::string id = daemon.add(server.url("/f/a.bin?size=9000000&limit_rate=10000"));
  const std::vector<std::string> parts = parts_of(daemon, 1);
  REQUIRE(parts.size() == 1);
  daemon.kill();
  // As a crash leaves one before its first checkpoint: of an item that has not begun again.
  std::string unknown = parts.front();
  unknown.replace(unknown.rfind("-1-1.part"), std::string::npos, "-2-1.part");
  std::ofstream{daemon.downloads() / unknown} << "x";
  std::string of_another = parts.front();
  of_another.replace(of_another.find(".haul-") + 6, 12, "ffffffffffff");
  std::ofstream{daemon.downloads() / of_another} << "x";

  daemon.start();
  CHECK(daemon.post("/api/v1/jobs/" + id + "/cancel").status() < 300);
  CHECK(daemon.comes_to(id, "CANCELLED"));

  CHECK(parts_of(daemon, 1) == std::vector{of_another});
}
