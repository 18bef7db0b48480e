#include "store/sqlite/writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <latch>
#include <map>
#include <mutex>

#include "lifecycle/tables.h"
#include "store/open.h"
#include "store/sqlite/migrate.h"
#include "store/sqlite/parts.h"
#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::sqlite;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kTable = "CREATE TABLE t (n INTEGER)";
constexpr const char* kInsert = "INSERT INTO t (n) VALUES (?1)";
constexpr const char* kCount = "SELECT count(*) FROM t";
constexpr const char* kOwn = "SELECT count(*) FROM t WHERE n = ?1";
constexpr const char* kJobs = "SELECT count(*) FROM jobs";
constexpr const char* kWorkers = "SELECT count(*) FROM workers";
constexpr const char* kSum = "SELECT coalesce(sum(n), 0) FROM t";

// A store's file with a table for the test, and a connection that sees only what is committed.
struct File {
  TempFolder folder;
  std::filesystem::path path = folder / "t.db";
  std::unique_ptr<Connection> db = make();
  std::unique_ptr<Connection> eye = open_reader(path);

  std::unique_ptr<Connection> make() const {
    auto made = std::make_unique<Connection>(path, OpenFor::writing);
    configure_writer(*made);
    migrate(*made, all_migrations(), [](int) {});
    sync_lifecycles(*made);
    add_initial_rows(*made, Time{});
    made->script(kTable);
    return made;
  }
  std::int64_t committed() const { return eye->number(kCount); }
};

// The outcome of a call: "ok", the kind of its fault, or the message of another exception.
std::string outcome(const std::function<void()>& call) {
  try {
    call();
    return "ok";
  } catch (const StoreFault& fault) {
    if (fault.kind() == StoreFault::Kind::busy) return "busy";
    return fault.kind() == StoreFault::Kind::gone ? "gone" : "fault";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// A database whose writer blocks inside a command until let_go(), and calls that wait behind it.
class Jam {
 public:
  Jam(File& file, std::size_t room, StoreOptions options = {}) : room_{room} {
    options.queue_max = room;
    database_.emplace(std::move(file.db), file.path, options, Threading::own_thread);
    blocker_ = std::jthread{[this] {
      const Work wait = [this](Connection&) {
        begun_.count_down();
        go_.wait();
      };
      // On a slow machine the command may miss a short deadline; then it runs again.
      do {
        blocked_ = outcome([&] { run(1, wait); });
      } while (!begun_.try_wait());
    }};
    begun_.wait();
  }
  ~Jam() { let_go(); }
  Jam(const Jam&) = delete;
  Jam& operator=(const Jam&) = delete;

  Database& database() { return *database_; }
  void run(std::size_t rows, const Work& work) { database_->write(rows, work); }

  // Fills the queue with calls, each gets its number. One call too many is refused
  // at once, which shows that all the others wait.
  void queue(const std::function<void(std::size_t)>& call) {
    for (std::size_t i = 0; i <= room_; ++i)
      calls_.emplace_back([this, i, call] { answer(outcome([&] { call(i); })); });
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return outcomes_.size() == 1; });
  }

  void let_go() {
    if (!gone_on_.exchange(true)) go_.count_down();
  }
  void close() { database_.reset(); }

  // Unblocks the writer; returns how often each outcome came, as "busy 1 ok 3".
  std::string finish() {
    let_go();
    for (std::jthread& call : calls_) call.join();
    blocker_.join();
    std::map<std::string, int> counts;
    for (const std::string& one : outcomes_) ++counts[one];
    std::string text;
    for (const auto& [what, count] : counts)
      text += (text.empty() ? "" : " ") + what + " " + std::to_string(count);
    return text;
  }
  // After finish(): the outcome of the command that blocked.
  const std::string& blocked() const { return blocked_; }

 private:
  void answer(std::string outcome) {
    const std::scoped_lock lock{mutex_};
    outcomes_.push_back(std::move(outcome));
    changed_.notify_all();
  }

  const std::size_t room_;
  std::optional<Database> database_;
  std::latch begun_{1};
  std::latch go_{1};
  std::atomic<bool> gone_on_ = false;
  std::string blocked_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> outcomes_;
  std::vector<std::jthread> calls_;
  std::jthread blocker_;
};

}  // namespace

