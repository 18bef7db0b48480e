#pragma once
// A job's folder on a real disk, for tests of files on their way to their places.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "io/file/landing.h"
#include "support/io/fake_lander.h"
#include "support/io/temp_folder.h"

namespace haul::testing {

// The largest file without a part's name.
inline constexpr std::int64_t kSmall = std::int64_t{64} << 10U;
inline const std::string kBoot = "this boot";

struct LandingDisk {
  TempFolder temp;
  io::LandingFolder shared = open(1);
  FakeLander lander;

  io::LandingFolder open(std::int64_t fence) const {
    return io::landing_folder(io::Folder::open(temp.path(), io::Folder::Missing::fault).value(),
                              {"a1b2c3d4e5f6", JobId{3}, 0, fence});
  }
  io::PartOwner owner(std::int64_t item = 1, std::int64_t fence = 1) const {
    return {"a1b2c3d4e5f6", JobId{3}, item, fence};
  }
  // Puts the file in its place and says what came of it.
  io::PlaceEnd put(io::LandingFile& file) {
    std::optional<io::PlaceEnd> end;
    file.put(lander, {}, [&](const Result<void>& result) { end = file.placed(result); });
    return end.value();
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{temp.path()})
      if (entry.is_regular_file())
        found.insert(std::filesystem::relative(entry.path(), temp.path()).string());
    return found;
  }
  std::string content(const std::string& name) const {
    std::ifstream file{temp / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream{temp / name} << text;
  }
};

inline void fill(const io::LandingFile& file, std::string_view text) {
  REQUIRE(file.file()->write_at(std::as_bytes(std::span{text.data(), text.size()}), 0));
}

// A part with these bytes, whose file wants this name.
inline void make_part(io::LandingFile& file, const std::string& name, std::string_view text) {
  file.set_name(name);
  REQUIRE(file.create(kSmall + 1));
  fill(file, text);
}

// A whole part with one byte, whose file wants this path. Returns its checkpoint.
inline io::Checkpoint make_inside(io::LandingFile& file, const std::string& path) {
  REQUIRE(file.set_path(path));
  REQUIRE(file.create(kSmall + 1));
  fill(file, "x");
  return file.choose_place(1).value();
}

inline const std::string kPart = "a.bin.haul-a1b2c3d4e5f6-3-1-1.part";
using Names = std::set<std::string>;

}  // namespace haul::testing
