#include "engine/child/child.h"

#include <algorithm>
#include <deque>
#include <future>
#include <map>
#include <set>
#include <utility>

#include "engine/child/child_jobs.h"
#include "engine/child/fetcher.h"
#include "engine/child/lister.h"
#include "engine/child/probe.h"
#include "engine/child/turns.h"
#include "engine/child/waiting.h"
#include "engine/kept_part.h"

namespace haul::child {
namespace {

constexpr Millis kReportEvery{100};        // Z-6: at most ten a second.
constexpr Millis kShareProcessWithin{20};  // Items that start within this time share a process.

// In reports, so 30 s. A program may be silent for longer than the flow waits.
constexpr int kHeardAfter = 300;

using Key = std::pair<const Inbox*, std::int64_t>;
using JobKey = ChildJobs::Key;

// A listing for which the program is asked whether it knows a page.
struct ListingKey {
  JobId job;
  std::int64_t fence = 0;
  std::int64_t start = 0;

  auto operator<=>(const ListingKey&) const = default;
};
ListingKey listing_key(const Order& order) { return {order.job, order.fence, order.start}; }

// Asks whether the program would know a page.
class PageMatcher final : public io::ChildUser {
 public:
  PageMatcher(const ListingKey& its_key, std::function<void(bool)> tell)
      : key{its_key}, tell_{std::move(tell)} {}
  void on_line(io::Stream, const std::string&) override {}
  void on_end(const io::ChildEnd& end) override {
    gone_ = true;
    run.reset();
    tell_(end.code == 0);
  }
  bool is_gone() const { return gone_; }
  // Drops the answer. Calls `then` once the program and its folder are gone.
  void stop(std::function<void()> then) {
    tell_ = [then = std::move(then)](bool) { then(); };
    run->kill();
  }
  const ListingKey key;
  std::unique_ptr<Run> run;

 private:
  std::function<void(bool)> tell_;
  bool gone_ = false;
};

class Programs final : public ChildEngine {
 public:
  Programs(const Program& program, io::PollLoop& loop, Gate& gate, io::Lander& lander,
           const Clock& clock, ChildSettings settings)
      : settings_{std::move(settings)}, env_{program, loop, gate, lander, clock, settings_, boot_} {
    loop.post([this] { report(); });
  }
  // Everything that lives on the loop's thread is destroyed there. All processes are killed before
  // any is waited for, so that they end in parallel.
  ~Programs() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      alive_.reset();
      for (const auto& [key, fetcher] : fetchers_) fetcher->kill();
      for (const auto& [key, lister] : listers_) lister->stop();
      fetchers_.clear();
      listers_.clear();
      matchers_.clear();
      probe_.reset();
      probe_staging_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void plan(const Order& order, Inbox& inbox) override {
    env_.loop.post([this, order, &inbox] {
      const auto job = open_job(order, inbox, io::Folder::Missing::create);
      if (!job) return;
      auto& lister = listers_[{&inbox, order.start}] =
          std::make_unique<Lister>(env_, job, order, inbox);
      lister->stay_heard();
      with_program(order, job, [this, key = Key{&inbox, order.start}](const auto& version) {
        const auto found = listers_.find(key);
        if (found == listers_.end()) return;
        if (!version) return found->second->fail(version.error());
        to_list_.add([this, key] {
          if (const auto its = listers_.find(key); its != listers_.end()) its->second->begin();
        });
        take_turns();
      });
    });
  }

  void start(Order order, Inbox& inbox) override {
    env_.loop.post([this, order = std::move(order), &inbox] {
      const auto job = open_job(order, inbox, settings_.destinations.vanished);
      if (!job) return;
      auto known = std::make_unique<Fetcher>(env_, job, std::vector{order}, inbox);
      if (known->recognise()) {
        fetchers_.emplace(JobKey{order.job, order.fence}, std::move(known));
        return;
      }
      waiting_.add(order, inbox);
      with_program(order, job, [this, order, &inbox](const auto& version) {
        if (version) return dispatch_soon();
        if (waiting_.remove({&inbox, order.start}))
          inbox.push({order.job, order.item, order.fence, order.start,
                      Failed{.fault = version.error(), .checkpoint = {}}});
      });
    });
  }

