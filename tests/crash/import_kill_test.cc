// F27, promise 9: haul is killed at every system call by which an import and a clean change the
// disk. At that instant one whole copy of every file exists, and the next run ends the same as one
// that was not killed. strace lists the calls of a run, and then kills one run at each of them.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "crash/import_victim.h"
#include "support/io/image_disk.h"
#include "support/io/library_bench.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/process/trace.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

const std::string kPack = "Show.S01.1080p.WEB-DL.x264-GRP";

// A copy writes 1 MiB at a time: the first episode is cut off in its middle.
struct PackFile {
  std::string source;  // Beneath the download root.
  std::string target;  // Beneath the library's root. Empty if it is not imported.
  std::size_t size = 0;
};
const std::vector<PackFile> kFiles = {
    {kPack + "/Show.S01E01.1080p.WEB-DL.x264-GRP.mkv", "Show/Season 01/Show - S01E01.mkv",
     (std::size_t{1} << 20U) + 7},
    {kPack + "/Show.S01E02.1080p.WEB-DL.x264-GRP.mkv", "Show/Season 01/Show - S01E02.mkv", 5'000},
    {kPack + "/Info/show.nfo", "", 900},
};
// Beside the pack, with a name that begins like its folder's.
const std::string kOther = kPack + ".txt";
const std::string kOtherText = "of a user";

struct Places {
  fs::path store;
  fs::path downloads;
  fs::path series;
};

struct Variant {
  const char* link;
  const char* by;
};

// Made once: the checks compare them hundreds of times.
const std::string& bytes_of(const PackFile& file) {
  static std::map<std::string, std::string> known;
  std::string& bytes = known[file.source];
  while (bytes.size() < file.size)
    bytes +=
        fmt::format("{} of {};", bytes.size(), file.source).substr(0, file.size - bytes.size());
  return bytes;
}

// No value if there is no such file.
std::optional<std::string> content_at(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file{path, std::ios::binary};
  if (error || !file) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  return bytes;
}

// Files and folders below a folder, but for haul's trash.
std::set<std::string> names_below(const fs::path& folder) {
  std::set<std::string> names;
  for (auto entry = fs::recursive_directory_iterator{folder};
       entry != fs::recursive_directory_iterator{}; ++entry) {
    if (entry->path().filename() == ".haul-trash")
      entry.disable_recursion_pending();
    else
      names.insert(entry->path().lexically_relative(folder).string());
  }
  return names;
}

// A pack that the client has fetched, and a library without it.
class Scene {
 public:
  Scene(const Places& places, const Variant& variant) : places_{places}, variant_{variant} {
    for (const fs::path& folder : {places.store, places.downloads, places.series})
      for (const auto& entry : fs::directory_iterator{folder}) fs::remove_all(entry.path());
    std::vector<SourceFile> sources;
    for (const PackFile& file : kFiles) {
      LibraryBench::write(places.downloads / file.source, bytes_of(file));
      sources.push_back(LibraryBench::listed_below(places.downloads, file.source));
    }
    LibraryBench::write(places.downloads / kOther, kOtherText);
    LibraryBench::write(places.series / kOther, kOtherText);
    write_manifest(places.store, sources);
  }

  std::vector<std::string> command(int fence) const {
    return {HAUL_IMPORT_VICTIM,      places_.store.string(), places_.downloads.string(),
            places_.series.string(), variant_.link,          variant_.by,
            std::to_string(fence)};
  }

  // What must not be so at any moment. Empty if all is well.
  std::string problems() const {
    std::string text;
    bool is_imported = true;
    bool has_sources = true;
    for (const PackFile& file : kFiles) {
      const std::string& bytes = bytes_of(file);
      const auto source = content_at(places_.downloads / file.source);
      has_sources = has_sources && source == bytes;
      if (file.target.empty()) continue;
      const auto copy = content_at(places_.series / file.target);
      is_imported = is_imported && copy == bytes;
      if (copy && copy != bytes) text += file.target + " is in the library, but not whole\n";
      if (source != bytes && copy != bytes)
        text += "there is no whole copy of " + file.source + "\n";
    }
    if (!has_sources && !is_imported) text += "a source is gone before all files are imported\n";
    if (content_at(places_.downloads / kOther) != kOtherText) text += "a user's file is gone\n";
    if (content_at(places_.series / kOther) != kOtherText) text += "a library file is gone\n";
    return text;
  }

  // What must not be so after the last run.
  std::string problems_at_end() const {
    std::string text = problems();
    std::set<std::string> wanted{kOther, ".haul-root", "Show", "Show/Season 01"};
    for (const PackFile& file : kFiles) {
      if (!file.target.empty()) wanted.insert(file.target);
      const auto in_trash =
          content_at(places_.downloads / ".haul-trash" / trash() / "files" / file.source);
      if ((in_trash == bytes_of(file)) != is_trashing())
        text += file.source + (in_trash ? " is in the trash\n" : " is not whole in the trash\n");
    }
    if (names_below(places_.series) != wanted) text += "the library is not what it should be\n";
    if (names_below(places_.downloads) != std::set<std::string>{kOther})
      text += "the downloads are not what they should be\n";
    return text;
  }

  // A clean that was cut off has removed some files before.
  bool is_good(const std::string& outcome) const {
    return is_trashing() ? outcome == "trashed" : outcome == "deleted" || outcome == "already_gone";
  }

 private:
  bool is_trashing() const { return std::string_view{variant_.by} == "trashing"; }
  static std::string trash() { return std::string{kPackStore} + "-1"; }

  const Places places_;
  const Variant variant_;
};

// Lists the calls of a run to its end. Two more runs change nothing.
std::vector<DiskCall> calls_of(const Places& places, const Variant& variant) {
  const Scene scene{places, variant};
  std::vector<DiskCall> calls = disk_calls(scene.command(1), kVictimBegins);
  CHECK(scene.problems_at_end() == "");
  for (const int fence : {2, 3}) {
    const Finished again = run_program(scene.command(fence));
    CHECK_MESSAGE(scene.is_good(again.out), again.out);
    CHECK(scene.problems_at_end() == "");
  }
  return calls;
}

void kill_everywhere(const Places& places, const Variant& variant) {
  const std::vector<DiskCall> calls = calls_of(places, variant);
  MESSAGE(fmt::format("{} and {}: killed at each of {} system calls", variant.link, variant.by,
                      calls.size()));
  REQUIRE(calls.size() > 20);
  for (const DiskCall& call : calls) {
    INFO(variant.link << ", " << variant.by << ", killed at " << call.line);
    const Scene scene{places, variant};
    CHECK(scene.problems() == "");

    REQUIRE(is_killed_at(scene.command(1), call));

    CHECK(scene.problems() == "");
    const Finished again = run_program(scene.command(2));
    CHECK_MESSAGE(scene.is_good(again.out), again.out);
    CHECK(again.code == 0);
    CHECK(scene.problems_at_end() == "");
  }
}

Places places_in(const fs::path& store, const fs::path& downloads, const fs::path& series) {
  Places places{store / "store", downloads / "downloads", series / "series"};
  for (const fs::path& folder : {places.store, places.downloads, places.series})
    fs::create_directories(folder);
  return places;
}

// A kill asks nothing of the disk, so the tests take the one that flushes at once, if there is one.
fs::path quick_disk() {
  const fs::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}

}  // namespace

TEST_CASE("F27, S1-6: killed at any system call, haul has a whole copy of each file and goes on") {
  if (!can_trace()) return;
  const TempFolder home{quick_disk()};
  const Places places = places_in(home.path(), home.path(), home.path());
  for (const Variant& variant : {Variant{"hardlink", "deleting"}, Variant{"hardlink", "trashing"},
                                 Variant{"copy", "deleting"}, Variant{"copy", "trashing"}})
    kill_everywhere(places, variant);
}

TEST_CASE("F27: killed at any system call of a copy from one disk to another") {
  const TempFolder home{quick_disk()};
  const ImageDisk from{DiskKind::tmpfs};
  const ImageDisk to{DiskKind::ext4};
  if (can_trace() && from.is_there() && to.is_there())
    kill_everywhere(places_in(home.path(), from.folder(), to.folder()), {"copy", "deleting"});
}

TEST_CASE("F27: killed at any system call of a reflink") {
  const TempFolder home{quick_disk()};
  const ImageDisk disk{DiskKind::btrfs};
  if (can_trace() && disk.is_there())
    kill_everywhere(places_in(home.path(), disk.folder(), disk.folder()), {"reflink", "deleting"});
}
