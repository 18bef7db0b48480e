#include "engine/yandexdisk/yandexdisk.h"

#include <future>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/yandexdisk/read.h"

namespace haul::yandexdisk {
namespace {

const Fault kStopped{FaultKind::cancelled, "stopped", "the relay was stopped"};

class YandexDisk final : public RemoteEngine {
 public:
  YandexDisk(const DiskParts& parts, DiskSettings settings)
      : settings_{std::move(settings)},
        loop_{parts.loop},
        on_loop_{std::make_unique<OnLoop>(parts, settings_)} {}
  // Everything that lives on the loop's thread is destroyed there.
  ~YandexDisk() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      on_loop_.reset();
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void start(Order order, Inbox& inbox) override {
    loop_.post([this, order = std::move(order), &inbox] { begin(order, inbox); });
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    loop_.post([this, all = std::vector<Order>{orders.begin(), orders.end()}, &inbox] {
      for (const Order& order : all) {
        const DiskRead* read = find(order);
        tell(order, inbox, read ? What{read->progress()} : What{Missing{}});
      }
    });
  }

  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    loop_.post([this, order, &inbox] {
      if (DiskRead* read = find(order)) {
        read->drop(kStopped);
        on_loop_->reads.erase(order.job);
      } else if (!on_loop_->reads.contains(order.job)) {
        // A read that has ended is forgotten, but perhaps no sink has taken its stream.
        on_loop_->env.streams.withdraw(order.job, order.fence, kStopped);
      }
      tell(order, inbox, Stopped{});
    });
  }

 private:
  // Used only on the loop's thread.
  struct OnLoop {
    OnLoop(const DiskParts& parts, const DiskSettings& settings)
        : env{parts.loop, parts.clock, settings, parts.streams, api},
          api{parts.loop, parts.clock, parts.keeper, settings} {
      if (!settings.spool) return;
      spool.emplace(*settings.spool, parts.space, parts.clock, settings.on_spool);
      env.spool = &*spool;
    }
    ~OnLoop() {
      for (const auto& [job, read] : reads) read->drop(kStopped);
    }
    OnLoop(const OnLoop&) = delete;
    OnLoop& operator=(const OnLoop&) = delete;

    std::optional<io::Spool> spool;  // Reads have its files.
    DiskEnv env;
    DiskApi api;  // Its open questions hold reads, which need env.
    std::map<JobId, std::shared_ptr<DiskRead>> reads;
  };

  void begin(const Order& order, Inbox& inbox) {
    auto& reads = on_loop_->reads;
    if (const auto found = reads.find(order.job); found != reads.end()) {
      const Order& earlier = found->second->order();
      if (std::tie(earlier.fence, earlier.start) >= std::tie(order.fence, order.start)) return;
      found->second->drop({FaultKind::cancelled, "replaced", "the file is read anew"});
      reads.erase(found);
    }
    const auto read =
        std::make_shared<DiskRead>(on_loop_->env, order, inbox, [this, order] { forget(order); });
    reads.emplace(order.job, read);
    read->begin();
  }

  // The read of this lease. Null if there is none, or only that of another lease.
  DiskRead* find(const Order& order) {
    const auto found = on_loop_->reads.find(order.job);
    if (found == on_loop_->reads.end()) return nullptr;
    const Order& its = found->second->order();
    return its.fence == order.fence && its.start == order.start ? found->second.get() : nullptr;
  }
  void forget(const Order& order) {
    if (find(order)) on_loop_->reads.erase(order.job);
  }
  static void tell(const Order& order, Inbox& inbox, What what) {
    inbox.push({order.job, order.item, order.fence, order.start, std::move(what)});
  }

  const DiskSettings settings_;
  io::HttpLoop& loop_;
  std::unique_ptr<OnLoop> on_loop_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_disk_engine(const DiskParts& parts, DiskSettings settings) {
  return std::make_unique<YandexDisk>(parts, std::move(settings));
}

}  // namespace haul::yandexdisk