TEST_CASE("promise 1: a write that returned is seen by every other connection") {
  File file;
  Writer writer{*file.db, {}, Threading::own_thread};

  for (int i = 1; i <= 3; ++i) {
    writer.run(1, [&](Connection& db) { db.run(kInsert, {i}); });
    CHECK(file.committed() == i);
  }
}

TEST_CASE("all commands that wait share one transaction, and all are answered") {
  File file;
  Jam jam{file, 8};
  std::vector<std::int64_t> seen;  // Only the writer's thread uses it.
  jam.queue([&](std::size_t) {
    jam.run(1, [&](Connection& db) {
      db.run(kInsert, {1});
      seen.push_back(file.committed());
    });
  });

  CHECK(jam.finish() == "busy 1 ok 8");

  CHECK(seen == std::vector<std::int64_t>(8, 0));
  CHECK(file.committed() == 8);
}

TEST_CASE("a group holds about group_rows rows; a larger command runs alone") {
  struct Case {
    std::size_t rows;
    std::vector<std::int64_t> seen;
  };
  for (const auto& [rows, expected] : {Case{2, {0, 0, 2, 2, 4}},
                                       {5, {0, 1, 2, 3, 4}},
                                       {6, {0, 1, 2, 3, 4}},
                                       {1, {0, 0, 0, 0, 0}}}) {
    File file;
    StoreOptions options;
    options.group_rows = 5;
    Jam jam{file, 5, options};
    std::vector<std::int64_t> seen;
    jam.queue([&](std::size_t) {
      jam.run(rows, [&](Connection& db) {
        db.run(kInsert, {1});
        seen.push_back(file.committed());
      });
    });

    CHECK(jam.finish() == "busy 1 ok 5");
    CHECK(seen == expected);
  }
}

TEST_CASE(
    "promise 16: a command that throws gets its own error back; the rest of its group is kept") {
  File file;
  Jam jam{file, 6};
  std::optional<std::size_t> thrower;
  std::vector<int> runs(7, 0);
  jam.queue([&](std::size_t i) {
    jam.run(1, [&, i](Connection& db) {
      db.run(kInsert, {1});
      ++runs[i];
      if (!thrower && std::ranges::count(runs, 1) == 3) thrower = i;  // The third to run.
      if (thrower == i) throw std::runtime_error{"mine"};
    });
  });

  CHECK(jam.finish() == "busy 1 mine 1 ok 5");

  // The group runs up to the third command, is rolled back, and then each runs alone.
  std::ranges::sort(runs);
  CHECK(runs == std::vector{0, 1, 1, 1, 2, 2, 2});
  CHECK(file.committed() == 5);
}

TEST_CASE("a group that is run again leaves every answer of the store as if it had run once") {
  File file;
  Jam jam{file, 12};
  const auto jobs = make_jobs(jam.database());
  const auto workers = make_workers(jam.database());
  const std::vector<NewJob> two(2, {.lifecycle = &kRelay, .request = "{}"});
  std::mutex mutex;
  std::vector<std::int64_t> added;
  std::vector<std::int64_t> enlisted;
  int plain = 0;

  jam.queue([&](std::size_t i) {
    if (i >= 9) {  // At least three of these four get into the queue; the third to run throws.
      jam.run(1, [&](Connection&) {
        if (++plain == 3) throw std::runtime_error{"mine"};
        if (plain > 3) --plain;
      });
    } else if (i % 3 == 0) {
      const WorkerId worker = workers->enlist("w", Time{});
      const std::scoped_lock lock{mutex};
      enlisted.push_back(worker.value);
    } else {
      const auto answers = jobs->add(two, Time{});
      const std::scoped_lock lock{mutex};
      for (const AddAnswer& answer : answers) added.push_back(answer->id.value);
    }
  });
  jam.finish();

  std::ranges::sort(added);
  std::ranges::sort(enlisted);
  CHECK(std::ranges::adjacent_find(added) == added.end());
  CHECK(std::ranges::adjacent_find(enlisted) == enlisted.end());
  CHECK(file.eye->number(kJobs) == static_cast<std::int64_t>(added.size()));
  CHECK(file.eye->number(kWorkers) == static_cast<std::int64_t>(enlisted.size()));
}

