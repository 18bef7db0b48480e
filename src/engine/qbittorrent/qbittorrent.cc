#include "engine/qbittorrent/qbittorrent.h"

#include <future>
#include <map>
#include <utility>

#include "base/url.h"
#include "engine/qbittorrent/hand_over.h"
#include "engine/qbittorrent/let_go.h"
#include "engine/qbittorrent/list_files.h"
#include "engine/qbittorrent/watch.h"
#include "engine/qbittorrent/withdraw.h"

namespace haul::qbittorrent {
namespace {

// An order is identified by its worker's inbox and its job.
using Key = std::pair<const Inbox*, JobId>;

class Qbittorrent final : public RemoteEngine {
 public:
  Qbittorrent(io::HttpLoop& loop, const Clock& clock, QbittorrentSettings settings)
      : settings_{std::move(settings)}, loop_{loop}, clock_{clock} {
    parts_ = std::make_unique<OnLoop>(loop_, clock_, settings_);
  }
  // Everything that lives on the loop's thread is destroyed there.
  ~Qbittorrent() override {
    std::promise<void> cleared;
    loop_.post([this, &cleared] {
      hand_overs_.clear();
      parts_.reset();
      withdraws_.clear();  // Last: while there are turns, the end of one begins the next.
      cleared.set_value();
    });
    cleared.get_future().wait();
  }

  void start(Order order, Inbox& inbox) override {
    loop_.post([this, order, &inbox] {
      const Key key{&inbox, order.job};
      if (hand_overs_.contains(key)) return;  // The running one will report.
      const auto hand_over = std::make_shared<HandOver>(parts_->env, order, inbox,
                                                        [this, key] { hand_overs_.erase(key); });
      hand_overs_.emplace(key, hand_over);
      hand_over->begin();
    });
  }

  void look(std::span<const Order> orders, Inbox& inbox) override {
    loop_.post([this, all = std::vector<Order>{orders.begin(), orders.end()}, &inbox]() mutable {
      parts_->watch.look(std::move(all), inbox);
    });
  }

  void stop(const Order& order, Leftovers, Inbox& inbox) override {
    loop_.post([this, order, &inbox] {
      const Key key{&inbox, order.job};
      InfoHash hash;
      if (const auto found = hand_overs_.find(key); found != hand_overs_.end()) {
        found->second->drop();
        hash = found->second->hash();
      }
      if (const auto found = withdraws_.find(key); found != withdraws_.end())
        return found->second->join();
      const auto withdraw = std::make_shared<Withdraw>(parts_->env, order, hash, inbox,
                                                       [this, key] { withdraws_.erase(key); });
      withdraws_.emplace(key, withdraw);
      withdraw->begin();
    });
  }

  void list(const Order& order, Inbox& inbox) override {
    loop_.post(
        [this, order, &inbox] { std::make_shared<ListFiles>(parts_->env, order, inbox)->begin(); });
  }

  void release(const Order& order, Inbox& inbox) override {
    loop_.post(
        [this, order, &inbox] { std::make_shared<LetGo>(parts_->env, order, inbox)->begin(); });
  }

 private:
  // Used only on the loop's thread.
  struct OnLoop {
    OnLoop(io::HttpLoop& loop, const Clock& clock, const QbittorrentSettings& settings)
        : session{loop, clock, settings},
          web{loop},
          turns{loop},
          env{loop, clock, settings, session, web, turns},
          watch{env} {}
    WebApiSession session;
    io::HttpFetcher web;
    Turns turns;
    Env env;
    TorrentWatch watch;
  };

  const QbittorrentSettings settings_;
  io::HttpLoop& loop_;
  const Clock& clock_;
  std::unique_ptr<OnLoop> parts_;
  std::map<Key, std::shared_ptr<HandOver>> hand_overs_;
  std::map<Key, std::shared_ptr<Withdraw>> withdraws_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_qbittorrent_engine(io::HttpLoop& loop, const Clock& clock,
                                                      QbittorrentSettings settings) {
  return std::make_unique<Qbittorrent>(loop, clock, std::move(settings));
}

Result<std::string> client_address(const std::string& text) {
  const auto url = parse_url(text);
  if (!url)
    return std::unexpected{
        Fault{FaultKind::rejected, "bad_config", "engine.qbittorrent.url: " + url.error().detail}};
  std::string address = url->text;
  while (address.ends_with('/')) address.pop_back();
  return address;
}

}  // namespace haul::qbittorrent
