#include "store/sqlite/database.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "store/refusal.h"
#include "support/store/table_file.h"

using namespace haul;
using namespace haul::sqlite;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

// While it lives, this process can open no more files.
class NoDescriptors {
 public:
  NoDescriptors() {
    const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(next);
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

// "ok", "busy" if no reader was free, or "fault".
std::string outcome(const std::function<void()>& call) {
  try {
    call();
    return "ok";
  } catch (const StoreFault& fault) {
    return fault.kind() == StoreFault::Kind::busy ? "busy" : "fault";
  }
}

StoreOptions two_readers() {
  StoreOptions options;
  options.readers = 2;
  options.read_deadline = 20ms;
  return options;
}

}  // namespace

TEST_CASE(
    "a database is read on other connections, which cannot write and see no half transaction") {
  const TableFile file;
  Database database{file.make(), file.path, {}, Threading::own_thread};
  std::int64_t within = -1;
  const auto count = [&] {
    std::int64_t found = 0;
    database.read([&](Connection& db) { found = db.number(TableFile::kCount); });
    return found;
  };

  database.write(1, [&](Connection& db) {
    db.run(TableFile::kInsert, {1});
    within = count();
  });

  CHECK(within == 0);
  CHECK(count() == 1);
  for (int i = 0; i < 5; ++i) {  // More calls than readers: each reader is given back.
    const auto write = [&] {
      database.read([](Connection& db) { db.run(TableFile::kInsert, {1}); });
    };
    CHECK(outcome(write) == "fault");
  }
  CHECK(count() == 1);
}

TEST_CASE("promise 17: a read that finds no free reader by its deadline is busy") {
  const TableFile file;
  Database database{file.make(), file.path, two_readers(), Threading::own_thread};
  std::string second;
  std::string third;

  database.read([&](Connection&) {
    second = outcome([&] {
      database.read(
          [&](Connection&) { third = outcome([&] { database.read([](Connection&) {}); }); });
    });
  });

  CHECK(second == "ok");
  CHECK(third == "busy");
  CHECK(outcome([&] { database.read([](Connection&) {}); }) == "ok");
}

TEST_CASE("promise 17: without descriptors for another reader a read waits for the open one") {
  const TableFile file;
  Database database{file.make(), file.path, two_readers(), Threading::own_thread};
  const auto read = [&] { database.read([](Connection& db) { db.number(TableFile::kCount); }); };
  std::string without;
  std::string with;

  database.read([&](Connection&) {
    {
      const NoDescriptors none;
      without = outcome(read);
    }
    with = outcome(read);
  });

  CHECK(without == "busy");
  CHECK(with == "ok");
}
