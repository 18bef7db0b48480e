#include <algorithm>
#include <atomic>
#include <future>
#include <list>
#include <utility>

#include "base/ensure.h"
#include "sink/bucket/bucket.h"
#include "sink/bucket/s3_landing.h"

namespace haul::bucket {
namespace {

constexpr std::ptrdiff_t kAtOnce = 4;
// A server that has just kept an image, or the object of a check, is not checked again.
constexpr Millis kProvedFor{60'000};

Failed failed(Fault fault) { return {.fault = std::move(fault), .checkpoint = {}}; }

enum class S3Step : std::uint8_t { land, check };

// A parcel that waits or lands, or a check for one.
struct S3Task {
  Parcel parcel;
  Inbox* inbox = nullptr;
  S3Step step = S3Step::land;
  std::unique_ptr<S3Landing> landing{};  // Both null while it waits.
  std::unique_ptr<S3Sending> check{};

  bool is_running() const { return landing || check; }
  bool is_of(const Parcel& other, const Inbox& receiver) const {
    return parcel.job == other.job && parcel.fence == other.fence && inbox == &receiver;
  }
  void tell(What what) const { inbox->push({parcel.job, 0, parcel.fence, 0, std::move(what)}); }
};

// Everything but its construction, and the look at what is proved, happens on the loop's thread.
class S3Bucket final : public Sink {
 public:
  S3Bucket(S3Settings settings, io::HttpLoop& loop, const Clock& clock)
      : settings_{std::move(settings)}, env_{settings_, loop, clock} {
    ensure(!settings_.store.empty(), "a bucket knows whose store's images it keeps");
  }
  ~S3Bucket() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      alive_.reset();
      tasks_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void land(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([this, parcel, &inbox] { add({parcel, &inbox}); });
  }
  bool is_usable(const Parcel& parcel, Inbox& inbox) override {
    if (env_.clock.steady() < proved_until_.load()) return true;
    env_.loop.post([this, parcel, &inbox] { add({parcel, &inbox, S3Step::check}); });
    return false;
  }
  // The flow never asks: a landing already has the server's own answer.
  void verify(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void clean(const Parcel& parcel, Inbox& inbox) override { refuse(parcel, inbox); }
  void stop(const Parcel& parcel, Inbox& inbox) override {
    env_.loop.post([this, parcel, &inbox] { stop_now(parcel, inbox); });
  }

 private:
  using Tasks = std::list<S3Task>;

  static void refuse(const Parcel& parcel, Inbox& inbox) {
    const Fault fault{FaultKind::permanent, "not_supported", "a bucket has no such step"};
    inbox.push({parcel.job, 0, parcel.fence, 0, failed(fault)});
  }

  io::PartOwner owner_of(const Parcel& parcel) const {
    return {settings_.store, parcel.job, 0, parcel.fence};
  }

  // A repeated call while the first one is not over gets the first one's answer.
  void add(S3Task task) {
    for (const S3Task& each : tasks_)
      if (each.is_of(task.parcel, *task.inbox) && each.step == task.step) return;
    if (tasks_.size() >= settings_.tasks_max)
      return task.tell(failed({FaultKind::environment, "bucket_busy",
                               "the bucket has too much to do; haul asks again"}));
    tasks_.push_back(std::move(task));
    begin_some();
  }

  void begin_some() {
    auto running = std::ranges::count_if(tasks_, &S3Task::is_running);
    for (auto at = tasks_.begin(); at != tasks_.end() && running < kAtOnce;) {
      const auto task = at++;  // begin() may end it at once.
      if (task->is_running()) continue;
      ++running;
      begin(task);
    }
  }

  void begin(Tasks::iterator task) {
    if (task->step == S3Step::check) return begin_check(task);
    auto image = read_staged(task->parcel);
    if (!image) return end(task, failed(image.error()));
    task->landing = std::make_unique<S3Landing>(
        env_, *std::move(image), owner_of(task->parcel),
        [this, task](const std::optional<Fault>& fault) { see(task, fault); });
    task->landing->begin();
  }

  void begin_check(Tasks::iterator task) {
    task->check = make_check(
        env_, [this, task](const std::optional<Fault>& fault) { see_check(task, fault); });
    task->check->begin();
  }

  // Whatever keeps the server from taking the object keeps it from taking an image.
  void see_check(Tasks::iterator task, std::optional<Fault> fault) {
    if (fault) fault->kind = FaultKind::environment;
    tell_trouble(fault);
    end(task, fault ? What{failed(*fault)} : What{Usable{}});
  }

  void see(Tasks::iterator task, const std::optional<Fault>& fault) {
    tell_trouble(fault);
    if (fault) return end(task, failed(*fault));
    const ImageToKeep& image = task->landing->image();
    const io::PartOwner owner = owner_of(task->parcel);
    end(task, Landed{.files = {{original_key(owner, image.type), image.size}},
                     .evidence = landed_evidence(image, owner, "s3"),
                     .told = {}});
  }

  // The landing calls this, so it lives until the loop's next turn.
  void end(Tasks::iterator task, What what) {
    Tasks over;
    over.splice(over.begin(), tasks_, task);
    over.front().tell(std::move(what));
    env_.loop.post(
        [this, over = std::make_shared<Tasks>(std::move(over)), alive = std::weak_ptr{alive_}] {
          over->clear();
          if (alive.lock()) begin_some();
        });
  }

  void stop_now(const Parcel& parcel, Inbox& inbox) {
    for (auto task = tasks_.begin(); task != tasks_.end(); ++task) {
      if (!task->is_of(parcel, inbox)) continue;
      const bool is_halfway = task->landing && task->landing->has_sent();
      task->landing.reset();  // Ends its request.
      task->check.reset();
      if (!is_halfway) return end(task, Stopped{});
      return end(task, failed({FaultKind::retryable, "stopped_halfway",
                               "the S3 server may have some of the image"}));
    }
    inbox.push({parcel.job, 0, parcel.fence, 0, Stopped{}});
  }

  void tell_trouble(const std::optional<Fault>& fault) {
    if (fault && fault->kind != FaultKind::environment) return;
    proved_until_ = fault ? Steady::min() : env_.clock.steady() + kProvedFor;
    const std::string code = fault ? fault->code : "";
    if (std::exchange(trouble_, code) == code || !settings_.on_trouble) return;
    settings_.on_trouble(fault ? &*fault : nullptr);
  }

  const S3Settings settings_;
  S3Env env_;
  Tasks tasks_;
  std::string trouble_;  // The code last passed to on_trouble.
  std::atomic<Steady> proved_until_{Steady::min()};
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

std::unique_ptr<Sink> make_s3_bucket(S3Settings settings, io::HttpLoop& loop, const Clock& clock) {
  return std::make_unique<S3Bucket>(std::move(settings), loop, clock);
}

}  // namespace haul::bucket
