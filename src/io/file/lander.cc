#include "io/file/lander.h"

#include <fmt/core.h>

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "base/time.h"

namespace haul::io {
namespace {

constexpr std::size_t kThreads = 2;  // One may be busy hashing a large file.
constexpr std::size_t kGroupMax = 128;
// If this many tasks wait, it is worth waiting for more: flushing a hundred files takes little
// longer than flushing one. A file that comes alone does not wait.
constexpr std::size_t kBusy = 3;
constexpr Millis kGroupWait{25};
constexpr Millis kLull{2};  // If no task comes for so long, the group is complete.
constexpr std::size_t kHashBuffer = std::size_t{1} << 20U;

struct Task {
  enum class Kind : std::uint8_t { land, flush, begin_flush, check };

  Kind kind;
  LandTask land;  // Only `file` is set if the kind is not `land`.
  LandDone done;
  Result<void> result;
  PieceCheck check{};  // Only of that kind.
};

std::unexpected<Fault> stopped(std::string why) {
  return std::unexpected{Fault{FaultKind::cancelled, "stopped", std::move(why)}};
}
std::unexpected<Fault> at_end() { return stopped("haul is ending"); }

// Reads the file once for both hashes.
Result<void> read_hashes(const LandTask& task, const std::atomic<bool>& stopping,
                         std::span<Hasher* const> hashers) {
  std::vector<std::byte> buffer(kHashBuffer);
  std::int64_t at = 0;
  for (;;) {
    // Hashing a large file takes longer than a shutdown or a cancel may.
    if (stopping) return at_end();
    if (task.stop.stop_requested()) return stopped("the transfer was stopped");
    const auto got = task.file->read_at(buffer, at);
    if (!got) return std::unexpected{got.error()};
    if (*got == 0) return {};
    for (Hasher* hasher : hashers) hasher->add({buffer.data(), *got});
    at += static_cast<std::int64_t>(*got);
  }
}

// Compares the hash with the wanted one, and takes the one that the receipt will have.
Result<void> check_hash(const LandTask& task, const std::atomic<bool>& stopping) {
  const bool has_wanted = !task.wanted.hex.empty();
  auto check = has_wanted ? Hasher::of(task.wanted.algorithm) : std::nullopt;
  auto take = task.taken ? Hasher::of(task.taken->algorithm) : std::nullopt;
  if (has_wanted && !check)
    return std::unexpected{Fault{FaultKind::permanent, "hash_unavailable",
                                 "OpenSSL offers no " + task.wanted.algorithm + " here"}};
  std::vector<Hasher*> hashers;
  if (check) hashers.push_back(&*check);
  if (take) hashers.push_back(&*take);
  if (hashers.empty()) return {};
  if (auto read = read_hashes(task, stopping, hashers); !read) return read;
  if (take) task.taken->hex = take->hex();
  const std::string hex = check ? check->hex() : task.wanted.hex;
  if (hex == task.wanted.hex) return {};
  return std::unexpected{
      Fault{FaultKind::retryable, "checksum_mismatch",
            fmt::format("wanted {} {}, got {}", task.wanted.algorithm, task.wanted.hex, hex)}};
}

Result<void> replace(const LandTask& land, const Replace& how, const Folder& from) {
  const auto& only = how.only;
  if (only && land.folder->look(land.target) != only)
    return std::unexpected{Fault{FaultKind::permanent, "name_taken", land.target}};
  return land.folder->replace(from, land.part, land.target);
}

// A flush is not part of a landing, so nothing later does its work.
FlushOrder order_of(const Task& task) {
  if (task.kind != Task::Kind::land) return FlushOrder::before;
  return flush_order(task.land.folder->journal(), task.land.named);
}

class Threads final : public Lander {
 public:
  explicit Threads(Durability durability) : durability_{durability} {
    for (std::size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Threads() override {
    {
      const Lock lock{mutex_};
      stopping_ = true;
    }
    idle_.notify_all();
    group_full_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void land(LandTask task, LandDone done) override {
    ensure(task.folder && !task.target.empty(), "a file lands in a folder under a name");
    ensure(task.named != NamedAs::part || !task.part.empty(), "a part has a name");
    push(
        {.kind = Task::Kind::land, .land = std::move(task), .done = std::move(done), .result = {}});
  }
  void flush(std::shared_ptr<const File> file, LandDone done) override {
    push({.kind = Task::Kind::flush,
          .land = {.file = std::move(file)},
          .done = std::move(done),
          .result = {}});
  }
  void check(PieceCheck check, LandDone done) override {
    push({.kind = Task::Kind::check,
          .land = {.file = check.file},
          .done = std::move(done),
          .result = {},
          .check = std::move(check)});
  }
  void begin_flush(std::shared_ptr<const File> file, std::function<void()> done) override {
    push({.kind = Task::Kind::begin_flush,
          .land = {.file = std::move(file)},
          .done = [done = std::move(done)](const Result<void>&) { done(); },
          .result = {}});
  }

 private:
  // A thread that collects a group is woken when the group is full, not for each task.
  void push(Task task) {
    ensure(task.land.file && *task.land.file && task.done, "the lander gets an open file");
    bool is_grouping = false;
    bool is_full = false;
    {
      const Lock lock{mutex_};
      tasks_.push_back(std::move(task));
      is_grouping = grouping_;
      is_full = tasks_.size() >= kGroupMax;
    }
    if (!is_grouping)
      idle_.notify_one();
    else if (is_full)
      group_full_.notify_one();
  }

  // Waits for the next group. Empty only at shutdown.
  std::vector<Task> take() {
    const Lock lock{mutex_};
    idle_.wait(mutex_,
               [this]() REQUIRES(mutex_) { return stopping_ || (!grouping_ && !tasks_.empty()); });
    if (durability_ == Durability::batch && tasks_.size() >= kBusy) {
      grouping_ = true;
      wait_for_group();
      grouping_ = false;
    }
    const std::size_t most = durability_ == Durability::batch ? kGroupMax : 1;
    std::vector<Task> group;
    while (!tasks_.empty() && group.size() < most) {
      group.push_back(std::move(tasks_.front()));
      tasks_.pop_front();
    }
    if (!tasks_.empty()) idle_.notify_one();
    return group;
  }

  void wait_for_group() REQUIRES(mutex_) {
    std::size_t before = 0;
    for (Millis waited{0}; waited < kGroupWait && tasks_.size() > before; waited += kLull) {
      before = tasks_.size();
      const bool is_ready = group_full_.wait_for(mutex_, kLull, [this]() REQUIRES(mutex_) {
        return stopping_ || tasks_.size() >= kGroupMax;
      });
      if (is_ready) return;
    }
  }

  void run() {
    for (std::vector<Task> group = take(); !group.empty(); group = take()) {
      if (stopping_)
        for (Task& task : group) task.result = at_end();
      flush_all(group);
      for (Task& task : group)
        if (task.result && task.kind == Task::Kind::land) place(task);
      for (Task& task : group)
        if (task.result && task.kind == Task::Kind::check)
          task.result = check_pieces(task.check, stopping_);
      flush_named(group);
      flush_folders(group);
      for (Task& task : group) task.done(std::move(task.result));
      // Closes the files now, not with the next group, so that a disk can be unmounted.
      group.clear();
    }
  }

  // Starts all writes before it waits for any, so that the disk sees one large write and the
  // journal one commit.
  void flush_all(std::vector<Task>& group) const {
    if (durability_ == Durability::off) return;
    for (const Task& task : group)
      if (task.kind != Task::Kind::check &&
          (group.size() > 1 || task.kind == Task::Kind::begin_flush))
        task.land.file->begin_flush();
    for (Task& task : group)
      if (task.result && (task.kind == Task::Kind::land || task.kind == Task::Kind::flush))
        task.result = order_of(task) == FlushOrder::before ? task.land.file->flush()
                                                           : task.land.file->write_out();
  }

  void place(Task& task) const {
    task.result = check_hash(task.land, stopping_);
    const LandTask& land = task.land;
    if (!task.result || land.named == NamedAs::in_place) return;
    const Folder& from = land.from ? *land.from : *land.folder;
    if (land.replace && land.named == NamedAs::part) {
      task.result = replace(land, *land.replace, from);
      return;
    }
    task.result = land.named == NamedAs::nothing ? land.folder->name(*land.file, land.target)
                                                 : land.folder->take(from, land.part, land.target);
  }

  void flush_named(std::vector<Task>& group) const {
    if (durability_ == Durability::off) return;
    for (Task& task : group)
      if (task.result && order_of(task) == FlushOrder::after)
        task.result = task.land.file->flush_with_names();
  }

  void flush_folders(std::vector<Task>& group) const {
    if (durability_ == Durability::off) return;
    std::map<const Folder*, Result<void>> flushed;
    for (Task& task : group) {
      if (!task.result || task.kind != Task::Kind::land) continue;
      const auto [folder, is_new] = flushed.try_emplace(task.land.folder.get());
      if (is_new) folder->second = task.land.folder->flush();
      task.result = folder->second;
    }
  }

  const Durability durability_;
  Mutex mutex_;
  Condition idle_;
  Condition group_full_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  // Only one thread collects a group at a time: two would halve each other's group.
  bool grouping_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

// If one journal has everything, the folder's flush also flushes its files, and one flush serves a
// group. Without a journal, the folder's flush does not write that a file has a name, so a file
// that had none before is flushed afterwards.
FlushOrder flush_order(Journal journal, NamedAs named) {
  if (journal == Journal::one) return FlushOrder::with_folder;
  if (journal == Journal::none && named != NamedAs::part) return FlushOrder::after;
  return FlushOrder::before;
}

std::unique_ptr<Lander> make_lander(Durability durability) {
  return std::make_unique<Threads>(durability);
}

}  // namespace haul::io
