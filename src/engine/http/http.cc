#include "engine/http/http.h"

#include <future>
#include <map>
#include <utility>

#include "engine/http/enumerate.h"
#include "engine/kept_part.h"

namespace haul::http {
namespace {

constexpr Millis kReportEvery{100};  // Z-6: at most ten a second.

constexpr std::size_t kFeedMax = 200'000;  // More than a list can have.

constexpr int kForgetAfter = 50;  // Reports in a row that find nothing of the job at work.

// Each worker numbers its own starts, so the key includes the worker's inbox.
using Key = std::pair<const Inbox*, std::int64_t>;

class HttpEngine final : public ItemEngine {
 public:
  HttpEngine(io::HttpLoop& loop, Gate& gate, const Clock& clock, HttpSettings settings,
             io::Durability durability)
      : settings_{std::move(settings)},
        lander_{io::make_lander(durability)},
        env_{loop, gate, *lander_, clock, settings_, boot_, line_} {
    loop.post([this] { report(); });
  }
  // Everything that lives on the loop's thread is destroyed there.
  ~HttpEngine() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      alive_.reset();
      plans_.clear();
      downloads_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void plan(const Order& order, Inbox& inbox) override {
    env_.loop.post([this, order, &inbox] {
      const auto job = open_job(order, inbox, io::Folder::Missing::create);
      if (!job) return;
      auto& plan = plans_[{&inbox, order.start}] =
          std::make_unique<Enumerate>(env_, job, order, inbox);
      plan->begin();
    });
  }

  void start(Order order, Inbox& inbox) override {
    env_.loop.post([this, order = std::move(order), &inbox]() mutable {
      const auto job = open_job(order, inbox, settings_.destinations.vanished);
      if (!job) return;
      const Key key{&inbox, order.start};
      // The start at the file's former source has just ended, and still has its name.
      if (!order.source.empty()) forget_gone();
      auto& download = downloads_[key] =
          std::make_unique<Download>(env_, job, std::move(order), inbox);
      download->begin();
    });
  }

  void land(const Order& order, Inbox& inbox) override {
    env_.loop.post([this, key = Key{&inbox, order.start}] {
      if (const auto found = downloads_.find(key); found != downloads_.end()) found->second->land();
    });
  }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    env_.loop.post([this, order, leftovers, &inbox] {
      const Key key{&inbox, order.start};
      if (const auto found = plans_.find(key); found != plans_.end()) return found->second->stop();
      if (const auto found = downloads_.find(key);
          found != downloads_.end() && !found->second->is_gone())
        return found->second->stop(leftovers);
      if (leftovers == Leftovers::remove) engine::remove_kept_part(settings_.destinations, order);
      inbox.push({order.job, order.item, order.fence, order.start, Stopped{}});
    });
  }

 private:
  // There is one per job and lease, kept while any work of the job runs. Reports Failed and returns
  // null if the job cannot be opened.
  std::shared_ptr<GetJob> open_job(const Order& order, Inbox& inbox, io::Folder::Missing missing) {
    const std::pair key{order.job, order.fence};
    if (const auto known = jobs_.find(key); known != jobs_.end()) return known->second;
    auto request = engine::read_get_request(order.request.text());
    Result<io::Folder> folder =
        request ? io::open_destination(settings_.destinations, request->folder, missing)
                : std::unexpected{request.error()};
    if (!folder) {
      inbox.push({order.job, order.item, order.fence, order.start,
                  Failed{.fault = folder.error(), .checkpoint = {}}});
      return nullptr;
    }
    auto job = std::make_shared<GetJob>();
    job->request = *std::move(request);
    if (settings_.feed)
      for (const UrlFeed::Entry& entry : settings_.feed->read(0, kFeedMax).entries)
        engine::add_entry(job->request, entry);
    job->landing = io::landing_folder(*std::move(folder), io::owner_of(order));
    if (settings_.space != nullptr) job->disk = settings_.space->of(job->landing.folder);
    jobs_.emplace(key, job);
    return job;
  }

  void forget_gone() {
    std::erase_if(downloads_, [](const auto& each) { return each.second->is_gone(); });
  }

  void report() {
    std::erase_if(plans_, [](const auto& each) { return each.second->is_gone(); });
    forget_gone();
    std::erase_if(jobs_, [](const auto& each) {
      const bool idle = each.second.use_count() == 1;
      each.second->idle = idle ? each.second->idle + 1 : 0;
      return each.second->idle > kForgetAfter;
    });
    for (const auto& [key, download] : downloads_) download->report();
    env_.loop.after(kReportEvery, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock()) report();
    });
  }

  const HttpSettings settings_;
  const std::string boot_ = io::boot_id();
  const std::unique_ptr<io::Lander> lander_;
  SlotLine line_;  // Used only on the loop's thread, as all below.
  const HttpEnv env_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  std::map<std::pair<JobId, std::int64_t>, std::shared_ptr<GetJob>> jobs_;
  std::map<Key, std::unique_ptr<Enumerate>> plans_;
  std::map<Key, std::unique_ptr<Download>> downloads_;
};

}  // namespace

std::unique_ptr<ItemEngine> make_http_engine(io::HttpLoop& loop, Gate& gate, const Clock& clock,
                                             HttpSettings settings, io::Durability durability) {
  return std::make_unique<HttpEngine>(loop, gate, clock, std::move(settings), durability);
}

}  // namespace haul::http
