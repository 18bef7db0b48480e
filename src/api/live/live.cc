#include "api/live/live.h"

#include <algorithm>
#include <charconv>

#include "api/json/job_json.h"
#include "api/live/event_frames.h"
#include "base/ensure.h"

namespace haul::api {
namespace {

constexpr std::size_t kRecentMax = 1'000;  // F15: how far a listener may fall behind.
constexpr std::size_t kReadAtOnce = 500;
constexpr std::size_t kChunkBytes = 65'536;
constexpr std::size_t kOwnersMax = 10'000;
constexpr Millis kLookEvery{1'000};  // Even without a ring().
constexpr Millis kCheckAccessEvery{500};

// Carries the newest id, so that a client that reconnects does not ask for the same gap again.
std::string resync_text(EventId newest) {
  return "id: " + std::to_string(newest.value) + "\nevent: resync\ndata: {}\n\n";
}

std::optional<EventId> read_id(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end || value < 0) return std::nullopt;
  return EventId{value};
}

}  // namespace

class Live::Listener final : public WebStream {
 public:
  // `newest` comes from the store; the events that Live has read may be slightly older.
  Listener(Live& live, const ListenRequest& request, EventId newest)
      : live_{live}, request_{request}, cursor_{newest} {
    const Lock lock{live_.mutex_};
    live_.listeners_.insert(this);
    if (!request_.after) return;
    const auto after = read_id(*request_.after);
    if (after && *after <= newest) {
      cursor_ = *after;
      catching_up_ = true;
    } else {
      backlog_ = resync_text(newest);
    }
  }
  ~Listener() override {
    const Lock lock{live_.mutex_};
    live_.listeners_.erase(this);
  }

  bool is_over() const override {
    const Lock lock{live_.mutex_};
    return ended_;
  }

  std::optional<std::string> next() override {
    const Lock lock{live_.mutex_};
    if (ended_) return std::nullopt;
    if (!backlog_.empty()) return std::exchange(backlog_, {});
    if (catching_up_ && cursor_ < live_.recent_after_) {
      live_.ringing_ = true;  // The thread reads older events for us.
      live_.rung_.notify_one();
      return std::nullopt;
    }
    catching_up_ = false;
    if (cursor_ < live_.recent_after_) {
      cursor_ = live_.newest_;
      return resync_text(cursor_);
    }
    std::string out = take_events();
    if (out.empty()) out = take_progress();
    return out.empty() ? std::nullopt : std::optional{std::move(out)};
  }

 private:
  friend class Live;
  bool wants(JobId job, UserId owner) const {
    return (!request_.job || request_.job == job) && (!request_.owner || request_.owner == owner);
  }
  std::string take_events() REQUIRES(live_.mutex_) {
    std::string out;
    auto entry = std::ranges::upper_bound(live_.recent_, cursor_, {}, &Entry::id);
    for (; entry != live_.recent_.end() && out.size() < kChunkBytes; ++entry) {
      cursor_ = entry->id;
      if (wants(entry->job, entry->owner)) out += entry->text;
    }
    return out;
  }
  std::string take_progress() REQUIRES(live_.mutex_) {
    std::string out;
    for (const auto& [job, shown] : live_.shown_) {
      if (!wants(job, shown.owner)) continue;
      if (shown.all.version > seen_) out += shown.all.text;
      for (const auto& [n, item] : shown.items)
        if (item.version > seen_) out += item.text;
    }
    seen_ = live_.version_;
    return out;
  }

