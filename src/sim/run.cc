#include "sim/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include "flow/user/user.h"
#include "flow/worker/worker.h"
#include "lifecycle/tables.h"
#include "sim/edges.h"
#include "sim/oracle.h"
#include "sim/time.h"
#include "sim/world.h"
#include "store/open.h"

namespace haul::sim {
namespace {

constexpr Millis kChaosLasts{1'800'000};
constexpr Millis kCalmLasts{std::chrono::hours{36}};
constexpr int kStepsMax = 20'000;
constexpr Millis kBeat{5'000};   // Well within the shortest lease: most ticks find nothing to do.
constexpr Millis kSweep{8'000};  // A sweep mostly finds nothing, too.
constexpr Millis kLook{200};     // Ten times what the daemon waits, and still far below its poll.
constexpr Millis kLookAgain{1'000};
constexpr Millis kIdleTick{4'000};
constexpr int kLastActs = 4;
constexpr std::uint64_t kJobsMax = 100;
constexpr int kHosts = 4;
constexpr std::int64_t kGrant = 1'000;
constexpr std::int64_t kPrice = 3;

struct Crash {};  // Thrown before or after a commit: the worker dies there.

struct Actor {
  std::unique_ptr<flow::Worker> worker;
  Steady sleeps_until{};
  Steady ticked{};
};

class Simulator {
 public:
  explicit Simulator(const Setup& setup)
      : setup_{setup},
        random_{setup.seed},
        world_{clock_, setup.seed, setup.chaos},
        store_{open_store("memory:", {.around_commit = [this](CommitPhase) { around_commit(); }},
                          clock_.now())},
        oracles_{*store_, world_, record_, clock_} {
    record_.one_process = setup.workers == 1 && !setup.crash_at && !on(Chaos::worker_crashes) &&
                          !on(Chaos::worker_pauses);
    settings_.beat_every = kBeat;
    settings_.sweep_every = kSweep;
    settings_.look_every = kLook;
    settings_.poll_max = random_.one_in(2) ? 3 : 100;
    record_.poll_max = settings_.poll_max;
    if (!store_->ledger().grant(kAdmin, kGrant, "", clock_.now()))
      throw std::runtime_error{"the ledger refused the grant"};
    record_.granted = kGrant;
    record_.price = kPrice;
    world_.on_act = [this](const Act& act) { oracles_.see_act(act); };
    for (int i = 0; i < setup.workers; ++i) actors_.push_back({hire()});
  }

  Report run() {
    armed_ = true;
    for (int step = 0; step < kStepsMax && !settled(); ++step) {
      if (clock_.steady() >= Steady{kChaosLasts}) world_.calm();
      try {
        act();
      } catch (const StoreFault& fault) {
        oracles_.violated("store", fault.what());
      }
      // Read now: a worker that starts after a clock jump may prune events that were just written.
      oracles_.read();
      const std::set<const Inbox*> got_mail = world_.deliver();
      const auto due = next_due();
      const bool is_due = due && *due <= clock_.now();
      for (Actor& actor : actors_)
        if (is_due || got_mail.contains(&actor.worker->inbox()) || is_idle_for_long(actor))
          tick(actor);
      clock_.pass(until_next());
    }
    armed_ = false;
    oracles_.judge_end();
    return {.moves = oracles_.moves(),
            .commits = commits_,
            .simulated_days = std::chrono::duration<double, std::ratio<86'400>>(
                                  clock_.steady().time_since_epoch())
                                  .count(),
            .trace = oracles_.trace(),
            .violations = oracles_.violations()};
  }

 private:
  bool on(Chaos chaos) const { return world_.chaos().has(chaos); }

  void around_commit() {
    if (!armed_) return;
    const int commit = static_cast<int>(commits_++);
    if (in_tick_ && setup_.crash_at == commit) throw Crash{};
  }

  std::unique_ptr<flow::Worker> hire() {
    auto worker =
        std::make_unique<flow::Worker>(*store_, flow::lifecycle_work(world_.outside()), clock_,
                                       random_, settings_, "worker-" + std::to_string(++hired_));
    record_.workers[&worker->inbox()] = worker->id();
    return worker;
  }

  // A tick without mail or due jobs finds only timers, which can wait a little.
  bool is_idle_for_long(const Actor& actor) const {
    return clock_.steady() - actor.ticked >= kIdleTick;
  }

  void tick(Actor& actor) {
    if (actor.sleeps_until > clock_.steady()) return;
    actor.ticked = clock_.steady();
    in_tick_ = true;
    const std::int64_t commits = commits_;
    const WorkerId id = actor.worker->id();
    try {
      actor.worker->tick();
    } catch (const Crash&) {
      in_tick_ = false;
      replace(actor);
    } catch (const StoreFault& fault) {
      oracles_.violated("store", fault.what());
      in_tick_ = false;
      replace(actor);
    }
    in_tick_ = false;
    if (commits_ == commits) return;  // Nothing has changed.
    note_beat(id);
    oracles_.watch();  // Now: a later beat of a silent worker would make its rescue look early.
  }

  // Reads the heartbeat from the store: a worker may have died between its tick and its heartbeat.
  void note_beat(WorkerId id) {
    const auto row = store_->workers().find(id);
    RunRecord::Beat& last = record_.beats[id.value];
    if (row && row->beat != last.count) last = {row->beat, clock_.steady()};
  }

  void replace(Actor& actor) {
    world_.forget(&actor.worker->inbox());
    graves_.push_back(std::move(actor.worker));  // Pending sights may still point to its inbox.
    actor.worker = hire();
    actor.sleeps_until = {};
  }

  // Users and faults act at random.
  void act() {
    while (added_ < setup_.jobs && random_.one_in(2)) add();
    stop_some_that_wake();
    if (random_.one_in(40) && on(Chaos::users)) meddle();
    if (rests_.one_in(80) && on(Chaos::users)) pause_some();
    if (random_.one_in(60) && on(Chaos::worker_crashes)) replace(pick());
    if (random_.one_in(60) && on(Chaos::worker_pauses)) pause(pick());
    if (random_.one_in(60) && on(Chaos::clock_jumps)) jump();
    if (random_.one_in(80) && on(Chaos::worker_crashes)) stop_gracefully(pick());
  }

  Actor& pick() { return actors_[random_.below(actors_.size())]; }

  void pause(Actor& actor) {
    world_.cut(&actor.worker->inbox());
    actor.sleeps_until = clock_.steady() + Millis{static_cast<int>(1'000 + random_.below(60'000))};
  }

  // Stops some workers as soon as they wake. They store the sights that arrived meanwhile before
  // they could notice that other workers now hold their jobs.
  void stop_some_that_wake() {
    for (Actor& actor : actors_) {
      if (actor.sleeps_until == Steady{} || actor.sleeps_until > clock_.steady()) continue;
      actor.sleeps_until = {};
      if (rests_.one_in(2)) stop_gracefully(actor);
    }
  }

  void stop_gracefully(Actor& actor) {
    actor.worker->stop();
    replace(actor);
  }

  void jump() {
    constexpr int kSeconds[] = {1, 59, 61, 3'600, 86'400, 31'536'000};
    const int by = kSeconds[random_.below(std::size(kSeconds))];
    record_.clock_was_set = true;
    clock_.jump(std::chrono::seconds{random_.one_in(2) ? by : -by});
  }

  void add() {
    constexpr const Lifecycle* kKinds[] = {&kBook, &kMedia, &kBatch, &kRelay, &kImage};
    const Lifecycle* drawn = kKinds[random_.below(std::size(kKinds))];
    const Lifecycle& table = setup_.lifecycle ? *setup_.lifecycle : *drawn;
    flow::AddRequest to_add{
        .lifecycle = &table, .request = request(table, ++added_), .price = kPrice};
    std::optional<Millis> ttl;
    if (table.name == "relay" && random_.one_in(4)) {
      ttl = Millis{static_cast<int>(1'000 + random_.below(600'000))};
      to_add.expires_at = clock_.now() + *ttl;
    }
    submit(to_add, ttl);
    const bool twice = random_.one_in(3) && on(Chaos::users) && table.name != "batch";
    if (!twice) return;
    const Millis gap{static_cast<int>(random_.below(50'000))};  // Within the key's window.
    repeats_.push_back({clock_.steady() + gap, to_add});
  }

  void submit(const flow::AddRequest& to_add, std::optional<Millis> ttl) {
    flow::SpareCapacity* spare = random_.one_in(2) ? &pick().worker->spare() : nullptr;
    const auto added = haul::flow::add(*store_, to_add, clock_.now(), spare);
    if (!added) return;  // No credit left, so no job was made.
    record_.added.try_emplace(
        added->id.value,
        RunRecord::Added{added->id, std::string{to_add.lifecycle->name}, clock_.steady(), ttl});
    judge_repetition(to_add, added->id);
  }

  // One request makes one job, unless the lifecycle's rule has freed its key or slot again.
  void judge_repetition(const flow::AddRequest& to_add, JobId id) {
    auto [first, is_first] = record_.by_intent.try_emplace(to_add.request, id);
    if (is_first || first->second == id) return;
    const bool window_moved =
        to_add.lifecycle->name == "image" && setup_.chaos.has(Chaos::clock_jumps);
    if (window_moved) return;  // The window is counted in wall clock minutes.
    const auto is_free = [&](const Job& job) {
      return to_add.lifecycle->name == "image" ? job.version.state == "dead_letter"
                                               : is_end(to_add.lifecycle->name, job.version.state);
    };
    const auto before = store_->reader().find(first->second);
    if (!before || !is_free(*before) || to_add.lifecycle->name == "relay")
      oracles_.violated("one_job", fmt::format("'{}' made jobs {} and {}", to_add.request,
                                               first->second.value, id.value));
    first->second = id;
  }

  static std::string request(const Lifecycle& table, int n) {
    if (table.name == "book")
      return fmt::format(
          R"({{"book_id":"b{0}","media_type":"text","uri":"magnet:?{0}","source":"x"}})", n);
    if (table.name == "media") return fmt::format(R"({{"title":"t{0}","release_name":"r{0}"}})", n);
    if (table.name == "batch")
      return fmt::format(R"({{"url":"https://host{}.example/{}"}})", n % kHosts, n);
    if (table.name == "relay")
      return fmt::format(R"({{"user_id":1,"chat_id":1,"file_id":"/f{}","nonce":"n"}})", n);
    return fmt::format(R"({{"prompt":"p{}"}})", n);
  }

  void meddle() {
    if (added_ == 0) return;
    const JobId id{1 +
                   static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(added_)))};
    if (random_.one_in(2)) {
      if (flow::cancel(*store_, id, clock_.now()).wished) record_.cancel_wished.insert(id.value);
    } else if (const auto again = flow::retry(*store_, id, clock_.now())) {
      record_.cancel_wished.erase(id.value);
      const std::string lifecycle =
          record_.added.at(id.value).lifecycle;  // A new job has the same.
      record_.added.try_emplace(again->id.value,
                                RunRecord::Added{again->id, lifecycle, clock_.steady(), {}, true});
    }
  }

  void pause_some() {
    if (added_ == 0) return;
    const JobId id{1 + static_cast<std::int64_t>(rests_.below(static_cast<std::uint64_t>(added_)))};
    haul::flow::pause(*store_, id, clock_.now());
    const Millis rest{static_cast<int>(rests_.below(300'000))};
    paused_.push_back({clock_.steady() + rest, id});
  }

  void resume() {
    for (const auto& [at, id] : paused_)
      if (at <= clock_.steady()) haul::flow::resume(*store_, id, clock_.now());
    std::erase_if(paused_, [this](const auto& each) { return each.first <= clock_.steady(); });
  }

  void repeat() {
    for (auto& [at, to_add] : repeats_)
      if (at <= clock_.steady()) submit(to_add, {});
    std::erase_if(repeats_, [this](const auto& each) { return each.first <= clock_.steady(); });
  }

  bool settled() {
    repeat();
    resume();
    if (clock_.steady() >= Steady{kChaosLasts + kCalmLasts}) return true;
    if (!repeats_.empty() || !all_ended()) return false;
    if (clock_.steady() >= Steady{kChaosLasts} || !on(Chaos::users)) return true;
    for (int i = 0; i < kLastActs; ++i) meddle();  // A retry opens a failed job again.
    return all_ended();
  }

  bool is_held() const {
    return std::ranges::any_of(actors_, [](const Actor& a) { return a.worker->held() > 0; });
  }

  bool all_ended() {
    return added_ == setup_.jobs && !is_held() &&
           store_->reader().list({.end = End::open, .limit = 1}).jobs.empty();
  }

  // Read again only after a commit: most steps write nothing.
  std::optional<Time> next_due() {
    if (due_read_at_ != commits_) due_ = store_->reader().next_due();
    due_read_at_ = commits_;
    return due_;
  }

  // Time to the next thing that happens, but never past a heartbeat while a worker holds a lease.
  Millis until_next() {
    Millis wait{15'000};
    if (is_held() || added_ < setup_.jobs) wait = kBeat;
    if (const auto next = world_.next()) wait = std::min(wait, *next - clock_.steady());
    for (const auto& [at, to_add] : repeats_) wait = std::min(wait, at - clock_.steady());
    const auto due = next_due();
    if (due && *due > clock_.now())
      wait = std::min(wait, std::chrono::duration_cast<Millis>(*due - clock_.now()));
    // All workers have just looked. What is still due waits for a duty or a host, not for a look.
    if (due && *due <= clock_.now()) wait = std::min(wait, kLookAgain);
    return std::max(wait, Millis{50});
  }

  const Setup setup_;
  VirtualClock clock_;
  SeededRandom random_;
  SeededRandom rests_{setup_.seed ^ 0x9a05eULL};  // Separate, so that pauses shift nothing else.
  World world_;
  RunRecord record_;
  bool armed_ = false;
  bool in_tick_ = false;
  std::int64_t commits_ = 0;
  std::int64_t due_read_at_ = -1;  // The commits when `due_` was read.
  std::optional<Time> due_;
  std::unique_ptr<Store> store_;
  flow::Settings settings_;
  Oracles oracles_;
  std::vector<Actor> actors_;
  std::vector<std::unique_ptr<flow::Worker>> graves_;
  std::vector<std::pair<Steady, flow::AddRequest>> repeats_;
  std::vector<std::pair<Steady, JobId>> paused_;
  int hired_ = 0;
  int added_ = 0;
};

}  // namespace

Setup setup_for(std::uint64_t seed, const Lifecycle* lifecycle) {
  SeededRandom coins{seed * 0x9e3779b97f4a7c15U + 1};
  Setup setup{.seed = seed, .lifecycle = lifecycle};
  setup.workers = 1 + static_cast<int>(coins.below(4));
  setup.jobs = 1 + static_cast<int>(coins.below(kJobsMax));
  setup.chaos = ChaosSet{static_cast<std::uint32_t>(coins.next()) & ChaosSet::all().bits()};
  if (coins.one_in(4)) setup.crash_at = static_cast<int>(coins.below(400));
  return setup;
}

Report run(const Setup& setup) { return Simulator{setup}.run(); }

Setup shrink(const Setup& setup, const std::string& oracle) {
  const auto violates = [&oracle](const Setup& tried) {
    return std::ranges::any_of(run(tried).violations,
                               [&](const Violation& v) { return v.oracle == oracle; });
  };
  Setup best = setup;
  for (int i = 0; i < kChaosKinds; ++i) {
    Setup tried = best;
    tried.chaos = tried.chaos.without(static_cast<Chaos>(i));
    if (tried.chaos.bits() != best.chaos.bits() && violates(tried)) best = tried;
  }
  for (Setup tried = best; tried.jobs > 1;) {
    --tried.jobs;
    if (!violates(tried)) break;
    best = tried;
  }
  for (Setup tried = best; tried.workers > 1;) {
    --tried.workers;
    if (!violates(tried)) break;
    best = tried;
  }
  return best;
}

std::string command_for(const Setup& setup) {
  std::string command = fmt::format("haul sim --seed {} --runs 1 --workers {} --jobs {} --chaos {}",
                                    setup.seed, setup.workers, setup.jobs, setup.chaos.bits());
  if (setup.lifecycle) command += fmt::format(" --lifecycle {}", setup.lifecycle->name);
  if (setup.crash_at) command += fmt::format(" --crash-at {}", *setup.crash_at);
  return command;
}

}  // namespace haul::sim