  void land(const Order& order, Inbox&) override {
    env_.loop.post([this, order] {
      for (const auto& [key, fetcher] : fetchers_)
        if (key == JobKey{order.job, order.fence} && fetcher->land(order.start)) return;
    });
  }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    env_.loop.post([this, order, leftovers, &inbox] {
      const Key key{&inbox, order.start};
      stop_probe(order);
      if (const auto found = listers_.find(key);
          found != listers_.end() && !found->second->is_gone())
        return found->second->stop();
      const auto stopped = [order, &inbox] {
        inbox.push({order.job, order.item, order.fence, order.start, Stopped{}});
      };
      waiting_.remove(key);
      to_be_matched_.erase(listing_key(order));
      for (const auto& matcher : matchers_)
        if (matcher->key == listing_key(order) && !matcher->is_gone())
          return matcher->stop(stopped);
      for (const auto& [job, fetcher] : fetchers_)
        if (job == JobKey{order.job, order.fence} && fetcher->stop(order.start, leftovers)) return;
      if (leftovers == Leftovers::remove) engine::remove_kept_part(settings_.destinations, order);
      stopped();
    });
  }

  bool is_installed() const override { return find_program(env_.program, settings_).has_value(); }

  void knows(const Order& order, const std::string& page, std::function<void(bool)> tell) override {
    env_.loop.post([this, order, page, tell = std::move(tell)] {
      to_be_matched_.insert(listing_key(order));
      to_match_.add([this, order, page, tell] {
        if (to_be_matched_.erase(listing_key(order)) == 1) match(order, page, tell);
      });
      take_turns();
    });
  }

 private:
  static constexpr std::int64_t kMatchesFrom =
      1'000'000'000;  // Greater than every listing's number.

  // Drops all sights. For questions that a callback answers.
  class NoInbox final : public Inbox {
   public:
    void push(Sight) override {}
  };

  void match(const Order& order, const std::string& page, const std::function<void(bool)>& tell) {
    const auto job =
        check_page_url(page) ? open_job(order, no_inbox_, io::Folder::Missing::create) : nullptr;
    if (!job) return tell(false);
    auto matcher = std::make_unique<PageMatcher>(listing_key(order), tell);
    auto run = Run::prepare(env_, *job, {io::owner_of(order), --matched_ + kMatchesFrom}, {page},
                            order.start);
    if (!run) return tell(false);
    matcher->run = *std::move(run);
    const std::vector<std::string> words = env_.program.match_words(matcher->run->call(*job));
    if (words.empty() || !matcher->run->begin(words, *matcher)) return tell(false);
    matchers_.push_back(std::move(matcher));
  }

  // Each listing and each question is a process. Only a few run at once, however many wait (F14).
  void take_turns() {
    to_list_.take([this] { return count_if(listers_, kIsAtWork); });
    to_match_.take(
        [this] { return count_if(matchers_, [](const auto& each) { return !each->is_gone(); }); });
  }
  static constexpr auto kIsAtWork = [](const auto& each) { return each.second->is_at_work(); };
  static std::size_t count_if(const auto& range, const auto& what) {
    return static_cast<std::size_t>(std::ranges::count_if(range, what));
  }

  // Reports Failed and returns null if the job cannot be opened.
  std::shared_ptr<ChildJob> open_job(const Order& order, Inbox& inbox,
                                     io::Folder::Missing missing) {
    auto job = jobs_.open(order, missing);
    if (job) return *job;
    inbox.push({order.job, order.item, order.fence, order.start,
                Failed{.fault = job.error(), .checkpoint = {}}});
    return nullptr;
  }

  // Calls `then` with the program's version. Asks only once if the answer is good.
  using Then = std::function<void(const Result<std::string>&)>;
  struct PendingVersion {
    Order order;
    std::shared_ptr<ChildJob> job;
    Then then;
  };
  void with_program(const Order& order, const std::shared_ptr<ChildJob>& job, Then then) {
    if (auto walls = check_walls(settings_, io::landlock_version()); !walls)
      return then(std::unexpected{walls.error()});
    if (version_) return then(*version_);
    pending_versions_.push_back({order, job, std::move(then)});
    if (pending_versions_.size() > 1) return;
    probe_job_ = {order.job, order.fence};
    auto staging = Staging::create(*job->landing.folder, io::owner_of(order), 0);
    if (!staging) return tell_version(std::unexpected{staging.error()});
    probe_staging_ = std::make_unique<Staging>(*std::move(staging));
    probe_ = std::make_unique<Probe>(
        env_.program, settings_, env_.loop, probe_staging_->work(),
        [this](Result<std::string> version) {
          env_.loop.post([this, version = std::move(version), alive = std::weak_ptr{alive_}] {
            if (alive.lock()) tell_version(version);
          });
        });
  }

