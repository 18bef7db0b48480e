#pragma once
// Checks what must always be true. The oracles read only the event log, the rows and the ledger of
// the simulated world, and call none of the code they judge.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/run.h"
#include "sim/time.h"
#include "sim/world.h"
#include "store/store.h"

namespace haul::sim {

// What the simulator itself knows: the jobs it added, what users asked for, its workers.
struct RunRecord {
  struct Added {
    JobId job;
    std::string lifecycle;
    Steady at;
    std::optional<Millis> ttl;
    bool is_repetition = false;  // A retry made this job.
  };
  std::map<std::int64_t, Added> added;
  std::map<std::string, JobId> by_intent;  // By request: the newest job it made.
  std::set<std::int64_t> cancel_wished;
  std::int64_t granted = 0;
  std::int64_t price = 0;  // Per image.
  std::map<const Inbox*, WorkerId> workers;
  struct Beat {
    std::int64_t count = 0;
    Steady at;
  };
  std::map<std::int64_t, Beat> beats;  // By worker: its last heartbeat.
  std::size_t poll_max = 100;
  bool clock_was_set = false;
  bool one_process = true;  // One worker, never crashed or paused: allows strict clock checks.
};

class Oracles {
 public:
  Oracles(Store& store, const World& world, const RunRecord& record, const VirtualClock& clock);

  // Call after every step: reads the new events, then checks items and fairness.
  void watch();
  // Reads the new events only.
  void read();
  // Call at the moment of an act on the outside.
  void see_act(const Act& act);
  // Call at the end, when faults have stopped and every job had time to settle.
  void judge_end();

  void violated(const std::string& oracle, const std::string& what);
  const std::vector<Violation>& violations() const { return violations_; }
  std::int64_t moves() const { return moves_; }
  // A hash of the trace so far.
  std::string trace() const;

 private:
  // A job as its events describe it.
  struct Fold {
    std::string lifecycle;
    std::string state;
    std::string from;  // The state before the last move.
    std::int64_t seq = 0;
    std::int64_t holder = 0;
    std::int64_t last_event = 0;
    int counted = 0;    // Attempts that the job must have counted.
    bool done = false;  // JOB_DONE was seen.
    bool paused = false;
    Steady came{};                                  // To the client: by a move, or resumed.
    Steady looked{};                                // When a worker last asked the client.
    std::size_t most_at_client = 0;                 // The most jobs at the client since then.
    std::string on;                                 // The trigger of the last move.
    int lives = 1;                                  // One more for each retry by a user.
    std::map<std::string, std::vector<bool>> told;  // By item: `success` of each ITEM_DONE.
    std::int64_t told_good = 0;                     // ITEM_DONE events with success.
    std::map<std::int64_t, std::string> items;      // By number: the state last seen.
    bool items_over = false;                        // Its items were seen after the job ended.
    bool has_news = false;                          // Events since its items were last seen.
  };

  void see(const Event& event);
  void see_move(const Event& event, Fold& fold);
  void see_item_done(const Event& event, Fold& fold);
  void see_progress(const Event& event, const Fold& fold);
  void watch_items();
  bool is_written_down(JobId job, std::string_view kind);
  void see_import(JobId job);
  void see_removal(const Act& act);
  bool is_listed(JobId job, const std::string& path);
  void see_clock(const Event& event, const Fold& fold);
  void judge_job(const Job& job);
  void judge_effects(const Job& job);
  void judge_items(const Job& job);
  void judge_credit(const Job& job);
  void judge_client(const Job& job);
  void judge_film(const Job& job);
  void judge_wallet();
  void judge_hosts();
  void judge_fairness();

  Store& store_;
  const World& world_;
  const RunRecord& record_;
  const VirtualClock& clock_;
  EventId seen_;
  std::map<std::int64_t, Fold> folds_;
  std::vector<Violation> violations_;
  std::int64_t moves_ = 0;
  std::string trace_;
};

}  // namespace haul::sim
