#include "sink/library/library_tasks.h"

#include <algorithm>
#include <utility>

namespace haul::library {

bool LibraryTask::is_of(const Parcel& other, const Inbox& receiver) const {
  return parcel.job == other.job && parcel.fence == other.fence && &inbox == &receiver;
}

void LibraryTask::tell(What what) const {
  inbox.push({parcel.job, 0, parcel.fence, 0, std::move(what)});
}

void LibraryTasks::add(TaskPtr task) {
  bool is_full = false;
  {
    const Lock lock{mutex_};
    if (is_closed_) return;
    const auto is_same = [&](const auto& known) {
      return known.second.task->step == task->step &&
             known.second.task->is_of(task->parcel, task->inbox);
    };
    if (std::ranges::any_of(known_, is_same)) return;
    is_full = known_.size() >= tasks_max_;
    known_.emplace(task.get(), Known{.task = task});
    if (!is_full) waiting_.push_back(task);
  }
  if (is_full)
    return answer(*task, Failed{.fault = {FaultKind::environment, "library_busy",
                                          "the library has too much to do; haul asks again"},
                                .checkpoint = {}});
  came_.notify_one();
}

TaskPtr LibraryTasks::next() {
  const auto found = std::ranges::find_if(waiting_, [this](const TaskPtr& task) REQUIRES(mutex_) {
    return !running_.contains(task->parcel.job);
  });
  if (found == waiting_.end()) return nullptr;
  TaskPtr task = *found;
  waiting_.erase(found);
  return task;
}

TaskPtr LibraryTasks::take() {
  const Lock lock{mutex_};
  TaskPtr task;
  came_.wait(mutex_, [&]() REQUIRES(mutex_) {
    if (!is_closed_) task = next();
    return is_closed_ || task;
  });
  if (!task) return nullptr;
  known_.at(task.get()).is = Is::running;
  running_.insert(task->parcel.job);
  return task;
}

void LibraryTasks::release(const LibraryTask& task) {
  {
    const Lock lock{mutex_};
    running_.erase(task.parcel.job);
  }
  came_.notify_all();
}

// The inbox is the caller's: no lock is held meanwhile.
void LibraryTasks::push(const LibraryTask& task, What what) {
  task.tell(std::move(what));
  {
    const Lock lock{mutex_};
    --pushing_;
  }
  pushed_.notify_all();
}

void LibraryTasks::answer(const LibraryTask& task, What what) {
  Known known;  // Ends after the lock: it withdraws a question that is open.
  {
    const Lock lock{mutex_};
    const auto found = known_.find(&task);
    if (found == known_.end() || is_closed_) return;
    known = std::move(found->second);
    known_.erase(found);
    ++pushing_;
  }
  push(*known.task, std::move(what));
}

void LibraryTasks::wait_for_server(const LibraryTask& task, What if_stopped,
                                   const BeginQuestion& begin) {
  {
    const Lock lock{mutex_};
    const auto found = known_.find(&task);
    if (found == known_.end()) return;
    found->second.is = Is::asking;
    found->second.if_stopped = if_stopped;
  }
  if (task.stop.stop_requested()) return answer(task, std::move(if_stopped));
  std::unique_ptr<ServerQuestion> question = begin();
  const Lock lock{mutex_};
  // The answer may have come already. Then the question ends after the lock.
  const auto found = known_.find(&task);
  if (found != known_.end() && !is_closed_) found->second.question = std::move(question);
}

void LibraryTasks::stop(const Parcel& parcel, Inbox& inbox) {
  std::vector<std::pair<TaskPtr, What>> ended;
  bool is_known = false;
  {
    const Lock lock{mutex_};
    for (auto& [key, known] : known_) {
      if (!known.task->is_of(parcel, inbox)) continue;
      is_known = true;
      known.task->stop.request_stop();
      if (known.is == Is::running) continue;
      if (known.is == Is::waiting) std::erase(waiting_, known.task);
      ended.emplace_back(known.task, known.if_stopped);
    }
    if (!is_known) ++pushing_;
  }
  for (auto& [task, what] : ended) answer(*task, std::move(what));
  if (!is_known)
    push({.step = LibraryStep::land, .parcel = parcel, .inbox = inbox, .stop = {}}, Stopped{});
}

void LibraryTasks::tell_waiting() {
  std::vector<TaskPtr> waiting;
  {
    const Lock lock{mutex_};
    if (is_closed_) return;
    waiting.assign(waiting_.begin(), waiting_.end());
    pushing_ += static_cast<int>(waiting.size());
  }
  for (const TaskPtr& task : waiting)
    push(*task, Waiting{.detail = "other imports come first", .code = "waiting_for_library"});
}

void LibraryTasks::close() {
  std::map<const LibraryTask*, Known> known;  // Ends after the lock.
  {
    const Lock lock{mutex_};
    is_closed_ = true;
    for (auto& [key, each] : known_) each.task->stop.request_stop();
    known.swap(known_);
    waiting_.clear();
  }
  came_.notify_all();
  const Lock lock{mutex_};
  pushed_.wait(mutex_, [this]() REQUIRES(mutex_) { return pushing_ == 0; });
}

}  // namespace haul::library
