#pragma once
// A worker of relays on a thread of its own, with its own engine and sink, which a test can pause
// between two ticks. Its engine and sink go on meanwhile, as the other side of a connection does.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "engine/yandexdisk/yandexdisk.h"
#include "flow/relay/relay.h"
#include "flow/worker/worker.h"
#include "io/web/http.h"
#include "sink/telegram/chat.h"
#include "support/flow/script.h"
#include "support/io/open_gate.h"
#include "support/server/disk_bench.h"

namespace haul::testing {

class RelayHand {
 public:
  struct Outside {
    yandexdisk::DiskSettings disk;
    telegram::ChatSettings chat;
  };

  RelayHand(Store& store, MemoryKeeper& keeper, const Outside& outside,
            const flow::Settings& settings, const std::string& name)
      : disk_{yandexdisk::make_disk_engine({*disk_loop_, clock_, space_, streams_, keeper},
                                           outside.disk)},
        chat_{telegram::make_telegram_chat(*chat_loop_, clock_, gate_, streams_, outside.chat)},
        worker_{store, {flow::relay_work(*disk_, *chat_)}, clock_, random_, settings, name},
        thread_{[this] { run(); }} {}
  ~RelayHand() {
    {
      const std::lock_guard lock{mutex_};
      is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
    chat_.reset();  // Before the inbox that they report to.
    disk_.reset();
  }
  RelayHand(const RelayHand&) = delete;
  RelayHand& operator=(const RelayHand&) = delete;

  // Returns when the worker is between two ticks.
  void pause() {
    std::unique_lock lock{mutex_};
    is_paused_ = true;
    changed_.wait(lock, [this] { return !is_ticking_; });
  }
  void go_on() {
    {
      const std::lock_guard lock{mutex_};
      is_paused_ = false;
    }
    changed_.notify_all();
  }
  // Only while it is paused; spare() always.
  flow::Worker& worker() { return worker_; }
  // Whether it holds no job. It goes on afterwards.
  bool is_idle() {
    pause();
    const bool is_idle = worker_.held() == 0;
    go_on();
    return is_idle;
  }

 private:
  static constexpr Millis kTick{20};

  void run() {
    for (std::unique_lock lock{mutex_};;) {
      changed_.wait(lock, [this] { return is_over_ || !is_paused_; });
      if (is_over_) return;
      is_ticking_ = true;
      lock.unlock();
      worker_.tick();
      worker_.wait(kTick);
      lock.lock();
      is_ticking_ = false;
      changed_.notify_all();
    }
  }

  const Clock& clock_ = system_clock();
  NoChance random_;
  OpenGate gate_;
  io::DiskSpace space_{io::KeepFree{0}};
  Streams streams_;
  const std::unique_ptr<io::HttpLoop> disk_loop_ = io::make_http_loop(clock_);
  const std::unique_ptr<io::HttpLoop> chat_loop_ = io::make_http_loop(clock_);
  std::unique_ptr<RemoteEngine> disk_;
  std::unique_ptr<Sink> chat_;
  flow::Worker worker_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_paused_ = false;
  bool is_ticking_ = false;
  bool is_over_ = false;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace haul::testing
