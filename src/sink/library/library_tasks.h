#pragma once
// What the library was asked to do: which tasks wait, which run, and which wait for the media
// server. Every task is answered once. Tasks of one job run one after the other. Threads share it,
// and a callback of the media server may outlive the sink, so it is owned by all of them.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "seam/media_server.h"
#include "seam/sink.h"

namespace haul::library {

enum class LibraryStep : std::uint8_t { land, verify, clean };

struct LibraryTask {
  const LibraryStep step;
  const Parcel parcel;
  Inbox& inbox;
  std::stop_source stop{};

  // The same parcel, answered to the same receiver.
  bool is_of(const Parcel& other, const Inbox& receiver) const;
  void tell(What what) const;
};
using TaskPtr = std::shared_ptr<LibraryTask>;

class LibraryTasks {
 public:
  explicit LibraryTasks(std::size_t tasks_max) : tasks_max_{tasks_max} {}

  // Does nothing if the same task is not over yet: its answer is the answer to both. Answers with
  // the fault `library_busy` (environment) if there are too many.
  void add(TaskPtr task);
  // Waits for the next task whose job has none running. Null once closed.
  TaskPtr take();
  // The task runs no more.
  void release(const LibraryTask& task);

  // Answers the task, unless it is answered already.
  void answer(const LibraryTask& task, What what);
  // The task waits for the media server. `begin` begins the question; its callback calls answer().
  // If a stop comes first, the answer is `if_stopped`.
  using BeginQuestion = std::function<std::unique_ptr<ServerQuestion>()>;
  void wait_for_server(const LibraryTask& task, What if_stopped, const BeginQuestion& begin);
  // Ends all tasks of this parcel. Those that run are told to, and answer themselves.
  void stop(const Parcel& parcel, Inbox& inbox);
  // Tells of each task that waits, so that no worker takes it for lost.
  void tell_waiting();

  // Ends everything. No answer comes afterwards.
  void close();

 private:
  enum class Is : std::uint8_t { waiting, running, asking };
  struct Known {
    TaskPtr task;
    Is is = Is::waiting;
    std::unique_ptr<ServerQuestion> question{};
    What if_stopped = Stopped{};
  };

  TaskPtr next() REQUIRES(mutex_);
  void push(const LibraryTask& task, What what);

  const std::size_t tasks_max_;
  Mutex mutex_;
  Condition came_;
  Condition pushed_;
  std::map<const LibraryTask*, Known> known_ GUARDED_BY(mutex_);
  std::deque<TaskPtr> waiting_ GUARDED_BY(mutex_);
  std::set<JobId> running_ GUARDED_BY(mutex_);  // Jobs of running tasks.
  int pushing_ GUARDED_BY(mutex_) = 0;          // Sights that are on their way.
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul::library
