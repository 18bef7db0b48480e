#pragma once
// Events as they happen, for everybody who listens: each sees every move once, in order, and
// takes it at its own pace. What a listener has not taken is not kept for it: one that is a
// thousand events behind is told to look anew.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/board.h"
#include "api/who.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/web.h"
#include "store/store.h"

namespace haul {

struct ListenAsk {
  std::optional<std::string> after;  // Last-Event-ID, as it came.
  JobId job;                         // Zero: all.
  UserId owner;                      // Zero: everybody's.
  std::optional<Credential> by{};    // The stream ends when this no longer allows it.
};

class Live {
 public:
  // `wake` tells the server that streams have something to say.
  Live(Store& store, const Clock& clock, std::function<void()> wake);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // From any thread: something was written.
  void ring();
  // From any thread: a key, session or user changed. The credentials of all streams are looked at
  // now, and otherwise about once a second; a stream whose credential no longer allows it ends.
  void check_access();
  // From any thread: how far transfers are.
  void show(const std::map<JobId, JobProgress>& all);

  std::shared_ptr<WebStream> listen(const ListenAsk& ask);
  std::size_t listeners() const;

 private:
  class Listener;
  friend class Listener;
  struct Entry {
    EventId id;
    JobId job;
    UserId owner;
    std::string text;
  };
  struct ShownText {
    std::uint64_t version = 0;  // When it last changed.
    std::string text;
  };
  struct Shown {
    UserId owner;
    ShownText all;
    std::map<std::int64_t, ShownText> items;  // ITEM_PROGRESS, by number.
  };

  void change(ShownText& shown, std::string text) REQUIRES(mutex_);
  void run();
  // True: there is something to tell.
  bool read_new();
  bool fill_backlogs();
  // True: a stream ended.
  bool end_refused();
  UserId owner_of(JobId job);

  Store& store_;
  const Clock& clock_;
  const std::function<void()> wake_;
  std::map<JobId, UserId> owners_;  // Of the thread's own.
  mutable Mutex mutex_;
  Condition rung_;
  bool ringing_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool access_changed_ GUARDED_BY(mutex_) = false;
  std::optional<Steady> access_checked_;         // Of the thread's own.
  std::deque<Entry> recent_ GUARDED_BY(mutex_);  // Everything after this id:
  EventId recent_after_ GUARDED_BY(mutex_);
  EventId newest_ GUARDED_BY(mutex_);
  std::map<JobId, Shown> shown_ GUARDED_BY(mutex_);
  std::uint64_t version_ GUARDED_BY(mutex_) = 0;
  std::set<Listener*> listeners_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace haul
