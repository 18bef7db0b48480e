#include <algorithm>
#include <deque>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/ensure.h"
#include "base/mutex.h"
#include "sink/bucket/bucket.h"
#include "sink/bucket/folder_landing.h"

namespace haul::bucket {
namespace {

Failed failed(Fault fault) { return {.fault = std::move(fault), .checkpoint = {}}; }

enum class FolderStep : std::uint8_t { land, check, verify, clean };

struct FolderTask {
  FolderStep step = FolderStep::land;
  Parcel parcel;
  Inbox* inbox = nullptr;
  std::stop_source stop{};

  bool is_of(const Parcel& other, const Inbox& receiver) const {
    return parcel.job == other.job && parcel.fence == other.fence && inbox == &receiver;
  }
  void tell(What what) const { inbox->push({parcel.job, 0, parcel.fence, 0, std::move(what)}); }
};
using FolderTaskPtr = std::shared_ptr<FolderTask>;

// One thread, which may wait for the disk, does one task after the other.
class FolderBucket final : public Sink {
 public:
  FolderBucket(FolderBucketSettings settings, io::DiskSpace& space, const Clock& clock)
      : on_trouble_{std::move(settings.on_trouble)},
        tasks_max_{settings.tasks_max},
        root_{settings.root},
        objects_{root_, settings.store, space, clock},
        thread_{[this] { run(); }} {}
  ~FolderBucket() override {
    {
      const Lock lock{mutex_};
      is_closed_ = true;
      waiting_.clear();
      if (running_) running_->stop.request_stop();
    }
    came_.notify_all();
    thread_.join();
  }

  void land(const Parcel& parcel, Inbox& inbox) override { add(FolderStep::land, parcel, inbox); }
  // A disk is quickly asked, so each image asks it.
  bool is_usable(const Parcel& parcel, Inbox& inbox) override {
    add(FolderStep::check, parcel, inbox);
    return false;
  }
  void verify(const Parcel& parcel, Inbox& inbox) override {
    add(FolderStep::verify, parcel, inbox);
  }
  void clean(const Parcel& parcel, Inbox& inbox) override { add(FolderStep::clean, parcel, inbox); }

  void stop(const Parcel& parcel, Inbox& inbox) override {
    std::vector<FolderTaskPtr> ended;
    {
      const Lock lock{mutex_};
      const auto is_its = [&](const FolderTaskPtr& task) { return task->is_of(parcel, inbox); };
      std::ranges::copy_if(waiting_, std::back_inserter(ended), is_its);
      std::erase_if(waiting_, is_its);
      if (running_ && is_its(running_)) {
        running_->stop.request_stop();  // It answers itself.
        if (ended.empty()) return;
      }
    }
    if (ended.empty())
      ended.push_back(std::make_shared<FolderTask>(
          FolderTask{.step = FolderStep::land, .parcel = parcel, .inbox = &inbox}));
    for (const FolderTaskPtr& task : ended) task->tell(Stopped{});
  }

 private:
  // A repeated call while the first one is not over gets the first one's answer.
  void add(FolderStep step, const Parcel& parcel, Inbox& inbox) {
    auto task =
        std::make_shared<FolderTask>(FolderTask{.step = step, .parcel = parcel, .inbox = &inbox});
    bool is_full = false;
    {
      const Lock lock{mutex_};
      const auto is_same = [&](const FolderTaskPtr& each) {
        return each->step == step && each->is_of(parcel, inbox);
      };
      if ((running_ && is_same(running_)) || std::ranges::any_of(waiting_, is_same)) return;
      is_full = waiting_.size() >= tasks_max_;
      if (!is_full) waiting_.push_back(task);
    }
    if (is_full)
      return task->tell(failed({FaultKind::environment, "bucket_busy",
                                "the bucket has too much to do; haul asks again"}));
    came_.notify_one();
  }

  FolderTaskPtr take() {
    const Lock lock{mutex_};
    running_ = nullptr;
    came_.wait(mutex_, [this]() REQUIRES(mutex_) { return is_closed_ || !waiting_.empty(); });
    if (is_closed_) return nullptr;
    running_ = std::move(waiting_.front());
    waiting_.pop_front();
    return running_;
  }

  void run() {
    for (FolderTaskPtr task = take(); task; task = take()) {
      What answer = answer_to(*task);
      {
        const Lock lock{mutex_};
        if (is_closed_) return;
        running_ = nullptr;  // Before the answer: the same task may be given again.
      }
      task->tell(std::move(answer));
    }
  }

  What answer_to(const FolderTask& task) {
    switch (task.step) {
      case FolderStep::land:
        return told_of(land_in_folder(objects_, task.parcel, task.stop.get_token()));
      case FolderStep::check:
        return told_of(check_folder(objects_));
      case FolderStep::verify:
        return verify_now(task);
      case FolderStep::clean:
        break;
    }
    return failed({FaultKind::permanent, "not_supported", "a bucket removes no sources"});
  }

  // The operator is told what is wrong with which path. The image's owner learns that it is.
  What told_of(What what) {
    auto* failure = std::get_if<Failed>(&what);
    if (failure && failure->fault.kind != FaultKind::environment) return what;
    const std::string code = failure ? failure->fault.code : std::string{};
    const bool is_news = std::exchange(trouble_, code) != code;
    if (is_news && on_trouble_) on_trouble_(failure ? &failure->fault : nullptr);
    if (failure) failure->fault.detail = "the server's folder of images does not take it";
    return what;
  }

  What verify_now(const FolderTask& task) const {
    Indexed indexed{.files = {}, .by = "bucket", .match = "path"};
    for (const PlacedFile& placed : task.parcel.placed) {
      const auto file = open_object(root_, placed.path);
      if (!file && file.error().code != "no_such_object") return Unseen{.code = file.error().code};
      if (file && file->mark().size == placed.size) indexed.files.push_back(placed);
    }
    if (indexed.files.empty()) return NotIndexed{};
    return indexed;
  }

  const std::function<void(const Fault*)> on_trouble_;
  std::string trouble_;  // The code last passed to on_trouble. Of the thread.
  const std::size_t tasks_max_;
  const std::filesystem::path root_;
  const ObjectFolder objects_;
  Mutex mutex_;
  Condition came_;
  std::deque<FolderTaskPtr> waiting_ GUARDED_BY(mutex_);
  FolderTaskPtr running_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Sink> make_folder_bucket(FolderBucketSettings settings, io::DiskSpace& space,
                                         const Clock& clock) {
  return std::make_unique<FolderBucket>(std::move(settings), space, clock);
}

}  // namespace haul::bucket
