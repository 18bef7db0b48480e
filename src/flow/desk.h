#pragma once
// The state of one worker: the jobs it holds, what it knows of them, and the moves it will ask the
// store for. It asks for many moves in one transaction, because that is where the speed is.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "flow/cycle.h"
#include "flow/fetch.h"
#include "flow/lanes.h"
#include "flow/outside.h"
#include "flow/places.h"
#include "flow/receipt.h"
#include "flow/settings.h"
#include "flow/verdict.h"
#include "store/store.h"

namespace haul {

// A job under our lease, as we last saw it.
struct Held {
  Job job;
  SharedText request;
  Fetch fetch;                     // Batch: its items.
  Landing landing;                 // Media: what we put into the library.
  std::string receipt;             // Media: the receipt, as JSON.
  bool asked_by_name = false;      // Image: an earlier worker made the call.
  bool delivered = false;          // Image: delivered; a failure now is the bucket's.
  std::optional<IntentId> intent;  // The open intent of the current act.
  Steady heard;                    // When the last sight came, or the step or listing began.
};

// A job's missing_since, and when this process first saw it.
struct KnownMark {
  Time mark;
  Steady since;
};

// A transfer at a download client, as the client last reported it.
struct AtClient {
  UserId owner;
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  double speed = 0;
};

// An item that ended, for Worker::listen().
struct ItemEnded {
  JobId job;
  std::int64_t item = 0;
  std::string url;
  std::string path;
  On on = On::landed;  // landed, fail or skip.
  std::int64_t size = 0;
  std::string reason;
  std::string detail;
  std::string evidence;
};

class Desk {
 public:
  using Then = std::function<void(const Seen& after)>;
  using Otherwise = std::function<void(const Refusal& why)>;

  Desk(Store& its_store, const Outside& its_outside, const Clock& its_clock, Random& its_random,
       const Settings& its_settings, WorkerId its_worker, Inbox& its_inbox);

  Store& store;
  Outside outside;
  const Clock& clock;
  Random& random;
  const Settings settings;
  WorkerId worker;  // Zero until the worker is enlisted.
  Inbox& inbox;

  std::map<JobId, Held> held;
  HeldLanes lanes;  // Lanes of the held jobs.
  Places places;
  std::map<std::string, JobId> host_turns;  // By host: the last job that started an item.
  std::map<JobId, KnownMark> marks;
  std::map<std::string_view, Cycle> cycles;  // By the name of the lifecycle: book, media.
  std::map<JobId, AtClient> at_client;
  std::set<JobId> doubtful;  // Held jobs whose last step a store fault interrupted.

  std::function<void(const ItemEnded&)> on_item = [](const ItemEnded&) {};

  Time now() const { return clock.now(); }
  // Z-31: see flow/restored.h.
  bool is_restored() const { return store.identity().is_restored(); }
  // Numbers for Order::start. Items count up and listings count down, so that no two are equal.
  std::int64_t next_start() const { return starts_ + 1; }
  std::int64_t count_start() { return ++starts_; }
  std::int64_t count_plan() { return --plans_; }

  // Queues the moves of a verdict, in order. `then` runs when the last move is granted. `otherwise`
  // runs if the first is refused. Any other refusal drops the job from the desk. A verdict without
  // moves may release the lease instead.
  void wish(const Job& job, const Verdict& verdict, Then then = {}, Otherwise otherwise = {});
  // Writes the queued notes, then asks for the queued moves, repeatedly while answers queue more.
  void flush();
  // Whether a move or a note of this job is queued. Sights received since then describe the job
  // before it.
  bool is_asking(JobId job) const { return asking_.contains(job); }

  // Writes the note of a verdict at once. False if the job has changed since it was read.
  bool note(const Job& job, const Note& note);
  // Queues a note; the next flush writes all queued notes together.
  void note_later(const Job& job, const Note& note);
  // Writes many notes at once. One answer each, in order.
  std::vector<bool> note_all(std::span<const std::pair<Job, Note>> notes);
  // Releases the lease and removes the job from the desk. The job is due again after this time.
  void release(const Job& job, const std::string& reason, Millis after,
               const std::string& detail = {});
  // Tells the engine to stop the listing and the transfers of a batch, and gives their places back.
  void stop_transfers(Held& held_job, Parts parts);
  // Removes a job from the desk and stops its transfers. Does not write to the store.
  void drop(JobId job, Parts parts = Parts::keep);

  Order order(const Held& held_job) const;
  Order order(const Job& job, SharedText request) const;
  Hold hold(const Job& job) const { return {job.seen.id, worker, job.seen.fence}; }

  // Writes the intent of an act that is not safe to repeat. Nothing if the lease is lost.
  std::optional<Intent> begin(Held& held_job, const NewIntent& intent);
  void settle(Held& held_job, IntentState state, const std::string& outcome);
  // The newest intent of a kind, settled or not.
  std::optional<Intent> newest(JobId job, std::string_view kind);
  // The next open intents of a kind. Continues after the previous call and starts over at the end,
  // so that intents that must wait do not hide later ones.
  std::vector<Intent> next_open(const std::string& kind, std::size_t limit);

 private:
  struct Queued {
    Ask ask;
    Then then;
    Otherwise otherwise;
  };
  void remove_parts(const Held& held_job);
  Observation observed(const Job& job, const Note& note);
  void write_notes();
  void ask(std::vector<Queued>& group);
  void answer(Queued& queued, const MoveAnswer& answer);

  std::vector<Queued> queue_;
  std::vector<Observation> notes_;
  std::set<JobId> asking_;
  std::map<std::string, IntentId> looked_at_;  // By kind: where next_open() continues.
  std::int64_t starts_ = 0;
  std::int64_t plans_ = 0;
};

}  // namespace haul