TEST_CASE("a command that breaks a rule of the database is rolled back whole") {
  File file;
  Writer writer{*file.db, {}, Threading::own_thread};
  const auto broken = [&] {
    writer.run(1, [](Connection& db) {
      db.run(kInsert, {1});
      db.script("INSERT INTO nowhere VALUES (1)");
    });
  };

  CHECK(outcome(broken) == "fault");

  CHECK(file.committed() == 0);
  writer.run(1, [](Connection& db) { db.run(kInsert, {1}); });
  CHECK(file.committed() == 1);
}

TEST_CASE(
    "promise 17: a full queue turns calls away at once, as busy, and writes nothing of theirs") {
  File file;
  Jam jam{file, 2};
  jam.queue([&](std::size_t) { jam.run(1, [](Connection& db) { db.run(kInsert, {1}); }); });
  const auto more = [&] { jam.run(1, [](Connection& db) { db.run(kInsert, {100}); }); };

  for (int i = 0; i < 5; ++i) CHECK(outcome(more) == "busy");

  CHECK(jam.finish() == "busy 1 ok 2");
  CHECK(file.eye->number(kSum) == 2);
}

TEST_CASE(
    "promise 17: a call still queued at its deadline is busy, and is never written after all") {
  File file;
  StoreOptions options;
  options.queue_deadline = 20ms;
  Jam jam{file, 10, options};

  CHECK(outcome([&] { jam.run(1, [](Connection& db) { db.run(kInsert, {1}); }); }) == "busy");
  jam.let_go();
  // The next successful write proves that the writer has gone on and skipped the first.
  std::string next = "busy";
  while (next == "busy")
    next = outcome([&] { jam.run(1, [](Connection& db) { db.run(kInsert, {2}); }); });

  CHECK(next == "ok");
  CHECK(file.eye->number(kSum) == 2);
  CHECK(file.committed() == 1);
}

TEST_CASE("a command that has begun is waited for past its deadline: its outcome is known") {
  File file;
  StoreOptions options;
  options.queue_deadline = 20ms;
  Jam jam{file, 10, options};
  CHECK(outcome([&] { jam.run(1, [](Connection&) {}); }) == "busy");  // 20 ms have passed.

  jam.finish();

  CHECK(jam.blocked() == "ok");
}

TEST_CASE("closing runs what waits, answers it, and turns newcomers away") {
  File file;
  Jam jam{file, 4};
  jam.queue([&](std::size_t) { jam.run(1, [](Connection& db) { db.run(kInsert, {1}); }); });
  std::jthread closer{[&] { jam.close(); }};
  // The queue is full, so a call is refused either way; its message shows when the store closes.
  std::string why;
  while (!why.contains("closing")) {
    try {
      jam.run(1, [](Connection&) {});
    } catch (const StoreFault& fault) {
      why = fault.what();
    }
  }

  CHECK(jam.finish() == "busy 1 ok 4");

  closer.join();
  CHECK(file.committed() == 4);
}

