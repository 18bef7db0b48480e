// The engine that has haul fetch films over HTTP joins the suite of remote engines, with a store.

#include "engine/linked/linked.h"

#include "conformance/engine/remote_engine.h"
#include "flow/linked/linked_batches.h"
#include "support/flow/script.h"
#include "support/io/hand_loop.h"

namespace haul::conformance {
namespace {

constexpr int kFilms = 100;

// Passes every call on, unless the store is away.
class MaybeAway final : public LinkedJobs {
 public:
  explicit MaybeAway(std::unique_ptr<LinkedJobs> to) : to_{std::move(to)} {}

  Result<JobId> add(const Order& order, const std::string& url) override {
    if (is_away) return away();
    return to_->add(order, url);
  }
  Result<JobId> find(const Order& order) override {
    if (is_away) return away();
    return to_->find(order);
  }
  Result<JobId> find_earlier(const Order& order) override {
    if (is_away) return away();
    return to_->find_earlier(order);
  }
  Result<std::vector<std::optional<LinkedJob>>> look(std::span<const JobId> jobs) override {
    if (is_away) return away();
    return to_->look(jobs);
  }
  Result<std::vector<LinkedFile>> files(JobId job) override {
    if (is_away) return away();
    return to_->files(job);
  }
  Result<void> cancel(JobId job) override {
    if (is_away) return away();
    return to_->cancel(job);
  }

  bool is_away = false;

 private:
  static std::unexpected<Fault> away() {
    return std::unexpected{Fault{FaultKind::environment, "store_unavailable", "the test said so"}};
  }
  std::unique_ptr<LinkedJobs> to_;
};

// The jobs of the suite are films of the store, with the same numbers.
class LinkedBench final : public RemoteBench {
 public:
  LinkedBench() {
    for (int film = 1; film <= kFilms; ++film) REQUIRE((store_.add(kMedia) == JobId{film}));
  }
  ~LinkedBench() override {
    loop_.is_closing = true;
    engine_.reset();
  }
  LinkedBench(const LinkedBench&) = delete;
  LinkedBench& operator=(const LinkedBench&) = delete;

  RemoteEngine& engine() override { return *engine_; }

  bool until(const So& so, Millis within) override {
    constexpr Millis kStep{100};
    loop_.run();
    for (Millis passed{0}; !so(); passed += kStep) {
      if (passed >= within) return false;
      clock_.pass(kStep);
      loop_.run();
    }
    return true;
  }

  Order order(std::int64_t job) override {
    return {.store = "a1b2c3d4e5f6",
            .job = JobId{job},
            .fence = 1,
            .start = 1,
            .request = R"({"engine":"http","uri":"https://h/film.mkv"})"};
  }
  Order unknown() override {
    Order order = this->order(99);
    order.handle = "100000";
    return order;
  }
  std::size_t transfers() const override {
    return store_.reader()
        .list({.lifecycle = "batch", .end = End::open, .limit = 1'000})
        .jobs.size();
  }
  void fall_silent() override {}  // Nothing answers until the bench runs the loop.
  void go_down() override { jobs_.is_away = true; }
  void come_back() override { jobs_.is_away = false; }
  void add_stranger() override { stranger_ = store_.add(kBatch); }
  bool has_stranger() const override { return store_.job(stranger_).state().is_open(); }

 private:
  mutable testing::Bench store_;
  testing::HandClock clock_;
  testing::HandLoop loop_{clock_};
  MaybeAway jobs_{flow::make_linked_batches(store_.store(), clock_, "/in")};
  std::unique_ptr<RemoteEngine> engine_ =
      linked::make_linked_engine(loop_, jobs_, {.roots = {"/in"}});
  JobId stranger_;
};

const Joins<RemoteBench> kJoins{"linked", [] { return std::make_unique<LinkedBench>(); }};

}  // namespace
}  // namespace haul::conformance
