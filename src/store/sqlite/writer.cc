#include "store/sqlite/writer.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/ensure.h"
#include "store/open.h"
#include "store/refusal.h"

namespace haul::sqlite {
namespace {

constexpr const char* kGone = "the database failed earlier; restart haul to recover";

bool is_of(const std::exception& error, StoreFault::Kind kind) {
  const auto* fault = dynamic_cast<const StoreFault*>(&error);
  return fault && fault->kind() == kind;
}

bool is_gone(const std::exception& error) { return is_of(error, StoreFault::Kind::gone); }
bool is_busy(const std::exception& error) { return is_of(error, StoreFault::Kind::busy); }

int remember_log_pages(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

}  // namespace

Writer::Writer(Connection& db, const StoreOptions& options, Threading threading)
    : db_{db},
      options_{options},
      threading_{threading},
      checkpoint_at_pages_{options.sqlite.checkpoint_pages},
      room_{db, options.sqlite} {
  sqlite3_wal_hook(db_.raw(), remember_log_pages, &log_pages_);
  if (threading_ == Threading::own_thread) thread_ = std::jthread{[this] { loop(); }};
}

// Answers all waiting callers first, because none may be inside run() when the mutex is destroyed.
Writer::~Writer() {
  {
    const Lock lock{mutex_};
    stopping_ = true;
    arrived_.notify_all();
    left_.wait(mutex_, [this]() REQUIRES(mutex_) { return inside_ == 0; });
    ensure(waiting_.empty(), "no command waits without its caller");
  }
  if (thread_.joinable()) thread_.join();
  if (options_.sqlite.log_at_close == LogAtClose::leave && !log_is_long())
    sqlite3_db_config(db_.raw(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

void Writer::run(std::size_t rows, const Work& work) {
  const auto around_commit = options_.around_commit;  // Needed after the writer may be gone.
  if (around_commit) around_commit(CommitPhase::before);
  Command command;
  command.work = &work;
  command.rows = rows;
  if (threading_ == Threading::own_thread) {
    // The writer may be destroyed after this line; the rest touches only locals.
    if (!run_at_once(command)) enqueue_and_wait(command);
  } else {
    const Lock lock{mutex_};
    run_alone(command);
  }
  if (command.failure) std::rethrow_exception(command.failure);
  if (around_commit) around_commit(CommitPhase::after);
}

void Writer::read(const Work& work) {
  const Lock lock{mutex_};
  work(db_);
}

// Counts a caller in and out of inside_. The caller holds the mutex both times.
class Writer::Inside {
 public:
  explicit Inside(Writer& writer) REQUIRES(writer.mutex_) : writer_{writer} { ++writer_.inside_; }
  ~Inside() HAUL_NO_THREAD_SAFETY {
    if (--writer_.inside_ == 0) writer_.left_.notify_all();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Writer& writer_;
};

// Runs a command on its caller's thread, unless another command runs or waits. Not after a group of
// several, because the writer's thread makes larger groups. Not while the log is long or short of
// room, because only that thread mends that, and it would never get its turn.
bool Writer::run_at_once(Command& command) {
  {
    const Lock lock{mutex_};
    if (busy_ || stopping_ || gone_ || !waiting_.empty()) return false;
    if (last_group_ > 1 || log_is_long() || room_.is_short()) return false;
    busy_ = true;
    ++inside_;
  }
  run_alone(command);
  const Lock lock{mutex_};
  busy_ = false;
  if (!waiting_.empty()) arrived_.notify_one();
  if (--inside_ == 0) left_.notify_all();
  return true;
}

// Withdraws a command that has not begun by its deadline. Waits for one that has begun: giving up
// on it would leave its outcome unknown.
void Writer::enqueue_and_wait(Command& command) {
  const Lock lock{mutex_};
  const Inside inside{*this};
  if (gone_) throw StoreFault{StoreFault::Kind::gone, kGone};
  if (stopping_) throw StoreFault{StoreFault::Kind::busy, "the store is closing"};
  if (waiting_.size() >= options_.queue_max)
    throw StoreFault{StoreFault::Kind::busy, "too many writes are waiting"};
  waiting_.push_back(&command);
  if (waiting_.size() == 1) arrived_.notify_one();

  const bool begun = command.changed.wait_for(
      mutex_, options_.queue_deadline, [&] { return command.stage != Command::Stage::waiting; });
  if (!begun) {
    std::erase(waiting_, &command);
    throw StoreFault{StoreFault::Kind::busy, "the write did not get its turn in time"};
  }
  command.changed.wait(mutex_, [&] { return command.stage == Command::Stage::done; });
}

void Writer::loop() {
  for (;;) {
    std::vector<Command*> group;
    {
      const Lock lock{mutex_};
      arrived_.wait(mutex_,
                    [this]() REQUIRES(mutex_) { return waiting_.empty() ? stopping_ : !busy_; });
      if (waiting_.empty()) return;
      busy_ = true;
      group = take_group();
    }
    run_group(group);
    {
      const Lock lock{mutex_};
      last_group_ = group.size();
      for (Command* command : group) {
        ensure(command->stage == Command::Stage::running, "a command is answered once");
        command->stage = Command::Stage::done;
        command->changed.notify_one();  // Under the lock: its caller still waits.
      }
    }
    checkpoint_if_large();
    make_room_if_short();
    const Lock lock{mutex_};
    busy_ = false;
  }
}

std::vector<Writer::Command*> Writer::take_group() {
  std::vector<Command*> group;
  std::size_t rows = 0;
  while (!waiting_.empty() &&
         (group.empty() || rows + waiting_.front()->rows <= options_.group_rows)) {
    Command* command = waiting_.front();
    waiting_.pop_front();
    command->stage = Command::Stage::running;
    rows += command->rows;
    group.push_back(command);
  }
  return group;
}

// A failing command does not fail its group: all run again, each in its own transaction.
void Writer::run_group(std::span<Command* const> group) {
  if (group.size() == 1) {
    run_alone(*group.front());
    return;
  }
  try {
    const Steady began = steady();
    db_.committed_work().clear();
    Transaction transaction{db_};
    for (const Command* command : group) (*command->work)(db_);
    transaction.commit();
    return tell_commit(group.size(), steady() - began);
  } catch (const std::exception& error) {
    if (is_gone(error)) return give_up(group);
    if (is_busy(error)) return refuse_busy(group, error.what());
  }
  for (Command* command : group) run_alone(*command);
}

void Writer::run_alone(Command& command) {
  try {
    if (gone_) throw StoreFault{StoreFault::Kind::gone, kGone};
    const Steady began = steady();
    db_.committed_work().clear();
    Transaction transaction{db_};
    (*command.work)(db_);
    transaction.commit();
    tell_commit(1, steady() - began);
  } catch (const std::exception& error) {
    command.failure = std::current_exception();
    if (is_gone(error)) gone_ = true;
  }
}

Steady Writer::steady() const { return options_.clock ? options_.clock->steady() : Steady{}; }

void Writer::tell_commit(std::size_t commands, Millis took) {
  room_.see(log_pages_);
  if (!options_.on_commit) return;
  const CommittedWork& committed_work = db_.committed_work();
  const bool has_log = threading_ == Threading::own_thread;  // A store in memory has none.
  options_.on_commit({.commands = commands,
                      .log_length = has_log ? std::optional{log_pages_} : std::nullopt,
                      .took = took,
                      .moves = committed_work.moves,
                      .rescues = committed_work.rescues});
}

// A failed flush is never retried: only a restart shows what the disk kept.
void Writer::give_up(std::span<Command* const> group) {
  gone_ = true;
  for (Command* command : group)  // One exception each: callers handle it on threads of their own.
    command->failure = std::make_exception_ptr(StoreFault{StoreFault::Kind::gone, kGone});
}

// Another process holds the file. Each command alone would wait for the whole busy timeout again.
void Writer::refuse_busy(std::span<Command* const> group, const std::string& why) {
  for (Command* command : group)
    command->failure = std::make_exception_ptr(StoreFault{StoreFault::Kind::busy, why});
}

// Runs after the callers have their answers, so that none waits for it. PASSIVE never blocks on a
// reader. If readers keep the log from being reused, RESTART waits for them at most the busy
// timeout.
void Writer::checkpoint_if_large() {
  const int length = options_.sqlite.checkpoint_pages;
  if (log_pages_ < length) checkpoint_at_pages_ = length;
  if (log_pages_ < checkpoint_at_pages_) return;
  const bool runaway = log_pages_ > 4 * length;
  const int mode = runaway ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE;
  const int code = sqlite3_wal_checkpoint_v2(db_.raw(), nullptr, mode, nullptr, nullptr);
  if (db_.kind_of(code) == StoreFault::Kind::gone) gone_ = true;  // A flush failed: see give_up().
  checkpoint_at_pages_ = log_pages_ + length / 4;
}

void Writer::make_room_if_short() {
  if (gone_ || !room_.is_short()) return;
  try {
    room_.make();
  } catch (const std::exception& error) {
    if (is_gone(error)) gone_ = true;
  }
}

}  // namespace haul::sqlite
