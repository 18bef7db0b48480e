#pragma once
// One worker's desk: what it holds, what it was told, and the moves it is about to ask for. Moves
// are gathered and asked for together, because that is where the speed is.

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
  std::string receipt;             // Media: the proof in hand, JSON.
  bool asked_by_name = false;      // Image: the call is an earlier worker's.
  bool delivered = false;          // Image: the provider is done; what fails now is the bucket.
  std::optional<IntentId> intent;  // The act under way.
  Steady heard;                    // When the outside last said something, or was last asked.
};

// A job's missing mark, and when this process first knew it.
struct KnownMark {
  Time mark;
  Steady since;
};

// What a client fetches for us, as it last said.
struct AtClient {
  UserId owner;
  std::int64_t have = 0;
  std::optional<std::int64_t> size;
  double speed = 0;
};

// An item that ended, for whoever watches.
struct ItemEnded {
  JobId job;
  std::int64_t item = 0;
  std::string url;
  std::string path;
  On on = On::landed;  // Or fail, or skip.
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
  WorkerId worker;  // None until it is enlisted.
  Inbox& inbox;

  std::map<JobId, Held> held;
  HeldLanes lanes;  // Of what is held.
  Places places;
  std::map<std::string, JobId> host_turns;  // The job that started an item at a host last.
  std::map<JobId, KnownMark> marks;
  std::map<std::string_view, Cycle> cycles;  // By the lifecycle whose jobs are at a client.
  std::map<JobId, AtClient> at_client;
  std::set<JobId> doubtful;  // Held jobs in the middle of whose step the store failed.

  std::function<void(const ItemEnded&)> on_item = [](const ItemEnded&) {};

  Time now() const { return clock.now(); }
  // Z-31: see flow/restored.h.
  bool is_restored() const { return store.identity().is_restored(); }
  // Starts count up; enumerations count down, so that they never meet.
  std::int64_t next_start() const { return starts_ + 1; }
  std::int64_t count_start() { return ++starts_; }
  std::int64_t count_plan() { return --plans_; }

  // Queues the moves of a verdict, in order; `then` runs when the last is granted. A refusal drops
  // a held job from the desk, unless `otherwise` deals with it.
  void wish(const Job& job, const Verdict& verdict, Then then = {}, Otherwise otherwise = {});
  // Asks for everything queued, again and again while answers queue more.
  void flush();
  // Whether a move or a note of this job is queued: what was seen of it since is older than it
  // looks.
  bool is_asking(JobId job) const { return asking_.contains(job); }

  // Writes a note of a verdict down at once. False: the job no longer looks like that.
  bool note(const Job& job, const Note& note);
  // The same with the next flush, together with others.
  void note_later(const Job& job, const Note& note);
  // Many at once, each with its job.
  std::vector<bool> note_all(std::span<const std::pair<Job, Note>> notes);
  // Gives a lease back in good order and forgets the job.
  void release(const Job& job, const std::string& reason, Millis after,
               const std::string& detail = {});
  // Tells the engine to stop whatever it does for a batch, and gives its places back.
  void stop_transfers(Held& held_job, Parts parts);
  // Forgets a job, and stops what it had started.
  void drop(JobId job, Parts parts = Parts::keep);

  Order order(const Held& held_job) const;
  Order order(const Job& job, SharedText request) const;
  Hold hold(const Job& job) const { return {job.seen.id, worker, job.seen.fence}; }

  // Begins an act that cannot be repeated harmlessly; nothing if the lease is gone.
  std::optional<Intent> begin(Held& held_job, const NewIntent& intent);
  void settle(Held& held_job, IntentState state, const std::string& outcome);
  // The newest intent of a kind, settled or not.
  std::optional<Intent> newest(JobId job, std::string_view kind);
  // Open intents of a kind, going on where the last call ended and from the first again after the
  // last: those that cannot be done yet do not hide later ones.
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
  std::map<std::string, IntentId> looked_at_;  // By kind; zero: from the first.
  std::int64_t starts_ = 0;
  std::int64_t plans_ = 0;
};

}  // namespace haul
