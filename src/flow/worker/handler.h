#pragma once
// The work of one lifecycle. A worker has one handler per lifecycle and knows no lifecycle by name.
// A handler works on the jobs that its worker holds. It has a second interface for jobs at an
// outside client (ClientWork), or for jobs with items (ItemWork), if its lifecycle has such jobs.

#include <memory>
#include <vector>

#include "flow/worker/client_work.h"
#include "flow/worker/desk.h"
#include "flow/worker/item_work.h"
#include "flow/worker/lifecycle_work.h"
#include "seam/engine.h"

namespace haul::flow {

// An answer of an engine or a sink that a handler waits for. Item and start are those of the sight
// that will bring it.
struct Awaited {
  Steady heard;  // When the engine or the sink last reported.
  std::int64_t item = 0;
  std::int64_t start = 0;
};

class Handler {
 public:
  Handler() = default;
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;
  virtual ~Handler() = default;

  virtual const Lifecycle& lifecycle() const = 0;
  // Its work on jobs at an outside client; nullptr if no state of its lifecycle is at a client.
  virtual ClientWork* client_work() { return nullptr; }
  // Its work on jobs with items; nullptr if its jobs have none.
  virtual ItemWork* item_work() { return nullptr; }

  // The job is ours under this lease. Begins what its state's step asks for, or takes over what an
  // earlier worker left.
  virtual void begin(Held& held) = 0;
  // The job has waited in its state (Held::again_at) for long enough.
  virtual void again(Held& held) { begin(held); }
  // An engine or a sink reported about a held job. May move parts out of the sight.
  virtual void see(Held& held, Sight& sight) = 0;
  // The answers that it waits for. If one does not come for too long, the worker shows the handler
  // a failure with an unknown outcome instead. Default: one answer, until the job is at rest.
  virtual std::vector<Awaited> awaited(const Held& held) const;

  // Tells engines and sinks to stop everything that it started for the job. May leave alone an act
  // that needs its answer, and with Leftovers::keep one that the next worker can ask for. The
  // worker does not repeat the call, except with Leftovers::remove after Leftovers::keep.
  virtual void stop(Held& held, Leftovers leftovers) = 0;
  // What it transfers of a job without items now, for display.
  virtual std::optional<TransferView> transfer(const Held&) const { return std::nullopt; }
  // Whether nothing of the job goes on any more.
  virtual bool is_at_rest(const Held& held) const = 0;
  // Whether an act goes on whose outcome would be lost without its answer, such as a paid call. A
  // pause waits for that answer.
  virtual bool needs_answer(const Held&) const { return false; }
  // Whether files of the job are on their way into their places. What has begun there cannot be
  // taken back, so a cancel waits for it longer than for anything else.
  virtual bool is_placing(const Held&) const { return false; }
  // The job leaves the desk, so the worker would ignore the answer: stops what stop() left alone.
  virtual void abandon(Held&) {}
  // Writes what it knows of the job and the store does not. Drops the job if the lease is lost. If
  // the job turns out to be done, ends it.
  virtual void save(Held&) {}
};

}  // namespace haul::flow
