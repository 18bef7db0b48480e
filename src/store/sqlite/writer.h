#pragma once
// One writes at a time. A command that comes alone runs on its caller's thread, which is spared the
// way to another and back; where more come together, a thread takes all that wait, runs them in one
// transaction, flushes once and answers them all: natural group commit, without a timer.

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "store/sqlite/db.h"
#include "store/store.h"

namespace haul::sqlite {

// May run twice: a group that fails is rolled back and run again one command at a time. It must
// leave its answers as if it had run once.
using Work = std::function<void(Connection&)>;

enum class Threading : std::uint8_t {
  own_thread,  // Group commit.
  on_caller,   // On the caller's thread, one command a transaction: deterministic.
};

class Writer {
 public:
  Writer(Connection& db, const SqliteOptions& options, Threading threading);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Returns when the work is on disk; throws what it threw. `rows` is its share of a group.
  void run(std::size_t rows, const Work& work);

  // Runs on the writer's connection without a transaction; for a store without readers.
  void read(const Work& work);

 private:
  struct Command {
    const Work* work = nullptr;
    std::size_t rows = 1;
    enum class Stage : std::uint8_t { waiting, running, done } stage = Stage::waiting;
    std::exception_ptr failure;
    Condition changed;
  };

  class Inside;
  bool run_at_once(Command& command);
  void enqueue_and_wait(Command& command);
  void loop();
  std::vector<Command*> take_group() REQUIRES(mutex_);
  void run_group(std::span<Command* const> group);
  void run_alone(Command& command);
  void give_up(std::span<Command* const> group);
  static void refuse_busy(std::span<Command* const> group, const std::string& why);
  Steady steady() const;
  void tell_commit(std::size_t commands, Millis took) const;
  bool log_is_long() const REQUIRES(mutex_) { return log_pages_ >= checkpoint_at_pages_; }
  void checkpoint_if_large();

  Connection& db_;
  const SqliteOptions options_;
  const Threading threading_;

  Mutex mutex_;
  std::deque<Command*> waiting_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;  // Somebody has the connection, and what is below.
  std::size_t last_group_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  int inside_ GUARDED_BY(mutex_) = 0;  // Callers in enqueue_and_wait().
  Condition left_;
  Condition arrived_;

  std::atomic<bool> gone_ = false;  // The file failed under us: nothing is written any more.
  int log_pages_ = 0;               // How long the write-ahead log is,
  int checkpoint_at_pages_;         // and how long it may grow before it is folded in.
  std::jthread thread_;
};

}  // namespace haul::sqlite
