#include "io/file/recheck.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/hash.h"
#include "io/file/folder.h"
#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::io;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream{path, std::ios::binary} << text;
}

struct Landed {
  testing::TempFolder temp;
  std::filesystem::path path = temp / "a";

  Landed() { write(path, "content"); }
  Receipt receipt(bool with_hash) const {
    const auto folder = Folder::open(path.parent_path(), Folder::Missing::fault);
    const std::string hash = with_hash ? R"(,"sha256":")" + sha256_hex("content") + "\"" : "";
    return {path.string(), 7,
            R"({"kind":"size","size":7,"mtime":")" + folder->look("a")->mtime + "\"" + hash + "}"};
  }
};

}  // namespace

TEST_CASE("a file is proven only by its hash; size and time alone leave it unchanged") {
  const Landed landed;

  CHECK(recheck(landed.receipt(true)).is == Rechecked::proven);
  const RecheckAnswer without = recheck(landed.receipt(false));
  CHECK(without.is == Rechecked::unchanged);
  CHECK(without.detail.find("only size and time") != std::string::npos);
  Receipt bare = landed.receipt(false);
  bare.evidence = R"({"kind":"size","size":7})";
  CHECK(recheck(bare).detail.find("only the size") != std::string::npos);
}

TEST_CASE("a flipped byte, a shorter file, another file, a link and no file are found out") {
  const Landed landed;
  const Receipt hashed = landed.receipt(true);
  const Receipt timed = landed.receipt(false);
  const auto at = std::filesystem::last_write_time(landed.path);

  write(landed.path, "cOntent");
  std::filesystem::last_write_time(landed.path, at);  // Only the hash can tell.
  CHECK(recheck(hashed).is == Rechecked::changed);
  CHECK(recheck(timed).is == Rechecked::unchanged);

  write(landed.path, "conten");
  std::filesystem::last_write_time(landed.path, at);
  CHECK(recheck(hashed).is == Rechecked::changed);
  CHECK(recheck(timed).is == Rechecked::changed);

  write(landed.path, "content");
  std::filesystem::last_write_time(landed.path, at + std::chrono::seconds{1});
  CHECK(recheck(hashed).is == Rechecked::proven);  // Its bytes are what counts.
  CHECK(recheck(timed).is == Rechecked::changed);

  std::filesystem::rename(landed.path, landed.temp / "b");
  CHECK(recheck(hashed).is == Rechecked::gone);
  std::filesystem::create_symlink(landed.temp / "b", landed.path);
  CHECK(recheck(hashed).is == Rechecked::changed);
  std::filesystem::remove(landed.path);
  std::filesystem::create_directory(landed.path);
  CHECK(recheck(hashed).is == Rechecked::changed);
}