TEST_CASE("F22: after a failed flush nothing is written any more, neither alone nor of its group") {
  File file;
  Jam jam{file, 4};
  int runs = 0;
  jam.queue([&](std::size_t) {
    jam.run(1, [&](Connection& db) {
      db.run(kInsert, {1});
      if (++runs == 2) throw StoreFault{StoreFault::Kind::gone, "disk I/O error"};
    });
  });

  CHECK(jam.finish() == "busy 1 gone 4");

  CHECK(runs == 2);
  CHECK(outcome([&] { jam.run(1, [](Connection& db) { db.run(kInsert, {1}); }); }) == "gone");
  CHECK(file.committed() == 0);
}

TEST_CASE("many threads: every write is made once, and is there when its call returns") {
  File file;
  Writer writer{*file.db, {}, Threading::own_thread};
  std::atomic<int> unseen = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        const auto eye = open_reader(file.path);
        for (int i = 1; i <= 20; ++i) {
          writer.run(1, [&](Connection& db) { db.run(kInsert, {t}); });
          if (eye->number(kOwn, {t}) != i) ++unseen;
        }
      });
  }

  CHECK(unseen == 0);
  CHECK(file.committed() == 160);
}

TEST_CASE(
    "on the caller's thread: each command is a transaction of its own, and throws what it threw") {
  File file;
  Writer writer{*file.db, {}, Threading::on_caller};
  std::thread::id ran_on;

  writer.run(1, [&](Connection& db) {
    db.run(kInsert, {1});
    ran_on = std::this_thread::get_id();
  });
  CHECK((ran_on == std::this_thread::get_id()));
  CHECK(file.committed() == 1);

  const auto broken = [&] {
    writer.run(1, [](Connection& db) {
      db.run(kInsert, {1});
      throw std::runtime_error{"mine"};
    });
  };
  CHECK(outcome(broken) == "mine");
  CHECK(file.committed() == 1);
  std::int64_t read = 0;
  writer.read([&](Connection& db) { read = db.number(kCount); });
  CHECK(read == 1);
}

TEST_CASE("on the caller's thread: calls from many threads come one after the other") {
  File file;
  Writer writer{*file.db, {}, Threading::on_caller};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 10; ++i)
          writer.run(1, [&](Connection& db) { db.run(kInsert, {db.number(kCount)}); });
      });
  }

  CHECK(file.eye->number(kSum) == 40 * 39 / 2);
}

TEST_CASE("F13: the log is folded into the file once it is long, and does not grow without end") {
  File file;
  file.eye.reset();
  file.db->script("PRAGMA synchronous = OFF");  // This test does not depend on flushes.
  StoreOptions options;
  options.sqlite.checkpoint_pages = 50;
  std::uintmax_t longest = 0;
  {
    Writer writer{*file.db, options, Threading::own_thread};
    for (int i = 0; i < 3'000; ++i) {
      writer.run(1, [](Connection& db) { db.run(kInsert, {1}); });
      longest = std::max(longest, std::filesystem::file_size(file.path.string() + "-wal"));
    }
  }

  CHECK(longest > 20 * 4096);
  // Another thread folds it, so the scheduler decides how long it gets. Without checkpoints it has
  // 3,000 pages and more.
  CHECK(longest < 1'000 * 4096);
}

TEST_CASE("F13: a log that is left at the end is read again, and does not grow without end") {
  File file;
  file.eye.reset();
  file.db.reset();
  const std::filesystem::path log = file.path.string() + "-wal";
  StoreOptions options;
  options.sqlite = {.checkpoint_pages = 50, .log_at_close = LogAtClose::leave};
  std::uintmax_t longest = 0;
  for (int run = 1; run <= 200; ++run) {
    Connection db{file.path, OpenFor::writing};
    Writer writer{db, options, Threading::own_thread};
    writer.run(1, [](Connection& it) { it.run(kInsert, {1}); });
    CHECK(db.number(kCount) == run);
    longest = std::max(longest, std::filesystem::file_size(log));
  }
  CHECK(longest > 40 * 4096);
  CHECK(longest < 60 * 4096);
}