  Live& live_;
  const ListenRequest request_;
  EventId cursor_;
  bool catching_up_ = false;  // It reconnected and gets everything it missed.
  bool ended_ = false;        // Its credential no longer allows it.
  std::string backlog_;
  std::uint64_t seen_ = 0;  // Version of the progress already sent.
};

Live::Live(Store& store, const Clock& clock, std::function<void()> wake)
    : store_{store},
      clock_{clock},
      wake_{std::move(wake)},
      recent_after_{store.events().newest()},
      newest_{recent_after_},
      thread_{[this] { run(); }} {}

Live::~Live() {
  {
    const Lock lock{mutex_};
    ensure(listeners_.empty(), "every stream ends before what it listens to");
    stopping_ = true;
    rung_.notify_one();
  }
  thread_.join();
}

void Live::ring() {
  const Lock lock{mutex_};
  ringing_ = true;
  rung_.notify_one();
}

void Live::check_access() {
  const Lock lock{mutex_};
  access_changed_ = ringing_ = true;
  rung_.notify_one();
}

std::size_t Live::listeners() const {
  const Lock lock{mutex_};
  return listeners_.size();
}

std::shared_ptr<WebStream> Live::listen(const ListenRequest& request) {
  return std::make_shared<Listener>(*this, request, store_.events().newest());
}

void Live::change(ShownText& shown, std::string text) {
  if (shown.text == text) return;
  shown = {version_, std::move(text)};
}

void Live::show(const std::map<JobId, JobProgress>& all) {
  {
    const Lock lock{mutex_};
    if (listeners_.empty() || all.empty()) {
      shown_.clear();  // A later listener must not get the progress of ended jobs.
      return;
    }
    ++version_;
    std::map<JobId, Shown> shown;
    for (const auto& [job, progress] : all) {
      Shown now = std::move(shown_[job]);
      now.owner = progress.owner;
      change(now.all, "event: progress\ndata: " + to_json(progress) + "\n\n");
      std::map<std::int64_t, ShownText> items;
      for (const ItemProgress& item : progress.items) {
        ShownText text = std::move(now.items[item.n]);
        change(text, "event: item_progress\ndata: " + item_progress_json(job, item) + "\n\n");
        items[item.n] = std::move(text);
      }
      now.items = std::move(items);
      shown[job] = std::move(now);
    }
    shown_ = std::move(shown);
  }
  wake_();
}

void Live::run() {
  for (;;) {
    {
      const Lock lock{mutex_};
      rung_.wait_for(mutex_, kLookEvery,
                     [this]() REQUIRES(mutex_) { return ringing_ || stopping_; });
      if (stopping_) return;
      ringing_ = false;
    }
    try {
      if (end_refused()) wake_();
      const bool is_new = read_new();
      if (fill_backlogs() || is_new) wake_();
    } catch (const StoreFault&) {
      continue;  // Busy or gone: the writer finds out and reports it.
    }
  }
}

// Also ends the stream of a demoted user, which would still show the jobs of others.
bool Live::end_refused() {
  struct ListenerAccess {
    Credential by;
    UserId owner;
    auto operator<=>(const ListenerAccess&) const = default;
  };
  std::set<ListenerAccess> to_check;
  {
    const Lock lock{mutex_};
    const Steady now = clock_.steady();
    const bool is_due = !access_checked_ || now - *access_checked_ >= kCheckAccessEvery;
    if (!std::exchange(access_changed_, false) && !is_due) return false;
    access_checked_ = now;
    for (const Listener* each : listeners_)
      if (each->request_.by && !each->ended_)
        to_check.insert({*each->request_.by, each->request_.owner});
  }
  std::set<ListenerAccess> refused;
  for (const ListenerAccess& each : to_check) {
    const auto who = who_still(store_, each.by, clock_.now());
    if (!who || !who->scopes.has(Scope::read) || who->scope() != each.owner) refused.insert(each);
  }
  if (refused.empty()) return false;
  const Lock lock{mutex_};
  for (Listener* each : listeners_)
    if (each->request_.by && refused.contains({*each->request_.by, each->request_.owner}))
      each->ended_ = true;
  return true;
}

// Reads nothing without listeners: a later listener says where to start.
bool Live::read_new() {
  for (bool is_new = false;; is_new = true) {
    EventId after;
    bool heard = false;
    {
      const Lock lock{mutex_};
      after = newest_;
      heard = !listeners_.empty();
    }
    if (!heard) {
      const EventId newest = store_.events().newest();
      const Lock lock{mutex_};
      if (!listeners_.empty()) continue;  // A listener came meanwhile.
      recent_.clear();
      newest_ = recent_after_ = std::max(newest, newest_);
      return false;
    }
    const std::vector<Event> events = store_.events().after(after, kReadAtOnce);
    std::vector<std::string> frames = event_frames(events);
    ensure(frames.size() == events.size(), "each event has its frame");
    std::vector<Entry> entries;
    entries.reserve(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
      entries.push_back(
          {events[i].id, events[i].job, owner_of(events[i].job), std::move(frames[i])});
    const Lock lock{mutex_};
    for (Entry& entry : entries) {
      newest_ = entry.id;
      recent_.push_back(std::move(entry));
    }
    for (; recent_.size() > kRecentMax; recent_.pop_front()) recent_after_ = recent_.front().id;
    if (events.size() < kReadAtOnce) return is_new || !events.empty();
  }
}

bool Live::fill_backlogs() {
  struct Behind {
    Listener* listener;
    EventId after;
  };
  std::vector<Behind> behind;
  {
    const Lock lock{mutex_};
    for (Listener* each : listeners_)
      if (each->catching_up_ && each->cursor_ < recent_after_ && each->backlog_.empty())
        behind.push_back({each, each->cursor_});
  }
  for (const Behind& each : behind) {
    const std::vector<Event> events = store_.events().after(each.after, kReadAtOnce);
    const std::vector<std::string> frames = event_frames(events);
    ensure(frames.size() == events.size(), "each event has its frame");
    std::vector<UserId> owners;
    owners.reserve(events.size());
    for (const Event& event : events) owners.push_back(owner_of(event.job));
    const Lock lock{mutex_};
    if (!listeners_.contains(each.listener)) continue;  // The listener left meanwhile.
    Listener& listener = *each.listener;
    if (listener.cursor_ != each.after) continue;
    for (std::size_t i = 0; i < events.size(); ++i) {
      listener.cursor_ = events[i].id;
      if (listener.wants(events[i].job, owners[i])) listener.backlog_ += frames[i];
    }
    if (events.empty()) listener.cursor_ = recent_after_;  // Retention pruned them.
  }
  return !behind.empty();
}

UserId Live::owner_of(JobId job) {
  if (const auto known = owners_.find(job); known != owners_.end()) return known->second;
  const auto found = store_.reader().find(job);
  if (owners_.size() >= kOwnersMax) owners_.clear();
  return owners_[job] = found ? found->owner : UserId{};
}

}  // namespace haul::api
