// The folder of a program: its name, what may leave it, its size and its end.

#include "engine/child/staging.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

const io::PartOwner kOwner{"a1b2c3d4e5f6", JobId{3}, 14, 1};

struct StagingBench {
  TempFolder temp;
  io::Folder folder = *io::Folder::open(temp.path(), io::Folder::Missing::fault);
  child::Staging staging = *child::Staging::create(folder, kOwner, 7);
  fs::path out = staging.work() / "out";

  std::string refused(const fs::path& path) const {
    const auto found = staging.delivered(path);
    return found ? "delivered " + found->path : found.error().code;
  }
};

void write(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream{path} << "x";
}

// A process that ends with code 5 once it is told to, unless a signal ends it before.
class Sleeper {
 public:
  Sleeper() {
    REQUIRE(::pipe(tell_.data()) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ != 0) return;
    ::close(tell_[1]);  // The process also ends if the test does.
    char told = 0;
    ::_exit(::read(tell_[0], &told, 1) == 1 ? 5 : 6);
  }
  ~Sleeper() {
    if (pid_ > 0) end();
    for (const int fd : tell_) ::close(fd);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  int pid() const { return pid_; }
  // Tells it to end. Returns "code 5", or "signal 9" if it was killed.
  std::string end() {
    int status = 0;
    const bool told = ::write(tell_[1], "x", 1) == 1;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    if (!told) return "not told";
    return WIFEXITED(status) ? "code " + std::to_string(WEXITSTATUS(status))
                             : "signal " + std::to_string(WTERMSIG(status));
  }

 private:
  std::array<int, 2> tell_{};
  pid_t pid_ = 0;
};

// How a process ends whose mark names this store, in a folder of the store a1b2c3d4e5f6 that haul
// removes.
std::string end_of_process_for(const std::string& store) {
  TempFolder temp;
  Sleeper process;
  auto mark = io::mark_of(process.pid(), "token");
  REQUIRE(mark);
  mark->store = store;
  const std::string name = child::staging_name(kOwner, 7);
  fs::create_directories(temp / name);
  std::ofstream{temp / name / "keeper"} << mark->to_text();

  child::remove_staging(temp.path(), name);

  CHECK(fs::is_empty(temp.path()));
  return process.end();
}

}  // namespace

TEST_CASE("a program's folder says whose it is, and no other name does") {
  CHECK(child::staging_name(kOwner, 7) == ".haul-a1b2c3d4e5f6-3-14-1-7.staging");
  CHECK(child::owner_of_staging(".haul-a1b2c3d4e5f6-3-14-1-7.staging") == kOwner);
  for (const char* name :
       {".haul-3-14-1-7.staging", "haul-a1b2c3d4e5f6-3-14-1-7.staging",
        ".haul-a1b2c3d4e5f6-3-14-1.staging", ".haul-a1b2c3d4e5f6-3-14-1-7-2.staging",
        ".haul-a1b2c3d4e5f6-3--14-1-7.staging", ".haul-a1b2c3d4e5f6-3-14-1-.staging",
        ".haul-.staging", ".haul-a1b2c3d4e5f6-3-14-1-7.part",
        ".haul-a1b2c3d4e5f6-a-14-1-7.staging"})
    CHECK_MESSAGE(!child::owner_of_staging(name), name);
}

TEST_CASE("X6: only a plain file of its own, beneath its own folder, is delivered") {
  const StagingBench bench;
  write(bench.out / "a.mp4");
  write(bench.out / "Somebody/b.mp4");
  write(bench.temp / "outside.mp4");
  fs::create_symlink(bench.temp / "outside.mp4", bench.out / "link.mp4");
  fs::create_directory_symlink(bench.temp.path(), bench.out / "way");
  fs::create_hard_link(bench.out / "a.mp4", bench.out / "twice.mp4");
  write(bench.staging.work() / "tmp/c.mp4");

  CHECK(bench.refused(bench.out / "Somebody/b.mp4") == "delivered Somebody/b.mp4");
  CHECK(bench.refused("Somebody/b.mp4") == "delivered Somebody/b.mp4");
  for (const fs::path& path :
       {bench.out / "link.mp4", bench.out / "way/outside.mp4", bench.temp / "outside.mp4",
        bench.out / "../tmp/c.mp4", bench.out / "twice.mp4", bench.out / "Somebody", bench.out,
        bench.out / "gone.mp4", fs::path{"/etc/passwd"}, fs::path{"../../keeper"}, fs::path{}})
    CHECK_MESSAGE(bench.refused(path) == "outside_staging", path.string());
}

TEST_CASE("a file that can be run cannot any more") {
  const StagingBench bench;
  write(bench.out / "a.mp4");
  fs::permissions(bench.out / "a.mp4", fs::perms{04755});

  CHECK(bench.refused("a.mp4") == "delivered a.mp4");

  CHECK((fs::status(bench.out / "a.mp4").permissions() & fs::perms{07111}) == fs::perms::none);
}

TEST_CASE("F36: the size of the folder is that of all that is in it, beneath it too") {
  const StagingBench bench;
  const std::int64_t empty = bench.staging.bytes(1 << 30);
  std::ofstream{bench.out / "a.mp4"} << std::string(300'000, 'x');
  fs::create_directories(bench.out / "deep");
  std::ofstream{bench.out / "deep/b.mp4"} << std::string(300'000, 'x');
  fs::create_symlink("/usr", bench.out / "elsewhere");

  const std::int64_t full = bench.staging.bytes(1 << 30);
  CHECK(full - empty >= 600'000);
  CHECK(full - empty < 700'000);
  CHECK(bench.staging.bytes(100'000) > 100'000);
}

TEST_CASE("the folder goes with all that is in it, also that of a run that has ended") {
  TempFolder temp;
  const io::Folder folder = *io::Folder::open(temp.path(), io::Folder::Missing::fault);
  {
    const child::Staging staging = *child::Staging::create(folder, kOwner, 7);
    write(staging.work() / "out/deep/a.mp4");
  }
  CHECK(fs::is_empty(temp.path()));

  fs::create_directories(temp / ".haul-a1b2c3d4e5f6-3-14-1-7.staging/work/out");
  child::remove_staging(temp.path(), ".haul-a1b2c3d4e5f6-3-14-1-7.staging");
  CHECK(fs::is_empty(temp.path()));
}

TEST_CASE("F31: with a folder the process of its store ends, and that of another store lives on") {
  CHECK(end_of_process_for("a1b2c3d4e5f6") == "signal 9");
  CHECK(end_of_process_for("0123456789ab") == "code 5");
}
