// The poll loop on epoll.

#include "io/process/poll.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "base/ensure.h"
#include "base/mutex.h"
#include "io/file/folder.h"

namespace haul::io {
namespace {

constexpr int kTurnMs = 500;  // The longest sleep: timers and posts wake it earlier.
constexpr std::size_t kEventsAtOnce = 64;

std::uint32_t mask_of(Interest interest) {
  std::uint32_t mask = 0;
  if (interest.reads) mask |= EPOLLIN;
  if (interest.writes) mask |= EPOLLOUT;
  return mask;
}

// Posted work, and the eventfd that wakes the loop for it.
class Box final : public Poster {
 public:
  void post(std::function<void()> work) override {
    {
      const Lock lock{mutex_};
      posted_.push_back(std::move(work));
    }
    ring();
  }
  void ring() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t wrote = ::write(bell_.get(), &one, sizeof one);
  }
  std::vector<std::function<void()>> take() {
    const Lock lock{mutex_};
    return std::exchange(posted_, {});
  }
  int bell() const { return bell_.get(); }

 private:
  Mutex mutex_;
  std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
  const Descriptor bell_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

class Epoll final : public PollLoop {
 public:
  explicit Epoll(const Clock& clock) : clock_{clock}, epoll_{::epoll_create1(EPOLL_CLOEXEC)} {
    if (!epoll_ || box_->bell() < 0) throw std::runtime_error{"cannot watch descriptors"};
    epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, box_->bell(), &event);
    thread_ = std::thread{[this] { run(); }};
  }
  ~Epoll() override {
    ensure(std::this_thread::get_id() != thread_.get_id(), "a loop does not end itself");
    stopping_ = true;
    box_->ring();
    thread_.join();
  }

  void post(std::function<void()> work) override { box_->post(std::move(work)); }
  std::shared_ptr<Poster> poster() const override { return box_; }

  void after(Millis wait, std::function<void()> work) override {
    ensure_own_thread();
    timers_.emplace(clock_.steady() + wait, std::move(work));
  }

  // Events carry a unique number: a closed descriptor may be reused before its last event is read.
  void watch(int fd, Interest interest, std::function<void(Ready)> tell) override {
    ensure_own_thread();
    ensure(fd >= 0 && tell, "a descriptor that is watched is open");
    ensure(!watched_.contains(fd), "a descriptor is forgotten before its number is used again");
    const std::uint64_t number = ++last_;
    watched_[fd] = {.number = number,
                    .tell = std::make_shared<std::function<void(Ready)>>(std::move(tell))};
    by_number_[number] = fd;
    want(fd, interest);
  }

  // epoll reports an end or an error even where nothing is asked for. A descriptor of no interest
  // is taken out, or the loop would spin until its owner reads it.
  void want(int fd, Interest interest) override {
    ensure_own_thread();
    const auto found = watched_.find(fd);
    if (found == watched_.end()) return;
    Watched& watched = found->second;
    epoll_event event{.events = mask_of(interest), .data = {.u64 = watched.number}};
    const bool wanted = event.events != 0;
    if (wanted)
      ::epoll_ctl(epoll_.get(), watched.inside ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    else if (watched.inside)
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
    watched.inside = wanted;
  }

  void forget(int fd) override {
    ensure_own_thread();
    const auto found = watched_.find(fd);
    if (found == watched_.end()) return;
    if (found->second.inside) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
    by_number_.erase(found->second.number);
    watched_.erase(found);
  }

 private:
  struct Watched {
    std::uint64_t number = 0;
    std::shared_ptr<std::function<void(Ready)>> tell;  // It may be forgotten while it is told.
    bool inside = false;                               // Epoll reports its events.
  };

  void ensure_own_thread() const {
    ensure(std::this_thread::get_id() == thread_.get_id(), "calls are the loop thread's own");
  }

  void run() {
    while (!stopping_) {
      run_posted();
      run_timers();
      std::array<epoll_event, kEventsAtOnce> events{};
      const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, sleep_ms());
      for (int i = 0; i < count; ++i) tell(events[static_cast<std::size_t>(i)]);
    }
  }

  void tell(const epoll_event& event) {
    if (event.data.u64 == 0) {
      std::uint64_t rung = 0;
      [[maybe_unused]] const ssize_t got = ::read(box_->bell(), &rung, sizeof rung);
      return;
    }
    const auto number = by_number_.find(event.data.u64);
    if (number == by_number_.end()) return;
    const auto to = watched_.at(number->second).tell;
    const bool ended = (event.events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0;
    (*to)({.to_read = ended || (event.events & EPOLLIN) != 0,
           .to_write = (event.events & EPOLLOUT) != 0});
  }

  void run_posted() {
    for (const auto& work : box_->take()) work();
  }

  void run_timers() {
    while (!timers_.empty() && timers_.begin()->first <= clock_.steady()) {
      const auto timer = timers_.extract(timers_.begin());
      timer.mapped()();
    }
  }

  int sleep_ms() const {
    if (timers_.empty()) return kTurnMs;
    const auto wait = (timers_.begin()->first - clock_.steady()).count();
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, kTurnMs));
  }

  const Clock& clock_;
  const Descriptor epoll_;
  const std::shared_ptr<Box> box_ = std::make_shared<Box>();
  std::atomic<bool> stopping_ = false;
  // The loop's thread only.
  std::multimap<Steady, std::function<void()>> timers_;
  std::map<int, Watched> watched_;
  std::map<std::uint64_t, int> by_number_;
  std::uint64_t last_ = 0;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<PollLoop> make_poll_loop(const Clock& clock) {
  return std::make_unique<Epoll>(clock);
}

}  // namespace haul::io
