#include "engine/http/lander.h"

#include <fmt/core.h>

#include <atomic>
#include <deque>
#include <set>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "base/mutex.h"

namespace haul {
namespace {

constexpr std::size_t kThreads = 2;  // One may be hashing something large.
constexpr std::size_t kGroupMax = 128;
// Where many files come one after the other it is worth waiting for more: a flush of a hundred
// takes little longer than a flush of one. A file that comes alone does not wait.
constexpr std::size_t kBusy = 3;
constexpr Millis kGather{25};
constexpr std::size_t kHashBuffer = std::size_t{1} << 20U;

struct Task {
  enum class Kind : std::uint8_t { land, flush, begin_flush };

  Kind kind;
  LandTask land;  // Only its file, if it is not to land.
  std::function<void(Result<void>)> done;
  Result<void> result;
};

std::unexpected<Fault> stopped() {
  return std::unexpected{Fault{FaultKind::cancelled, "stopped", "haul is ending"}};
}

Result<void> check_hash(const LandTask& task, const std::atomic<bool>& stopping) {
  if (task.wanted.hex.empty()) return {};
  auto hasher = Hasher::of(task.wanted.algorithm);
  if (!hasher) return {};
  std::vector<std::byte> buffer(kHashBuffer);
  std::int64_t at = 0;
  for (;;) {
    if (stopping) return stopped();  // A large file takes longer than anybody waits for an end.
    const auto got = task.file->read_at(buffer, at);
    if (!got) return std::unexpected{got.error()};
    if (*got == 0) break;
    hasher->add({buffer.data(), *got});
    at += static_cast<std::int64_t>(*got);
  }
  const std::string hex = hasher->hex();
  if (hex == task.wanted.hex) return {};
  return std::unexpected{
      Fault{FaultKind::retryable, "checksum_mismatch",
            fmt::format("wanted {} {}, got {}", task.wanted.algorithm, task.wanted.hex, hex)}};
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
    waiting_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void land(LandTask task, std::function<void(Result<void>)> done) override {
    push(
        {.kind = Task::Kind::land, .land = std::move(task), .done = std::move(done), .result = {}});
  }
  void flush(std::shared_ptr<const File> file, std::function<void(Result<void>)> done) override {
    push({.kind = Task::Kind::flush,
          .land = {.file = std::move(file)},
          .done = std::move(done),
          .result = {}});
  }
  void begin_flush(std::shared_ptr<const File> file, std::function<void()> done) override {
    push({.kind = Task::Kind::begin_flush,
          .land = {.file = std::move(file)},
          .done = [done = std::move(done)](const Result<void>&) { done(); },
          .result = {}});
  }

 private:
  void push(Task task) {
    {
      const Lock lock{mutex_};
      tasks_.push_back(std::move(task));
    }
    waiting_.notify_one();
  }

  std::vector<Task> take() {
    const Lock lock{mutex_};
    waiting_.wait(mutex_, [this]() REQUIRES(mutex_) { return stopping_ || !tasks_.empty(); });
    if (durability_ == Durability::batch && tasks_.size() >= kBusy)
      waiting_.wait_for(mutex_, kGather, [this]() REQUIRES(mutex_) {
        return stopping_ || tasks_.size() >= kGroupMax;
      });
    const std::size_t most = durability_ == Durability::batch ? kGroupMax : 1;
    std::vector<Task> group;
    while (!tasks_.empty() && group.size() < most) {
      group.push_back(std::move(tasks_.front()));
      tasks_.pop_front();
    }
    return group;
  }

  void run() {
    for (std::vector<Task> group = take(); !group.empty(); group = take()) {
      if (stopping_)
        for (Task& task : group) task.result = stopped();
      flush_all(group);
      for (Task& task : group)
        if (task.result && task.kind == Task::Kind::land) place(task);
      flush_folders(group);
      for (Task& task : group) task.done(std::move(task.result));
      group.clear();  // Files are closed now, not with the next group: a disk may want to go.
    }
  }

  // All begin before any is waited for: the disk sees one large write, the journal one commit.
  void flush_all(std::vector<Task>& group) const {
    if (durability_ == Durability::off) return;
    for (const Task& task : group)
      if (group.size() > 1 || task.kind == Task::Kind::begin_flush) task.land.file->begin_flush();
    for (Task& task : group)
      if (task.result && task.kind != Task::Kind::begin_flush)
        task.result = task.land.file->flush();
  }

  void place(Task& task) const {
    task.result = check_hash(task.land, stopping_);
    if (!task.result) return;
    const LandTask& land = task.land;
    const Folder& from = land.from ? *land.from : *land.folder;
    task.result = land.part.empty() ? land.folder->name(*land.file, land.target)
                                    : land.folder->take(from, land.part, land.target);
  }

  void flush_folders(std::vector<Task>& group) const {
    if (durability_ == Durability::off) return;
    std::set<const Folder*> flushed;
    for (Task& task : group) {
      if (!task.result || task.kind != Task::Kind::land) continue;
      if (!flushed.insert(task.land.folder.get()).second) continue;
      if (auto result = task.land.folder->flush(); !result) task.result = result;
    }
  }

  const Durability durability_;
  Mutex mutex_;
  Condition waiting_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Lander> make_lander(Durability durability) {
  return std::make_unique<Threads>(durability);
}

}  // namespace haul
