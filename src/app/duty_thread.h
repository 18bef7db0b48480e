#pragma once
// Does the work of a duty on its own thread, so that a slow disk blocks no other work.

#include <functional>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "flow/worker/own_duties.h"

namespace haul::app {

class DutyThread {
 public:
  // A bounded piece of the work. Returns when to call it again. Called only while this process has
  // the duty.
  using Step = std::function<Millis()>;
  DutyThread(std::string name, Store& store, flow::OwnDuties& duties, Step step);
  ~DutyThread() { end(); }
  DutyThread(const DutyThread&) = delete;
  DutyThread& operator=(const DutyThread&) = delete;

  void begin();
  void end();  // Waits for the current step.

  // For the step: asks the store whether this process still has the duty under which the step
  // began. False once end() is called.
  bool may_go_on();

 private:
  void run();

  const std::string name_;
  Store& store_;
  const flow::OwnDuties& duties_;
  const Step step_;
  Duty duty_;  // The current step runs under it. Only the thread uses it.
  std::thread thread_;
  Mutex mutex_;
  Condition over_;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul::app
