#include "store/sqlite/lock.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::sqlite;
using namespace haul::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

// The message of the refusal; empty if there was none.
template <class Take>
std::string refusal(const Take& take) {
  try {
    take();
  } catch (const StoreFault& fault) {
    CHECK(fault.kind() == StoreFault::Kind::refused);
    return fault.what();
  }
  return {};
}

std::string refused_lock(const fs::path& folder) {
  return refusal([&] { const FolderLock lock{folder}; });
}

bool names(const std::string& why, pid_t pid) {
  return why.find("pid " + std::to_string(pid) + ")") != std::string::npos;
}

// Another process that holds the folder's lock until it is killed.
class Holder {
 public:
  explicit Holder(const fs::path& folder) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    pid_ = ::fork();
    if (pid_ == 0) hold(folder, ends[1]);
    char taken = 0;
    REQUIRE(::read(ends[0], &taken, 1) == 1);
    ::close(ends[0]);
    ::close(ends[1]);
    REQUIRE(taken == 'y');
  }
  ~Holder() { kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  pid_t pid() const { return pid_; }
  void kill() {
    if (!running_) return;
    running_ = false;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  [[noreturn]] static void hold(const fs::path& folder, int tell) {
    try {
      const FolderLock lock{folder};
      if (::write(tell, "y", 1) == 1)
        for (;;) ::pause();
    } catch (...) {
      [[maybe_unused]] const ssize_t told = ::write(tell, "n", 1);
    }
    ::_exit(1);
  }

  pid_t pid_ = -1;
  bool running_ = true;
};

}  // namespace

TEST_CASE("promise 23: a folder is locked once, and free again when its owner lets go") {
  const TempFolder folder;
  {
    const FolderLock lock{folder.path()};
    CHECK(names(refused_lock(folder.path()), ::getpid()));
    CHECK(names(refused_lock(folder.path()), ::getpid()));
  }
  CHECK(refused_lock(folder.path()).empty());
}

TEST_CASE("promise 23: two folders are two locks") {
  const TempFolder one;
  const TempFolder two;
  const FolderLock lock{one.path()};

  CHECK(refused_lock(two.path()).empty());
}

TEST_CASE("promise 23: a store that is open is refused at once to the same process, by its pid") {
  const TempFolder folder;
  auto store = open_sqlite(folder.path(), {}, Bench::kStart);
  const Steady before = system_clock().steady();

  const std::string why = refusal([&] { open_sqlite(folder.path(), {}, Bench::kStart); });

  CHECK(names(why, ::getpid()));
  CHECK(why.find(folder.path().string()) != std::string::npos);
  CHECK(system_clock().steady() - before < 2s);

  store.reset();
  CHECK_NOTHROW(open_sqlite(folder.path(), {}, Bench::kStart));
}

TEST_CASE("promise 23: what another process holds is refused at once, by the other's pid") {
  const TempFolder folder;
  const Holder holder{folder.path()};
  const Steady before = system_clock().steady();

  const std::string why = refusal([&] { open_sqlite(folder.path(), {}, Bench::kStart); });

  CHECK(names(why, holder.pid()));
  CHECK(system_clock().steady() - before < 2s);
  CHECK(!fs::exists(folder / "haul.db"));
}

TEST_CASE("promise 23: kill -9 frees the lock, though the pid is still in the file") {
  const TempFolder folder;
  Holder holder{folder.path()};
  const pid_t dead = holder.pid();

  holder.kill();
  const FolderLock lock{folder.path()};

  const std::string why = refused_lock(folder.path());
  CHECK(names(why, ::getpid()));
  CHECK(!names(why, dead));
}

TEST_CASE("F17: a child inherits neither the lock nor a descriptor of the database") {
  const TempFolder folder;
  auto store = open_sqlite(folder.path(), {}, Bench::kStart);
  Bench{std::move(store)}.add(kBook);
  store = open_sqlite(folder.path(), {}, Bench::kStart);
  CHECK(store->reader().find({1}));
  const Child child{{"sleep", "infinity"}};

  int descriptors = 0;
  for (const auto& entry : fs::directory_iterator{"/proc/" + std::to_string(child.pid()) + "/fd"}) {
    std::error_code closed;  // A starting program opens and closes files of its own.
    const std::string target = fs::read_symlink(entry, closed).string();
    if (closed) continue;
    CHECK_MESSAGE(target.find(folder.path().string()) == std::string::npos, target);
    ++descriptors;
  }
  CHECK(descriptors >= 3);
  store.reset();
  CHECK_NOTHROW(open_sqlite(folder.path(), {}, Bench::kStart));
}

TEST_CASE(
    "F17: of several that start at the same time exactly one wins, and the others know whom") {
  constexpr int kAtOnce = 4;
  constexpr int kRounds = 250;
  const TempFolder folder;
  std::atomic<int> won = 0;
  std::atomic<int> named = 0;
  std::barrier together{kAtOnce};
  std::vector<std::jthread> starters;

  for (int i = 0; i < kAtOnce; ++i)
    starters.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        std::unique_ptr<FolderLock> lock;
        together.arrive_and_wait();
        try {
          lock = std::make_unique<FolderLock>(folder.path());
          ++won;
        } catch (const StoreFault& fault) {
          if (names(fault.what(), ::getpid())) ++named;
        }
        together.arrive_and_wait();
      }
    });
  starters.clear();

  CHECK(won == kRounds);
  CHECK(named == kRounds * (kAtOnce - 1));
}

TEST_CASE("a lock file that is a link to elsewhere is refused, and its target not touched") {
  const TempFolder folder;
  std::ofstream{folder / "precious"} << "precious";
  fs::create_symlink(folder / "precious", folder / "haul.lock");

  CHECK(refused_lock(folder.path()).find("haul.lock") != std::string::npos);
  CHECK(fs::file_size(folder / "precious") == 8);
}

TEST_CASE("F17: a local folder is not taken for a network file system") {
  const TempFolder folder;

  CHECK(!is_network_file_system(folder.path()));
  CHECK(!is_network_file_system(folder / "not there"));
}

TEST_CASE("F25: the mark of an outage outlives its process, and setting it takes no room") {
  const TempFolder folder;
  const fs::path file = folder / "haul.lock";
  {
    FolderLock lock{folder.path()};
    CHECK(!lock.is_marked());
    const auto size = fs::file_size(file);
    lock.set_mark();
    CHECK(fs::file_size(file) == size);
    CHECK(names(refused_lock(folder.path()), ::getpid()));
  }
  for (int start = 0; start < 2; ++start) {
    const FolderLock lock{folder.path()};
    CHECK(lock.is_marked());
    CHECK(!lock.was_abandoned());
  }
  FolderLock{folder.path()}.clear_mark();
  CHECK(!FolderLock{folder.path()}.is_marked());
}

TEST_CASE("a lock that was given back in order is not abandoned, one of a killed process is") {
  const TempFolder folder;
  {
    const FolderLock lock{folder.path()};
    CHECK(!lock.was_abandoned());
  }
  {
    Holder holder{folder.path()};
    holder.kill();
  }
  CHECK(FolderLock{folder.path()}.was_abandoned());
  CHECK(!FolderLock{folder.path()}.was_abandoned());
}
