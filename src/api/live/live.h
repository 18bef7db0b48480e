#pragma once
// Live events for streams. Every listener gets each move once, in order, at its own pace. Live
// keeps the last thousand events only: a listener further behind gets a resync.

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

#include "api/live/live_progress.h"
#include "api/who.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/web.h"
#include "store/store.h"

namespace haul::api {

struct ListenRequest {
  std::optional<std::string> after;  // The Last-Event-ID header as sent.
  JobId job;                         // Zero: all jobs.
  UserId owner;                      // Zero: all owners.
  std::optional<Credential> by{};    // When it loses access, the stream ends.
};

class Live {
 public:
  // `wake` tells the server that streams have something to send.
  Live(Store& store, const Clock& clock, std::function<void()> wake);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // From any thread: the store has new events.
  void ring();
  // From any thread: a key, session or user changed. The thread checks the credentials of all
  // streams now, and otherwise about once a second; a stream whose credential no longer allows it
  // ends.
  void check_access();
  // From any thread: the progress of all running transfers.
  void show(const std::map<JobId, JobProgress>& all);

  std::shared_ptr<WebStream> listen(const ListenRequest& request);
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
    std::uint64_t version = 0;  // version_ when it last changed.
    std::string text;
  };
  struct Shown {
    UserId owner;
    ShownText all;
    std::map<std::int64_t, ShownText> items;  // ITEM_PROGRESS by item number.
  };

  void change(ShownText& shown, std::string text) REQUIRES(mutex_);
  void run();
  // True if streams have something to send.
  bool read_new();
  bool fill_backlogs();
  // True if a stream ended.
  bool end_refused();
  UserId owner_of(JobId job);

  Store& store_;
  const Clock& clock_;
  const std::function<void()> wake_;
  std::map<JobId, UserId> owners_;  // Used by thread_ only.
  mutable Mutex mutex_;
  Condition rung_;
  bool ringing_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool access_changed_ GUARDED_BY(mutex_) = false;
  std::optional<Steady> access_checked_;         // Used by thread_ only.
  std::deque<Entry> recent_ GUARDED_BY(mutex_);  // All after recent_after_.
  EventId recent_after_ GUARDED_BY(mutex_);
  EventId newest_ GUARDED_BY(mutex_);
  std::map<JobId, Shown> shown_ GUARDED_BY(mutex_);
  std::uint64_t version_ GUARDED_BY(mutex_) = 0;
  std::set<Listener*> listeners_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace haul::api
