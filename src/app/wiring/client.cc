#include "app/wiring/client.h"

#include <utility>

#include "app/config/importer.h"
#include "app/config/qbittorrent.h"
#include "engine/choose/clients.h"
#include "engine/linked/linked.h"
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
  Lack not_ready(std::string_view engine) const override { return engine_->not_ready(engine); }

 private:
  std::unique_ptr<io::HttpLoop> loop_;
  std::unique_ptr<RemoteEngine> engine_;
};

std::unique_ptr<RemoteEngine> make_torrent_client(
    const Clock& clock, const std::optional<qbittorrent::QbittorrentSettings>& settings) {
  if (!settings) return std::make_unique<NotConfigured>(kConfigureClient);
  return std::make_unique<TorrentClient>(clock, *settings);
}

std::unique_ptr<RemoteEngine> make_web_client(io::PollLoop& loop, const ClientParts& parts) {
  if (!parts.linked) return std::make_unique<NotConfigured>(kConfigureDownloadRoot);
  return linked::make_linked_engine(loop, *parts.linked, {.roots = parts.roots});
}

// A film's request names its client. A book has the torrent client.
class Clients final : public RemoteEngine {
 public:
  Clients(const Clock& clock, const ClientParts& parts)
      : torrents_{make_torrent_client(clock, parts.torrents)},
        loop_{io::make_poll_loop(clock)},
        web_{make_web_client(*loop_, parts)},
        all_{choose::make_choosing_client({{"qbittorrent", *torrents_}, {"http", *web_}})} {}

  void start(Order order, Inbox& inbox) override { all_->start(std::move(order), inbox); }
  void look(std::span<const Order> orders, Inbox& inbox) override { all_->look(orders, inbox); }
  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    all_->stop(order, leftovers, inbox);
  }
  void list(const Order& order, Inbox& inbox) override { all_->list(order, inbox); }
  void release(const Order& order, Inbox& inbox) override { all_->release(order, inbox); }
  Lack not_ready(std::string_view engine) const override { return all_->not_ready(engine); }

 private:
  std::unique_ptr<RemoteEngine> torrents_;
  std::unique_ptr<io::PollLoop> loop_;
  std::unique_ptr<RemoteEngine> web_;
  std::unique_ptr<RemoteEngine> all_;  // Destroyed first: it calls the others.
};

}  // namespace

std::unique_ptr<RemoteEngine> make_client(const Clock& clock, const ClientParts& parts) {
  return std::make_unique<Clients>(clock, parts);
}

}  // namespace haul::app
