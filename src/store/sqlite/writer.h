#pragma once
// Runs one write at a time. A command that comes alone runs on its caller's thread, which saves two
// thread switches. If several wait, the writer's thread takes them all, runs them in one
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
#include "store/open.h"
#include "store/sqlite/db.h"
#include "store/sqlite/log_room.h"
#include "store/store.h"

namespace haul::sqlite {

// May run twice: the writer rolls a failed group back and runs it again one command at a time. The
// work must leave its answers as if it had run once.
using Work = std::function<void(Connection&)>;

enum class Threading : std::uint8_t {
  own_thread,  // Group commit.
  on_caller,   // On the caller's thread, one command per transaction: deterministic.
};

class Writer {
 public:
  Writer(Connection& db, const StoreOptions& options, Threading threading);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Returns when the work is on disk; throws what the work threw. `rows` counts towards group_rows.
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
  void tell_commit(std::size_t commands, Millis took);
  bool log_is_long() const REQUIRES(mutex_) { return log_pages_ >= checkpoint_at_pages_; }
  void checkpoint_if_large();
  void make_room_if_short();

  Connection& db_;
  const StoreOptions options_;
  const Threading threading_;

  Mutex mutex_;
  std::deque<Command*> waiting_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;  // A thread is using db_ and the log sizes.
  std::size_t last_group_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  int inside_ GUARDED_BY(mutex_) = 0;  // Callers in run_at_once() and enqueue_and_wait().
  Condition left_;                     // inside_ became 0.
  Condition arrived_;                  // Commands wait for the thread, or it must stop.

  std::atomic<bool> gone_ = false;  // The file failed; nothing is written any more.
  int log_pages_ = 0;               // Length of the write-ahead log.
  int checkpoint_at_pages_;         // Length of the log at which the next checkpoint runs.
  LogRoom room_;
  std::jthread thread_;
};

}  // namespace haul::sqlite
