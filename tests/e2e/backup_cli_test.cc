// `haul backup` and `haul restore` as a user or a script runs them: output, JSON, exit codes.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/store/sql.h"
#include "support/store/stopped_store.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Cli {
  StoppedStore store{[](Bench& b) { b.add(kBook); }};
  TempFolder elsewhere;
  std::string folder = store.file().parent_path().string();
  std::string file = (elsewhere / "copy.db").string();

  Finished haul(std::vector<std::string> words) const {
    words.insert(words.begin(), HAUL_BINARY);
    return run_program(words);
  }
};

}  // namespace

TEST_CASE("Z-23: haul backup FILE says where the backup is, and exits 0") {
  const Cli cli;

  const Finished done = cli.haul({"backup", cli.file, "--data", cli.folder});

  CHECK(done.code == 0);
  CHECK(done.out == "Backed up to " + cli.file + "\n");
  CHECK(done.err.empty());
  CHECK(Sql{cli.file}.ask("SELECT count(*) FROM jobs") == "1");
}

TEST_CASE("Z-23: haul backup --json answers ok and file") {
  const Cli cli;

  const Finished done = cli.haul({"backup", cli.file, "--data", cli.folder, "--json"});

  CHECK(done.code == 0);
  CHECK(json::parse(done.out) == json{{"ok", true}, {"file", cli.file}});
}

TEST_CASE("Z-23: haul backup works while another process has the store open") {
  const Cli cli;
  Child holder{{HAUL_VICTIM, cli.folder, "hold"}};
  REQUIRE(holder.line() == "held");

  CHECK(cli.haul({"backup", cli.file, "--data", cli.folder}).code == 0);
  CHECK(Sql{cli.file}.ask("SELECT count(*) FROM jobs") == "1");
}

TEST_CASE("Z-23: a refused backup exits 1, its reason on standard error or in the JSON") {
  const Cli cli;
  REQUIRE(cli.haul({"backup", cli.file, "--data", cli.folder}).code == 0);

  const Finished words = cli.haul({"backup", cli.file, "--data", cli.folder});
  const Finished data = cli.haul({"backup", cli.file, "--data", cli.folder, "--json"});

  CHECK(words.code == 1);
  CHECK(words.out.empty());
  CHECK(words.err == "haul: " + cli.file + " exists; a backup never replaces a file\n");
  CHECK(data.code == 1);
  CHECK(json::parse(data.out) ==
        json{{"ok", false},
             {"code", "refused"},
             {"detail", cli.file + " exists; a backup never replaces a file"}});
}

TEST_CASE("Z-23: haul restore says where the old file went, in words and in JSON") {
  const Cli cli;
  REQUIRE(cli.haul({"backup", cli.file, "--data", cli.folder}).code == 0);

  const Finished data = cli.haul({"restore", cli.file, "--data", cli.folder, "--json"});

  CHECK(data.code == 0);
  const json answer = json::parse(data.out);
  CHECK(answer["ok"] == true);
  CHECK(answer["file"] == cli.file);
  const std::string replaced = answer["replaced"];
  CHECK(replaced.starts_with(cli.folder + "/haul.db.before-restore-"));
  CHECK(Sql{replaced}.ask("SELECT count(*) FROM jobs") == "1");

  const Finished words = cli.haul({"restore", cli.file, "--data", cli.folder + "/new"});
  CHECK(words.code == 0);
  CHECK(words.out == "Restored from " + cli.file +
                         "\nAll sessions have ended: log in again\nhaul sends, pays, deletes and "
                         "adds nothing at clients until an admin "
                         "runs: haul resume --all\n");
}

TEST_CASE("promise 23: haul restore refuses a store in use within a second, naming the pid") {
  const Cli cli;
  REQUIRE(cli.haul({"backup", cli.file, "--data", cli.folder}).code == 0);
  Child holder{{HAUL_VICTIM, cli.folder, "hold"}};
  REQUIRE(holder.line() == "held");

  const Finished words =
      run_program({"timeout", "1", HAUL_BINARY, "restore", cli.file, "--data", cli.folder});
  const Finished data = cli.haul({"restore", cli.file, "--data", cli.folder, "--json"});

  const std::string pid = fmt::format("(pid {})", holder.pid());
  CHECK(words.code == 1);
  CHECK(words.err.find(pid) != std::string::npos);
  CHECK(data.code == 1);
  CHECK(json::parse(data.out)["detail"].get<std::string>().find(pid) != std::string::npos);

  holder.kill();
  CHECK(cli.haul({"restore", cli.file, "--data", cli.folder}).code == 0);
}

TEST_CASE("conventions: wrong usage exits 2, and touches nothing") {
  const Cli cli;

  CHECK(cli.haul({"backup"}).code == 2);
  CHECK(cli.haul({"restore", "--data", cli.folder}).code == 2);
  CHECK(cli.haul({"backup", cli.file, "--data", cli.folder, "--force"}).code == 2);
  CHECK(cli.haul({"backup", cli.file, "extra", "--data", cli.folder}).code == 2);
  CHECK(!fs::exists(cli.file));
}
