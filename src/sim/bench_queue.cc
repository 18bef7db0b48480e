#include "sim/bench_queue.h"

#include <fmt/core.h>
#include <poll.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "flow/outside.h"
#include "flow/user/user.h"
#include "flow/worker/worker.h"
#include "lifecycle/tables.h"
#include "store/open.h"

namespace haul::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRequest =
    R"({"engine":"http","folder":"/in","url":"https://example.org/a/b/c.bin"})";
constexpr const char* kLane = "example.org";  // The host of that request.
constexpr Millis kPatience{60'000};           // After this a job counts as lost.
constexpr Millis kIdle{10};                   // Between two jobs of the latency run.
constexpr std::size_t kWarmUp = 10;  // The first jobs pay for cold caches; they are not counted.

// Clock counts milliseconds, and a whole pickup takes less than one.
double seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

Time now() { return system_clock().now(); }

// A temporary folder. The destructor removes it.
class Scratch {
 public:
  explicit Scratch(const BenchFolder& folder) {
    std::string name = (folder.under / "haul-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error{fmt::format("cannot make a folder in {}", folder.under.string())};
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Tells each caller when its job is done.
class Done {
 public:
  void tell(JobId job) {
    const Lock lock{mutex_};
    const auto waiting = waiting_.find(job.value);
    if (waiting == waiting_.end()) {  // Done before its caller waits.
      waiting_.emplace(job.value, nullptr);
      return;
    }
    Condition* caller = waiting->second;
    waiting_.erase(waiting);
    caller->notify_one();  // Under the lock: the condition is gone when wait() returns.
  }
  void wait(JobId job) {
    Condition told;
    const Lock lock{mutex_};
    if (waiting_.erase(job.value) == 1) return;
    waiting_.emplace(job.value, &told);
    const bool done = told.wait_for(mutex_, kPatience, [this, job]() REQUIRES(mutex_) {
      return !waiting_.contains(job.value);
    });
    if (done) return;
    waiting_.erase(job.value);
    throw std::runtime_error{fmt::format("job {} was not done in time", job.value)};
  }

 private:
  Mutex mutex_;
  std::unordered_map<std::int64_t, Condition*> waiting_ GUARDED_BY(mutex_);
};

// The store's Jobs, with callbacks when jobs are added and when a job is done on disk. The worker
// has no such callbacks: in the daemon, app/ runs the worker's loop.
class WatchedJobs final : public Jobs {
 public:
  explicit WatchedJobs(Jobs& jobs) : jobs_{jobs} {}

  std::function<void()> on_added = [] {};
  std::function<void(JobId)> on_done = [](JobId) {};

  std::vector<AddAnswer> add(std::span<const NewJob> jobs, Time at) override {
    std::vector<AddAnswer> answers = jobs_.add(jobs, at);
    on_added();
    return answers;
  }
  AddedAndClaimed add_and_claim(std::span<const NewJob> jobs, const ClaimRequest& request,
                                Time at) override {
    return jobs_.add_and_claim(jobs, request, at);
  }
  std::vector<AddAnswer> add_past(std::span<const PastJob> jobs) override {
    return jobs_.add_past(jobs);
  }
  bool take_key(UserId owner, const std::string& key, const std::string& fingerprint,
                Time at) override {
    return jobs_.take_key(owner, key, fingerprint, at);
  }
  std::size_t prune_keys(Time before, std::size_t limit) override {
    return jobs_.prune_keys(before, limit);
  }
  std::vector<MoveAnswer> move(std::span<const Ask> asks, Time at) override {
    std::vector<MoveAnswer> answers = jobs_.move(asks, at);
    for (const MoveAnswer& answer : answers)
      if (answer && answer->lifecycle->at(answer->state).end == End::good) on_done(answer->id);
    return answers;
  }
  std::vector<Claim> claim_all(std::span<const ClaimRequest> requests, Time at) override {
    return jobs_.claim_all(requests, at);
  }
  std::vector<MoveAnswer> release(std::span<const Release> releases, Time at) override {
    return jobs_.release(releases, at);
  }
  Rescued rescue(const Silence& silence, const Chance& chance, Time at) override {
    return jobs_.rescue(silence, chance, at);
  }
  std::vector<bool> observe(std::span<const Observation> seen, Time at) override {
    return jobs_.observe(seen, at);
  }
  std::size_t recall(Time latest, Time at) override { return jobs_.recall(latest, at); }
  MoveAnswer pause(const JobVersion& version, Time at) override { return jobs_.pause(version, at); }
  MoveAnswer hide(const JobVersion& version, OwnFiles files, Time at) override {
    return jobs_.hide(version, files, at);
  }
  std::expected<void, Refusal> set_priority(JobId id, int priority, Time at) override {
    return jobs_.set_priority(id, priority, at);
  }
  MoveAnswer grant_pause(const JobVersion& version, IntentId wish, Time at) override {
    return jobs_.grant_pause(version, wish, at);
  }
  MoveAnswer resume(const JobVersion& version, Time at) override {
    return jobs_.resume(version, at);
  }

 private:
  Jobs& jobs_;
};

class WatchedStore final : public Store {
 public:
  explicit WatchedStore(const fs::path& folder)
      : store_{open_store(store_url(folder), {}, now())} {}

  WatchedJobs& jobs() override { return jobs_; }
  Reader& reader() override { return store_->reader(); }
  Items& items() override { return store_->items(); }
  Events& events() override { return store_->events(); }
  Workers& workers() override { return store_->workers(); }
  Intents& intents() override { return store_->intents(); }
  Catalog& catalog() override { return store_->catalog(); }
  Users& users() override { return store_->users(); }
  Access& access() override { return store_->access(); }
  Ledger& ledger() override { return store_->ledger(); }
  Limits& limits() override { return store_->limits(); }
  Manifest& manifest() override { return store_->manifest(); }
  Purges& purges() override { return store_->purges(); }
  Deliveries& deliveries() override { return store_->deliveries(); }
  Identity& identity() override { return store_->identity(); }
  Uptime& uptime() override { return store_->uptime(); }
  Duties& duties() override { return store_->duties(); }
  Sealed& sealed() override { return store_->sealed(); }
  void begin_outage() override { store_->begin_outage(); }
  void end_outage() override { store_->end_outage(); }
  bool in_outage() const override { return store_->in_outage(); }
  BotRows& bot() override { return store_->bot(); }

 private:
  std::unique_ptr<Store> store_;
  WatchedJobs jobs_{store_->jobs()};
};

// Every engine and sink: plan() finds at once that there is nothing to fetch, the rest does
// nothing.
class Nothing final : public ItemEngine, public RemoteEngine, public Sink {
 public:
  void plan(const Order& order, Inbox& inbox) override {
    asked_at_s = seconds();
    inbox.push({.job = order.job, .fence = order.fence, .what = Planned{}});
  }
  void start(Order, Inbox&) override {}
  void land(const Order&, Inbox&) override {}
  void look(std::span<const Order>, Inbox&) override {}
  void stop(const Order&, Leftovers, Inbox&) override {}
  void land(const Parcel&, Inbox&) override {}
  void verify(const Parcel&, Inbox&) override {}
  void clean(const Parcel&, Inbox&) override {}
  void stop(const Parcel&, Inbox&) override {}

  flow::Outside outside() { return {*this, *this, *this, *this, *this, *this, *this}; }

  std::atomic<double> asked_at_s = 0;
};

// A store in a new folder, and a worker on it.
struct Shop {
  Shop(const BenchFolder& folder, const flow::Settings& settings)
      : scratch{folder},
        store{scratch.path()},
        worker{store,  flow::lifecycle_work(nothing.outside()), system_clock(), random, settings,
               "bench"} {}

  Scratch scratch;
  Nothing nothing;
  SeededRandom random{1};
  WatchedStore store;
  flow::Worker worker;
};

// Runs the worker on its own thread until destroyed. The worker ticks whenever a job was added.
class Shift {
 public:
  explicit Shift(Shop& shop) : shop_{shop} {
    shop_.store.jobs().on_added = [this] { shop_.worker.wake(); };
    shop_.store.jobs().on_done = [this](JobId job) { done_.tell(job); };
    loop_ = std::async(std::launch::async, [this] { loop(); });
  }
  ~Shift() {
    stopping_ = true;
    shop_.worker.wake();
  }

  // Adds one job as a user would, and returns when it is done.
  void run_one() {
    const auto added =
        add(shop_.store, {.lifecycle = &kBatch, .request = kRequest}, now(), &shop_.worker.spare());
    if (!added) throw std::runtime_error{added.error().detail};
    done_.wait(added->id);
  }

 private:
  void loop() {
    while (!stopping_) {
      shop_.worker.wait(flow::Settings{}.sweep_every);  // An idle worker also beats and sweeps.
      do shop_.worker.tick();
      while (shop_.worker.held() > 0 && !stopping_);
    }
  }

  Shop& shop_;
  Done done_;
  std::atomic<bool> stopping_ = false;
  std::future<void> loop_;  // Last: its destructor waits for the loop to end.
};

}  // namespace

Lives bench_lives(const BenchFolder& folder, const LivesOptions& options) {
  Shop shop{
      folder,
      {.claim_max = options.batch, .held_max = options.batch, .host = {.at_once = options.batch}}};
  std::size_t done = 0;
  shop.store.jobs().on_done = [&done](JobId) { ++done; };
  const std::vector<NewJob> jobs(options.batch,
                                 NewJob{.lifecycle = &kBatch, .request = kRequest, .lane = kLane});

  const double begun = seconds();
  for (std::size_t i = 0; i < options.jobs; i += options.batch)
    shop.store.jobs().add({jobs.data(), std::min(options.batch, options.jobs - i)}, now());
  const double added = seconds();
  const std::size_t ticks_max = 2 * (options.jobs / options.batch) + 100;
  for (std::size_t tick = 0; done < options.jobs && tick < ticks_max; ++tick) shop.worker.tick();
  const double ended = seconds();

  if (done != options.jobs)
    throw std::runtime_error{fmt::format("{} of {} jobs are done", done, options.jobs)};
  return {.options = options, .add_s = added - begun, .work_s = ended - added};
}

Callers bench_callers(const BenchFolder& folder, const CallersOptions& options) {
  Shop shop{folder, {.host = {.at_once = options.callers}}};
  Shift shift{shop};
  std::vector<std::future<void>> callers;
  callers.reserve(options.callers);
  const double begun = seconds();
  for (std::size_t c = 0; c < options.callers; ++c)
    callers.push_back(std::async(std::launch::async, [&shift, &options, c] {
      for (std::size_t job = c; job < options.jobs; job += options.callers) shift.run_one();
    }));
  for (std::future<void>& caller : callers) caller.get();
  return {.options = options, .wall_s = seconds() - begun};
}

Latency bench_latency(const BenchFolder& folder, std::size_t jobs) {
  Shop shop{folder, {}};
  Shift shift{shop};
  std::vector<double> waits_ms;
  for (std::size_t i = 0; i < jobs + kWarmUp; ++i) {
    ::poll(nullptr, 0, static_cast<int>(kIdle.count()));
    const double begun = seconds();
    shift.run_one();
    if (i >= kWarmUp) waits_ms.push_back((shop.nothing.asked_at_s - begun) * 1e3);
  }
  std::ranges::sort(waits_ms);
  const auto percentile = [&waits_ms](std::size_t percent) {
    return waits_ms[(waits_ms.size() * percent + 99) / 100 - 1];
  };
  return {.jobs = jobs, .p50_ms = percentile(50), .p99_ms = percentile(99)};
}

}  // namespace haul::sim
