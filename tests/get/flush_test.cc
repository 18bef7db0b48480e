// When a file that has arrived is on disk, seen from outside: strace shows in which order a get
// writes the file out, names it and flushes it, and makes a flush fail.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/file/folder.h"
#include "support/io/image_disk.h"
#include "support/io/temp_folder.h"
#include "support/process/get_bench.h"
#include "support/process/process.h"
#include "support/process/trace.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr int kLinesMax = 30;  // Progress lines, one per second. More means that the test hangs.

// -D makes strace a grandchild, so that a kill hits the program itself.
Words traced(const Words& how, const Words& command) {
  // A sanitizer's search for leaks traces the process itself, which strace prevents.
  Words words{"strace", "-D", "-f", "-qqq", "-E", "ASAN_OPTIONS=detect_leaks=0"};
  words.insert(words.end(), how.begin(), how.end());
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// One word for a line of strace's output. Empty if the call is about something else.
std::string word_for(const std::string& line, const fs::path& path) {
  const std::string folder = path.string();
  const bool is_folder = line.find("<" + folder + ">") != std::string::npos;
  const bool is_above = line.find("<" + path.parent_path().string() + ">") != std::string::npos;
  const bool is_inside = line.find("<" + folder + "/") != std::string::npos;
  if (line.find(" linkat(") != std::string::npos || line.find(" renameat2(") != std::string::npos)
    return is_folder ? "name" : "";
  if (line.find(" fsync(") != std::string::npos && is_folder) return "folder";
  if (line.find(" fsync(") != std::string::npos && is_above) return "above";
  if (!is_inside) return {};
  if (line.find("sync_file_range(") != std::string::npos)
    return line.find("WAIT_AFTER") != std::string::npos ? "write_out" : "";
  return line.find("sync(") != std::string::npos ? "flush" : "";
}

// The calls that a get makes to land the file it fetched, in order.
std::string landing(const fs::path& folder, const std::string& url) {
  const TempFolder scratch;
  const fs::path log = scratch / "calls";
  GetBench bench;
  const Words how{"-y", "-o", log.string(), "-e",
                  "trace=fdatasync,fsync,linkat,renameat2,sync_file_range"};
  Words command = bench.command({url});
  std::ranges::replace(command, bench.folder().string(), folder.string());
  CHECK(run_program(traced(how, command)).code == 0);
  std::string words;
  std::ifstream lines{log};
  for (std::string line; std::getline(lines, line);)
    if (const std::string word = word_for(line, folder); !word.empty())
      words += (words.empty() ? "" : " ") + word;
  return words;
}

io::Journal journal_at(const fs::path& folder) {
  return io::Folder::open(folder, io::Folder::Missing::create)->journal();
}

struct Orders {
  io::Journal journal;
  std::string small;  // A file that gets its name only when it is whole.
  std::string large;  // A file whose part has a name.
};

// Names the features of an ext4 file system, as mkfs.ext4 takes them.
ImageDisk ext4_with(const char* features) { return ImageDisk{DiskKind::ext4, {"-O", features}}; }

void check_orders(const fs::path& disk, const Orders& wanted) {
  const FaultServer server;
  const fs::path folder = disk / fmt::format("haul-flush-{}", ::getpid());
  CHECK(journal_at(folder) == wanted.journal);
  CHECK(landing(folder, server.url("/f/small.bin?size=20000")) == wanted.small);
  CHECK(landing(folder, server.url("/f/large.bin?size=200000")) == wanted.large);
  fs::remove_all(folder);
}

}  // namespace

TEST_CASE("promise 6: a file is on the disk before it is told: one flush where one journal is") {
  const ImageDisk image = ext4_with("has_journal");
  if (can_trace() && image.is_there())
    check_orders(image.folder(),
                 {io::Journal::one, "write_out name folder", "write_out name folder"});
}

TEST_CASE("promise 6: without a journal a file is flushed once it has its name") {
  const ImageDisk image = ext4_with("^has_journal");
  if (can_trace() && image.is_there())
    check_orders(image.folder(),
                 {io::Journal::none, "write_out name flush folder", "flush name folder"});
}

TEST_CASE("promise 6: without a journal, a folder that haul makes is flushed into the one above") {
  const ImageDisk image = ext4_with("^has_journal");
  if (!can_trace() || !image.is_there()) return;
  const FaultServer server;
  const fs::path folder = image.folder() / "new";

  CHECK(landing(folder, server.url("/f/a.bin?size=200000")) == "above flush name folder");
  CHECK(landing(folder, server.url("/f/b.bin?size=200000")) == "flush name folder");
}

TEST_CASE("promise 6: where one journal is, a folder that haul makes costs no flush of its own") {
  const ImageDisk image = ext4_with("has_journal");
  if (!can_trace() || !image.is_there()) return;
  const FaultServer server;

  CHECK(landing(image.folder() / "new", server.url("/f/a.bin?size=200000")) ==
        "write_out name folder");
}

TEST_CASE("promise 6: where nothing is known of the journal, all is flushed before it is named") {
  if (!fs::exists("/dev/shm")) return skip("there is no /dev/shm");
  if (can_trace())
    check_orders("/dev/shm", {io::Journal::unknown, "flush name folder", "flush name folder"});
}

TEST_CASE("Z-8: when the folder cannot be flushed, what lies there is known again, not fetched") {
  if (!can_trace()) return;
  const FaultServer server;
  GetBench bench;
  fs::create_directories(bench.folder());
  const Words words{server.url("/f/small.bin?size=20000"), server.url("/f/large.bin?size=200000")};
  {
    const Words how{"-o", "/dev/null",   "-P", bench.folder().string(),
                    "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"};
    Child child{traced(how, bench.command(words))};
    bool waits = false;
    for (int i = 0; i < kLinesMax && !waits; ++i) {
      const auto line = child.line();
      REQUIRE(line);
      waits = line->find("disk_error") != std::string::npos;
    }
    CHECK(waits);
    child.kill();
  }
  CHECK(bench.ask("SELECT count(*) FROM items WHERE state = 'COMPLETED'") == "0");

  const Told end = bench.get(words);

  CHECK(end.code == 0);
  CHECK(bench.listing() == "large.bin, small.bin");
  CHECK(bench.holds("small.bin", FaultServer::content("small.bin", 20'000)));
  CHECK(bench.holds("large.bin", FaultServer::content("large.bin", 200'000)));
  CHECK(server.log().size() == 2);
}