  void tell_version(const Result<std::string>& version) {
    probe_.reset();
    probe_staging_.reset();
    if (version) version_ = *version;
    for (const PendingVersion& each : std::exchange(pending_versions_, {})) each.then(version);
  }

  // The program is asked in the folder of a job. One that is stopped leaves none behind, so the
  // others ask again in another.
  void stop_probe(const Order& order) {
    const auto is_its = [&](const PendingVersion& each) {
      return listing_key(each.order) == listing_key(order);
    };
    if (std::erase_if(pending_versions_, is_its) == 0) return;
    if (!probe_staging_ || probe_job_ != JobKey{order.job, order.fence}) return;
    probe_.reset();
    probe_staging_.reset();
    for (const PendingVersion& each : std::exchange(pending_versions_, {}))
      with_program(each.order, each.job, each.then);
  }

  void dispatch_soon() {
    if (std::exchange(dispatching_, true)) return;
    env_.loop.after(kShareProcessWithin, [this, alive = std::weak_ptr{alive_}] {
      if (!alive.lock()) return;
      dispatching_ = false;
      dispatch();
    });
  }

  bool is_busy(const JobKey& job) const {
    if (env_.program.items_at_once() == 1) return false;
    return std::ranges::any_of(fetchers_, [&](const auto& each) {
      return each.first == job && each.second->is_at_work();
    });
  }

  // A program that takes many items has one process per job. Items that come later wait until it
  // ends.
  void dispatch() {
    if (!version_) return;
    const std::size_t most = env_.program.items_at_once();
    const auto may_begin = [this](JobId job, std::int64_t fence) {
      return count_if(fetchers_, kIsAtWork) < settings_.fetchers_max && !is_busy({job, fence});
    };
    for (auto group = waiting_.take(most, may_begin); !group.orders.empty();
         group = waiting_.take(most, may_begin)) {
      const JobKey key{group.orders.front().job, group.orders.front().fence};
      const auto job = jobs_.at(key);
      auto fetcher = std::make_unique<Fetcher>(env_, job, std::move(group.orders), *group.inbox);
      fetcher->begin();
      fetchers_.emplace(key, std::move(fetcher));
    }
  }

  void report() {
    std::erase_if(listers_, [](const auto& each) { return each.second->is_gone(); });
    std::erase_if(fetchers_, [](const auto& each) { return each.second->is_gone(); });
    std::erase_if(matchers_, [](const auto& each) { return each->is_gone(); });
    jobs_.forget_idle([this](const JobKey& job) { return waiting_.has(job.first, job.second); });
    for (const auto& [key, fetcher] : fetchers_) fetcher->report();
    for (const auto& [key, lister] : listers_) lister->watch_disk();
    if (++reports_ % kHeardAfter == 0) {
      for (const auto& [key, fetcher] : fetchers_) fetcher->stay_heard();
      waiting_.stay_heard();
    }
    take_turns();
    dispatch();
    env_.loop.after(kReportEvery, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock()) report();
    });
  }

  const ChildSettings settings_;
  const std::string boot_ = io::boot_id();
  const ChildEnv env_;
  NoInbox no_inbox_;
  // Used only on the loop's thread.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  ChildJobs jobs_{settings_.destinations};
  std::map<Key, std::unique_ptr<Lister>> listers_;
  std::multimap<JobKey, std::unique_ptr<Fetcher>> fetchers_;
  std::vector<std::unique_ptr<PageMatcher>> matchers_;
  WaitingItems waiting_;
  ProcessTurns to_list_{settings_.listers_max};
  ProcessTurns to_match_{settings_.matchers_max};
  std::set<ListingKey> to_be_matched_;  // Those that wait for their turn.
  bool dispatching_ = false;
  std::optional<std::string> version_;
  std::vector<PendingVersion> pending_versions_;
  JobKey probe_job_;  // In whose folder the program is asked.
  std::unique_ptr<Staging> probe_staging_;
  std::unique_ptr<Probe> probe_;
  std::int64_t matched_ = 0;
  int reports_ = 0;
};

}  // namespace

std::unique_ptr<ChildEngine> make_child_engine(const Program& program, io::PollLoop& loop,
                                               Gate& gate, io::Lander& lander, const Clock& clock,
                                               ChildSettings settings) {
  return std::make_unique<Programs>(program, loop, gate, lander, clock, std::move(settings));
}

}  // namespace haul::child
