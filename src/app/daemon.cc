#include "app/daemon.h"

#include <map>
#include <utility>

#include "app/config/bucket.h"
#include "app/config/category.h"
#include "app/config/image.h"
#include "app/config/importer.h"
#include "app/config/qbittorrent.h"
#include "app/config/relay.h"
#include "app/config/transfer.h"
#include "app/web_files.h"
#include "app/wiring/bucket.h"
#include "app/wiring/chat.h"
#include "app/wiring/image.h"
#include "app/wiring/relay.h"
#include "base/ensure.h"
#include "io/file/file_presence.h"

namespace haul::app {
namespace {

constexpr Millis kTick{50};
constexpr Millis kShowEvery{250};
constexpr Millis kStopWithin{8'000};  // A service manager allows ten seconds.

}  // namespace

Result<DaemonSettings> daemon_settings(const Config& config, const std::filesystem::path& data) {
  const auto server = server_config(config);
  if (!server) return std::unexpected{server.error()};
  const auto transfer = transfer_settings(config, data);
  if (!transfer) return std::unexpected{transfer.error()};
  const auto client = client_settings(config);
  if (!client) return std::unexpected{client.error()};
  const auto images = image_engine_settings(config, data);
  if (!images) return std::unexpected{images.error()};
  flow::HandlerSettings handlers = handler_settings(config);
  handlers.image.params = image_params(*images);
  return DaemonSettings{.server = *server,
                        .outside = {.transfer = *transfer,
                                    .client = *client,
                                    .library = media_library_settings(config, data),
                                    .images = *images,
                                    .download_roots = download_roots(config),
                                    .chat = telegram_settings(chat_settings(config)),
                                    .disk = disk_settings(config),
                                    .secret_key = data / "secret.key",
                                    .bucket = bucket_settings(config, data)},
                        .worker = worker_settings(config),
                        .handlers = std::move(handlers),
                        .book_check = book_check_settings(config),
                        .bot = bot_service_settings(config, data),
                        .categories = categories(config)};
}

Daemon::Daemon(const std::filesystem::path& data, DaemonSettings settings, const Log& log,
               const Clock& clock)
    : clock_{clock},
      log_{log},
      settings_{std::move(settings)},
      store_{open_store(store_url(data), store_options(), clock.now())},
      live_{*store_, clock, [this] { wake_streams(); }},
      worker_{*store_, clock, outside_settings(), settings_.worker, "serve", settings_.handlers},
      api_{api_parts()},
      book_check_{*store_, clock, io::presence_of, settings_.book_check,
                  [this] { return book_duty_.may_go_on(); }},
      book_duty_{"book_check", *store_, worker_->duties(), [this] { return book_check_.step(); }},
      trash_keeper_{*store_, flow::find_trash(worker_->all_work()),
                    [this] { return trash_duty_.may_go_on(); },
                    [this](const TrashEmptied& emptied) { see(emptied); }},
      trash_duty_{"trash", *store_, worker_->duties(), [this] { return trash_keeper_.step(); }},
      staged_sweep_{*store_, std::filesystem::absolute(data) / "images",
                    [this] { return staged_duty_.may_go_on(); }},
      staged_duty_{"staged", *store_, worker_->duties(), [this] { return staged_sweep_.step(); }},
      file_purge_{*store_, clock, settings_.outside.transfer.destinations,
                  [this] { return purge_duty_.may_go_on(); },
                  [this](const Purge& purge) { see(purge); }},
      purge_duty_{"delete_files", *store_, worker_->duties(),
                  [this] { return file_purge_.step(); }},
      bot_{make_bot()} {
  troubles_.see_sandbox();
  worker_->listen([this](const flow::ItemEnded& item) { see(item); });
  worker_->take_over();  // S2-27: the previous worker was killed.
}

std::uint16_t Daemon::listen() {
  ensure(!server_, "a daemon listens once");
  server_ = std::make_unique<ApiServer>(api_, settings_.server, lent_server_);
  book_duty_.begin();
  trash_duty_.begin();
  staged_duty_.begin();
  purge_duty_.begin();
  if (bot_) bot_->begin();
  return server_->port();
}

void Daemon::run(Signals& signals, const Notify& notify) {
  Steady shown = clock_.steady();
  Steady heard = shown;
  while (signals.count() == 0) {
    worker_->tick();
    troubles_.see_outage(worker_->outage());
    const Steady now = clock_.steady();
    if (now - shown >= kShowEvery) {
      shown = now;
      show_progress();
    }
    if (notify.watchdog_every() > Millis{0} && now - heard >= notify.watchdog_every()) {
      heard = now;
      notify.say("WATCHDOG=1");
    }
    worker_->wait(kTick);
  }
}

void Daemon::stop() {
  book_duty_.end();
  trash_duty_.end();
  staged_duty_.end();
  purge_duty_.end();
  if (bot_) bot_->end();
  server_.reset();
  const Steady began = clock_.steady();
  while (!worker_->wind_down() && clock_.steady() - began < kStopWithin) worker_->wait(kTick);
  worker_->stop();
}

StoreOptions Daemon::store_options() {
  StoreOptions options;
  options.clock = &clock_;
  options.on_commit = [this](const Committed& committed) {
    meter_.see(committed);
    lent_live_.use([](api::Live& live) { live.ring(); });
  };
  return options;
}

OutsideSettings Daemon::outside_settings() {
  OutsideSettings outside = settings_.outside;
  if (outside.client)
    outside.client->on_trouble = [this](const Fault* fault) { troubles_.see_client(fault); };
  if (outside.images)
    outside.images->on_trouble = [this, name = std::string{name_of(outside.images->provider)}](
                                     const Fault* fault) { troubles_.see_server(name, fault); };
  if (auto* folder =
          outside.bucket ? std::get_if<bucket::FolderBucketSettings>(&*outside.bucket) : nullptr)
    folder->on_trouble = [this](const Fault* fault) { troubles_.see_server("bucket", fault); };
  if (auto* s3 = outside.bucket ? std::get_if<bucket::S3Settings>(&*outside.bucket) : nullptr)
    s3->on_trouble = [this](const Fault* fault) { troubles_.see_server("bucket", fault); };
  if (outside.library)
    set_listener(outside.library->server,
                 [this, name = std::string{name_of(outside.library->server)}](const Fault* fault) {
                   troubles_.see_server(name, fault);
                 });
  if (outside.chat)
    outside.chat->on_trouble = [this](const Fault* fault) {
      troubles_.see_server("telegram", fault);
    };
  if (outside.disk) {
    outside.disk->on_trouble = [this](const Fault* fault) {
      troubles_.see_server(kDiskTokens, fault);
    };
    outside.disk->on_spool = [this](std::int64_t bytes) { meter_.see_spool(bytes); };
  }
  return outside;
}

api::ApiParts Daemon::api_parts() {
  const auto& bucket = settings_.outside.bucket;
  return {.store = *store_,
          .clock = clock_,
          .settings = settings_.worker,
          .live = live_,
          .progress = progress_,
          .meter = meter_,
          .spare = &worker_->spare(),
          .wake = [this] { worker_->wake(); },
          .files = web_files(),
          .allowed_hosts = settings_.server.allowed_hosts,
          .folder = settings_.outside.transfer.destinations.root.string(),
          .work = worker_->all_work(),
          .version = HAUL_VERSION,
          .speed = settings_.outside.transfer.speed,
          .categories = settings_.categories,
          .open_kept = bucket ? bucket_reader(clock_, *bucket) : api::OpenKept{},
          .image_origin = bucket ? bucket_origin(*bucket) : "",
          .say =
              [this](const api::Notice& notice) {
                log_.say_fields(notice.level, notice.event, notice.fields);
              }};
}

std::unique_ptr<BotService> Daemon::make_bot() {
  if (!settings_.bot) return nullptr;
  return make_bot_service({.store = *store_,
                           .clock = clock_,
                           .log = log_,
                           .duties = worker_->duties(),
                           .work = worker_->all_work(),
                           .bytes = [this](JobId job) -> std::optional<bot::JobBytes> {
                             const auto running = progress_.find(job);
                             if (!running) return std::nullopt;
                             return bot::JobBytes{running->have, running->size};
                           },
                           .wake = [this] { worker_->wake(); }},
                          *settings_.bot);
}

void Daemon::wake_streams() {
  lent_server_.use([](io::HttpServer& server) { server.wake_streams(); });
}

void Daemon::show_progress() {
  std::map<JobId, api::JobProgress> all = progress_look_.look(*store_, *worker_, clock_.steady());
  live_.show(all);
  progress_.put_up(std::move(all));
}

void Daemon::see(const flow::ItemEnded& item) {
  if (item.on == On::landed) meter_.see_arrived(item.size);
  if (item.on == On::fail) meter_.see_fault(item.reason);
}

void Daemon::see(const TrashEmptied& emptied) const {
  if (emptied.files > 0)
    log_.say(Level::info, "trash_emptied",
             {{"files", std::to_string(emptied.files)}, {"bytes", std::to_string(emptied.bytes)}});
  for (const std::string& why : emptied.kept)
    log_.say(Level::warning, "trash_kept", {{"detail", why}});
}

void Daemon::see(const Purge& purge) const {
  const std::string job = std::to_string(purge.job.value);
  if (!purge.ended_at) {
    if (!purge.detail.empty())
      log_.say(Level::warning, "files_not_removed_yet", {{"job", job}, {"detail", purge.detail}});
    return;
  }
  log_.say(Level::info, "files_removed",
           {{"job", job},
            {"files", std::to_string(purge.removed)},
            {"bytes", std::to_string(purge.bytes)},
            {"gone", std::to_string(purge.gone)},
            {"kept", std::to_string(purge.kept)}});
}

}  // namespace haul::app
