// A data folder's name is a path, however much it looks like the URL of a store.

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include "support/io/temp_folder.h"
#include "support/process/get_bench.h"
#include "support/process/process.h"
#include "support/server/fault_server.h"

using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr const char* kOddNames[] = {"memory:", "sqlite:x", "postgres://x"};

// haul with these arguments, run in a folder of its own.
struct Cli {
  TempFolder home;

  std::vector<std::string> command(std::vector<std::string> words) const {
    words.insert(words.begin(), {"env", "-C", home.path().string(), HAUL_BINARY});
    return words;
  }
  Finished haul(std::vector<std::string> words) const {
    return run_program(command(std::move(words)));
  }
};

}  // namespace

TEST_CASE("serve, backup, restore and doctor use the folder that --data names, whatever its name") {
  for (const std::string name : kOddNames) {
    INFO(name);
    const Cli cli;
    const fs::path file = cli.home / name / "haul.db";

    Child daemon{cli.command({"serve", "--data", name, "--listen", "127.0.0.1:0"})};
    REQUIRE(daemon.line().value_or("nothing").starts_with("haul listens at "));
    CHECK(fs::exists(file));
    daemon.signal(SIGTERM);
    CHECK(daemon.wait() == 0);

    CHECK(cli.haul({"backup", "copy.db", "--data", name}).code == 0);
    CHECK(cli.haul({"restore", "copy.db", "--data", name}).code == 0);
    CHECK_FALSE(fs::exists(cli.home / "x"));
    const Finished doctor = cli.haul({"doctor", "--data", name, "--json"});
    CHECK(doctor.out.find(R"("health":"ok","what":"store")") != std::string::npos);
  }
}

TEST_CASE("haul get keeps its state below XDG_STATE_HOME, whatever the folder's name") {
  const FaultServer server;
  for (const std::string name : kOddNames) {
    INFO(name);
    const TempFolder home;
    GetBench bench;
    bench.set("XDG_STATE_HOME=" + name);
    Words command = bench.command({server.url("/f/a.bin?size=10")});
    command.insert(command.begin() + 1, {"-C", home.path().string()});

    CHECK(run_program(command).code == 0);

    CHECK(fs::exists(home / name / "haul" / "get"));
    CHECK_FALSE(fs::exists(home / "x"));
  }
}
