#pragma once
// Why a job is where it is, from data alone: what holds it back, what is looked at next and when,
// and what a user could do about it. The CLI, the API and the page show the same value.

#include <optional>
#include <string>
#include <vector>

#include "flow/settings.h"
#include "store/store.h"

namespace haul {

struct Why {
  JobId job;
  std::string lifecycle;
  std::string state;
  Time since;                        // When it came into this state.
  std::optional<Time> seen_at;       // The last sight.
  std::string code;                  // What holds it back: a stable word.
  std::string because;               // The same as a sentence.
  std::string reason;                // The last trouble's code, if any,
  std::string detail;                // and its prose.
  std::string next;                  // What is looked at next,
  std::optional<Time> next_at;       // and when.
  bool stuck = false;                // Longer here than this state allows.
  std::vector<std::string> allowed;  // cancel, retry, pause, resume

  bool operator==(const Why&) const = default;
};

// What a host has to do with a batch.
struct HostFacts {
  std::string host;  // Empty: nothing.
  HostUse use;
  std::size_t running = 0;  // Jobs of its lane that run.
};

// Everything the answer is drawn from.
struct WhyFacts {
  Job job;
  Time now;
  std::vector<Intent> intents;
  Counts counts;
  std::optional<WorkerRow> worker;  // The holder, where leased.
  bool is_restored = false;         // The store, and no admin has cleared it yet.
  HostFacts lane;                   // A batch that waits to run: its own host.
  HostFacts gate;      // A batch that runs: another host that gives its items no place now.
  bool moves = false;  // An item of a batch is being downloaded.
};

Why explain(const WhyFacts& facts, const Settings& settings);

// Reads the facts and explains them; nothing if there is no such job.
std::optional<Why> explain(Store& store, JobId id, Time now, const Settings& settings);

// A few lines for a terminal. Text from outside is escaped.
std::string to_text(const Why& why, Time now);

}  // namespace haul
