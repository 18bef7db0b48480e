#include "app/wiring/client.h"

#include <utility>

#include "app/config/qbittorrent.h"
#include "engine/qbittorrent/qbittorrent.h"
#include "seam/not_configured.h"

namespace haul::app {
namespace {

// The engine looks for files, and disks may be slow, so it shares its loop with no other.
class TorrentClient final : public RemoteEngine {
 public:
  TorrentClient(const Clock& clock, const qbittorrent::QbittorrentSettings& settings)
      : loop_{io::make_http_loop(clock)},
        engine_{qbittorrent::make_qbittorrent_engine(*loop_, clock, settings)} {}

  void start(Order order, Inbox& inbox) override { engine_->start(std::move(order), inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override { engine_->look(orders, inbox); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    engine_->stop(order, leftovers, inbox);
  }
  void list(const Order& order, Inbox& inbox) override { engine_->list(order, inbox); }
  void release(const Order& order, Inbox& inbox) override { engine_->release(order, inbox); }
  Lack not_ready() const override { return engine_->not_ready(); }

 private:
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<RemoteEngine> engine_;
};

}  // namespace

std::unique_ptr<RemoteEngine> make_torrent_client(
    const Clock& clock, const std::optional<qbittorrent::QbittorrentSettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureClient);
  return std::make_unique<TorrentClient>(clock, *settings);
}

}  // namespace haul::app
