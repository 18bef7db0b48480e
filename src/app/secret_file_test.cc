#include "app/secret_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/io/temp_folder.h"

namespace haul::app {
namespace {

unsigned mode_of(const std::filesystem::path& file) {
  struct stat about{};
  REQUIRE(::stat(file.c_str(), &about) == 0);
  return about.st_mode & 0777U;
}

}  // namespace

TEST_CASE("F52: the key that seals is made once, and only its owner can read it") {
  const testing::TempFolder folder;
  const std::filesystem::path file = folder.path() / "secret.key";

  const SealKey made = ensure_seal_key(file);
  CHECK(mode_of(file) == 0600);
  REQUIRE(::chmod(file.c_str(), 0644) == 0);
  const SealKey again = ensure_seal_key(file);

  CHECK(again.open(made.seal("a")) == "a");
  CHECK(mode_of(file) == 0600);
}

TEST_CASE("a damaged key file is refused and left alone") {
  const testing::TempFolder folder;
  const std::filesystem::path file = folder.path() / "secret.key";
  std::ofstream{file} << "no key\n";

  CHECK_THROWS_AS(ensure_seal_key(file), std::runtime_error);

  std::string line;
  std::ifstream in{file};
  std::getline(in, line);
  CHECK(line == "no key");
}

}  // namespace haul::app
