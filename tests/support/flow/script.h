#pragma once
// A stage for tests of the flow: a real store in memory, real workers, a clock the test turns, and
// engines and sinks that record every call and answer only what the test says.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flow/outside.h"
#include "flow/user/user.h"
#include "flow/worker/worker.h"
#include "support/store/bench.h"

namespace haul::testing {

class HandClock final : public Clock {
 public:
  Time now() const override { return wall_; }
  Steady steady() const override { return steady_; }

  void pass(Millis time) {
    wall_ = wall_.load() + time;
    steady_ = steady_.load() + time;
  }
  // Changes the wall clock, as an administrator would. Steady time does not change.
  void set(Millis by) { wall_ = wall_.load() + by; }

 private:
  // Threads of the code under test read these while the test turns the clock.
  std::atomic<Time> wall_ = Bench::kStart;
  std::atomic<Steady> steady_ = Steady{Millis{5'000'000}};
};

// Always 0.5, so that jitter changes nothing.
class NoChance final : public Random {
 public:
  double chance() override { return 0.5; }
};

// One call to an engine or a sink.
struct Call {
  std::string name;  // "http.start"
  JobId job;
  std::int64_t item = 0;
  std::int64_t fence = 0;
  std::int64_t start = 0;
  std::string request;
  std::string url;
  std::string handle;
  std::string path;
  std::int64_t size = 0;
  std::vector<PlacedFile> placed{};
  std::vector<SourceFile> sources{};
  std::vector<std::string> paths{};  // The sources of an order.
  bool waits_for_slot = false;
  std::string evidence{};
  std::vector<ByHand> by_hand{};
  WhyKept why_kept{};
  Leftovers leftovers = Leftovers::keep;  // Only for a stop.
};

// A request that add() accepts from this owner.
std::string full_request(const Lifecycle& table, int number = 1, UserId owner = kAdmin);

// Z-30: what engines and sinks report as missing, by their names: "client", "library". The name
// "client.http" is for requests that ask for the engine http; its text may be empty.
using Lacks = std::map<std::string, std::string>;

class Stage {
 public:
  explicit Stage(flow::Settings settings = {}, std::function<void(CommitPhase)> around_commit = {},
                 flow::HandlerSettings handlers = {});
  Stage(std::unique_ptr<Store> store, flow::Settings settings, flow::HandlerSettings handlers = {});
  ~Stage();

  HandClock clock;
  bool http_answers_stops = true;  // At once. If false, the test answers them or leaves them open.
  // The client lists one file of a film, and lets go of the film, at once. Such calls are not
  // recorded. If false, the test answers them or leaves them open.
  bool client_lists_and_releases = true;
  bool bucket_is_usable = true;  // If false, the test answers "bucket.is_usable".
  std::string image_handle;  // What the engine of images calls its next call itself; may be empty.
  Lacks lacks;               // Engines and sinks that are not in it are ready.
  ImportPreview preview{};   // Of every sink.
  Parcel previewed{};        // The parcel of the last preview.

  Store& store() { return bench_.store(); }
  // Adds another worker.
  flow::Worker& hire();
  flow::Worker& worker(std::size_t i = 0) { return *workers_.at(i); }
  // The worker dies as by kill -9: it releases nothing.
  void crash(std::size_t i = 0) { workers_.erase(workers_.begin() + static_cast<long>(i)); }

  // Every worker ticks, and again while the stage itself answers calls.
  void tick();
  // Lets time pass, then every worker ticks once.
  Stage& after(Millis passed);
  // The same in steps, so that no worker misses a heartbeat.
  Stage& live(Millis passed, Millis step = Millis{1'000});

  // Adds a job through add(). Throws if it is refused.
  JobId add(const Lifecycle& table, flow::AddRequest to_add = {});
  JobId buy(std::int64_t price);  // Adds an image job of an admin with ten credits.

  // The calls since the last asked(): "client.start 1, http.start 1.2".
  std::string asked();
  std::size_t count(std::string_view name) const;
  // The newest call with this name. Throws if there is none.
  const Call& last(std::string_view name) const;

  // Pushes a sight into the first worker's inbox, as the answer to a call.
  void push(const Call& call, What what) { push(worker(), call, std::move(what)); }
  static void push(flow::Worker& to, const Call& call, What what);
  // Answers the newest call with this name, and ticks.
  void reply(std::string_view name, What what);

  Job job(JobId id) { return bench_.job(id); }
  std::vector<flow::LifecycleWork> work();  // Of its engines and sinks.
  std::string state(JobId id) { return std::string{job(id).version.state}; }
  std::string trail(JobId id) { return bench_.trail(id); }
  std::string event_types(JobId id) { return bench_.event_types(id); }
  // In the order they began: "hand_over done, cancel open".
  std::string intents(JobId id);
  // The states of its items: "COMPLETED PENDING".
  std::string items(JobId id);
  std::size_t host_slots(const std::string& host) { return store().limits().use(host).held; }
  Wallet wallet() { return store().ledger().wallet(kAdmin); }

 private:
  class Engines;
  class Sinks;

  Bench bench_;
  const flow::Settings settings_;
  const flow::HandlerSettings handlers_;
  NoChance random_;
  std::vector<Call> calls_;
  std::size_t told_ = 0;
  std::size_t answered_ = 0;  // Calls that the stage itself has answered.
  int added_ = 0;
  std::vector<std::unique_ptr<Engines>> engines_;
  std::vector<std::unique_ptr<Sinks>> sinks_;
  std::vector<std::unique_ptr<flow::Worker>> workers_;
};

// The file of a film as the stage's client lists it.
inline SourceFile source(JobId job, std::string path = "film") {
  return {.root = "/d",
          .path = std::move(path),
          .device = 1,
          .inode = job.value,
          .size = 10,
          .mtime_ns = 1};
}

// A fault of this kind with this code.
inline Failed failed(FaultKind kind, std::string code) {
  return {.fault = {kind, std::move(code), "as scripted"}};
}
inline Failed unknown_outcome() {
  return {.fault = {FaultKind::retryable, "timeout", "no reply"}, .outcome_unknown = true};
}
// A complete file in its place.
inline haul::Finished whole(std::string path, std::int64_t size = 10) {
  return {.path = std::move(path), .size = size, .evidence = R"({"size":10})"};
}
inline Landed landed(std::string path, std::int64_t size = 10) {
  return {.files = {{std::move(path), size}}, .evidence = R"({"size":10})", .told = "plex"};
}
inline Indexed indexed(std::string path, std::int64_t size = 10) {
  return {.files = {{std::move(path), size}}};
}

}  // namespace haul::testing
