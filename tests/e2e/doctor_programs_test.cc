// haul doctor with the real binary and a configuration that names a program's path.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/process/process.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

struct ProgramsBench {
  ProgramsBench() { fs::create_directory(own / "data"); }

  TempFolder own;

  // `section` is yt_dlp or gallery_dl. No daemon listens at port 1.
  Finished doctor(const std::string& section, const std::string& path,
                  const std::vector<std::string>& form = {}) const {
    const fs::path file = own / "haul.toml";
    std::ofstream{file} << fmt::format("[engine.{}]\nprogram = \"{}\"\n", section, path);
    std::vector<std::string> words{HAUL_BINARY, "doctor",
                                   "--config",  file.string(),
                                   "--data",    (own / "data").string(),
                                   "--url",     "http://127.0.0.1:1"};
    words.insert(words.end(), form.begin(), form.end());
    return run_program(words);
  }
};

bool has(const Finished& run, const std::string& text) {
  if (run.out.find(text) != std::string::npos) return true;
  MESSAGE(run.out << run.err);
  return false;
}

}  // namespace

TEST_CASE("S1-23: the doctor names the path and the key of a program that does not exist") {
  const ProgramsBench b;
  for (const std::string section : {"yt_dlp", "gallery_dl"}) {
    const std::string path = "/no/such/program";
    const std::string key = fmt::format("engine.{}.program", section);

    const Finished words = b.doctor(section, path);
    CHECK(words.code == 1);
    CHECK(has(words, path + " does not exist or cannot be run"));
    CHECK(has(words, "correct " + key));
    CHECK(has(words, "One thing is wrong."));
    CHECK(words.out.find("in order") == std::string::npos);

    const Finished data = b.doctor(section, path, {"--json"});
    CHECK(data.code == 1);
    CHECK(has(data, R"("healthy":false)"));
    CHECK(has(data, fmt::format(R"("setting":"{}")", key)));
  }
}

TEST_CASE("S1-23: with a program at its path the doctor says that everything is in order") {
  const ProgramsBench b;

  const Finished run = b.doctor("yt_dlp", "/bin/true");

  CHECK(run.code == 0);
  CHECK(has(run, "Everything haul needs is in order."));
}

}  // namespace haul::testing
