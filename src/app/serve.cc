#include "app/serve.h"

#include <fmt/core.h>

#include <memory>
#include <ostream>
#include <utility>

#include "api/add/add_desk.h"
#include "api/api.h"
#include "app/absent.h"
#include "app/admin_key.h"
#include "app/batch_engine.h"
#include "app/library_watch.h"
#include "app/listen.h"
#include "app/log.h"
#include "app/notify.h"
#include "app/pool.h"
#include "app/process.h"
#include "app/progress.h"
#include "app/readiness.h"
#include "app/signals.h"
#include "app/torrent_client.h"
#include "app/web_files.h"
#include "base/environment.h"
#include "base/lent.h"
#include "base/random.h"
#include "engine/forward.h"
#include "engine/qbittorrent/qbittorrent.h"
#include "flow/worker.h"
#include "io/web/http_server.h"

namespace haul {
namespace {

constexpr std::size_t kThreads = 64;  // That many requests can wait for the disk at once.
constexpr std::size_t kRequestsMax = 4'096;
constexpr std::size_t kHashThreads = 2;  // Hashing a password takes 19 MiB and a core.
constexpr std::size_t kHashesWaitingMax = 64;
constexpr Millis kTick{50};
constexpr Millis kShowEvery{250};
constexpr Millis kLookEvery{20};
constexpr Millis kGather{24};
constexpr int kStoreGone = 70;        // F22: a new process recovers from the log.
constexpr Millis kStopWithin{8'000};  // A service manager allows ten seconds.

Durability durability_named(std::string_view name) {
  if (name == "each") return Durability::each;
  return name == "off" ? Durability::off : Durability::batch;
}

// Promise 20: jobs of the daemon reach private addresses only if the configuration allows them.
Result<BatchSettings> batch_settings(const Config& config) {
  const auto reach = transfer_reach(config);
  if (!reach) return std::unexpected{reach.error()};
  return BatchSettings{
      .reach = *reach,
      .durability = durability_named(config.text("transfer.durability")),
      .apart = config.duration("transfer.delay"),
      .speed_limit = config.size("transfer.speed_limit").value_or(0),
      .max_size = config.size("transfer.max_size").value_or(BatchSettings{}.max_size),
      .keep_free = {config.size("transfer.keep_free")},
      .confine = config.text("engine.sandbox") == "require" ? Confine::require : Confine::prefer,
      .yt_dlp = config.text("engine.yt_dlp.program"),
      .gallery_dl = config.text("engine.gallery_dl.program"),
  };
}

// What serve() reads before it makes any part.
struct DaemonParts {
  BatchSettings batch;
  std::vector<Network> trusted_proxies;
  std::optional<QbittorrentSettings> client;
  const Log& log;
};

// The parts, in the order they are made; they go the other way round, whether the daemon was
// stopped in good order or not. The daemon owns them all. Two are used by threads of parts that are
// made earlier and so outlive them: the store's writer rings at Live, and Live's thread wakes the
// server. Both are lent: a loan is declared after its thing, ends before it and waits for its user.
class Daemon {
 public:
  Daemon(const ServeOptions& options, const Config& config, DaemonParts parts, const Clock& clock)
      : clock_{clock},
        log_{parts.log},
        folder_{config.text("transfer.folder").empty()
                    ? std::filesystem::absolute(options.data / "downloads").string()
                    : config.text("transfer.folder")},
        store_{open_sqlite(options.data, sqlite_options(), clock.now())},
        random_{static_cast<std::uint64_t>(to_unix_ms(clock.now()))},
        live_{*store_, clock, [this] { wake_streams(); }},
        client_loop_{parts.client ? make_http_loop(clock) : nullptr},
        worker_{*store_, outside(), clock, random_, settings(config), "serve"},
        engine_{make_batch_engine(worker_.gate(), clock,
                                  with_destinations(std::move(parts.batch), options.data))},
        client_{parts.client ? make_client(*std::move(parts.client), parts.log) : nullptr},
        api_{api_parts(config)},
        library_{*store_, clock, library_settings(config)},
        trusted_proxies_{std::move(parts.trusted_proxies)} {
    report_sandbox(parts.log);
    worker_.listen([this](const ItemEnded& item) { see(item); });
    worker_.take_over();  // S2-27: the previous worker was killed.
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  Store& store() { return *store_; }
  std::uint16_t listen(const Listen& at) {
    pool_ = std::make_unique<Pool>(kThreads, kRequestsMax);
    hash_pool_ = std::make_unique<Pool>(kHashThreads, kHashesWaitingMax);
    add_desk_ = std::make_unique<AddDesk>(api_, kRequestsMax);
    ServerSettings settings{.address = at.address, .port = at.port};
    settings.body_max = body_max;
    settings.trusted_proxies = trusted_proxies_;
    settings.admit = [this](WebRequest head, WebAnswer answer) {
      post(*pool_, std::move(head), std::move(answer),
           [this](const WebRequest& each) { return api_.admit_head(each); });
    };
    server_ = make_http_server(
        settings,
        [this](WebRequest request, WebAnswer answer) {
          take(std::move(request), std::move(answer));
        },
        Api::refuse);
    server_loan_ = lent_server_.lend(*server_);
    library_.begin();
    return server_->port();
  }

  // S2-27: takes back the jobs of a killed daemon before the API answers.
  void take_over() { worker_.tick(); }

  // Works until a signal comes.
  void run(Signals& signals, const Notify& notify) {
    Steady shown = clock_.steady();
    Steady heard = shown;
    while (signals.count() == 0) {
      worker_.tick();
      tell_outage();
      const Steady now = clock_.steady();
      if (now - shown >= kShowEvery) {
        shown = now;
        show_progress();
      }
      if (notify.watchdog_every() > Millis{0} && now - heard >= notify.watchdog_every()) {
        heard = now;
        notify.say("WATCHDOG=1");
      }
      worker_.wait(kTick);
    }
  }

  // Orderly stop: the API stops answering, transfers keep their bytes, leases are released.
  void stop() {
    library_.end();
    server_loan_.end();
    server_.reset();
    pool_.reset();
    hash_pool_.reset();
    add_desk_.reset();
    const Steady began = clock_.steady();
    while (!worker_.wind_down() && clock_.steady() - began < kStopWithin) worker_.wait(kTick);
    worker_.stop();
  }

 private:
  SqliteOptions sqlite_options() {
    SqliteOptions options;
    options.clock = &clock_;
    options.on_commit = [this](const Committed& committed) {
      meter_.see(committed);
      lent_live_.use([](Live& live) { live.ring(); });
    };
    return options;
  }
  static Settings settings(const Config& config) {
    return {.poll = config.duration("engine.qbittorrent.poll"),
            .missing_grace = config.duration("engine.qbittorrent.missing_grace"),
            .look_every = kLookEvery,
            .gather = kGather,
            .host = {.at_once = static_cast<std::size_t>(config.number("transfer.per_host")),
                     .apart = config.duration("transfer.delay")}};
  }
  Outside outside() {
    Engine& client = client_loop_ ? static_cast<Engine&>(client_forward_) : absent_;
    return {client, forward_, absent_, absent_, absent_, absent_, absent_};
  }
  // Programs that run without a sandbox are reported as trouble of the daemon.
  void report_sandbox(const Log& log) {
    const auto gap = sandbox_gap(landlock_version());
    if (!gap) return;
    log.say(Level::warning, gap->code, {{"detail", gap->detail}});
    if (gap->code == "sandbox_missing") board_.put_trouble("sandbox", gap->code, gap->detail);
  }
  // Trouble of the client is reported once when it begins and once when it ends.
  std::unique_ptr<Engine> make_client(QbittorrentSettings settings, const Log& log) {
    settings.on_trouble = [this, &log](const Fault* fault) {
      if (fault) {
        log.say(Level::warning, "client_trouble",
                {{"client", "qbittorrent"}, {"reason", fault->code}, {"detail", fault->detail}});
        board_.put_trouble("qbittorrent", fault->code, fault->detail);
      } else {
        log.say(Level::info, "client_well", {{"client", "qbittorrent"}});
        board_.put_trouble("qbittorrent", {}, {});
      }
    };
    return make_qbittorrent_engine(*client_loop_, clock_, std::move(settings));
  }
  BatchSettings with_destinations(BatchSettings batch, const std::filesystem::path& data) const {
    batch.destinations = {.root = folder_, .barred = {std::filesystem::absolute(data)}};
    return batch;
  }
  static LibrarySettings library_settings(const Config& config) {
    return {.check_every = config.duration("library.check_every"),
            .missing_after = config.duration("library.missing_after")};
  }
  static ProgramPaths programs(const Config& config) {
    return {.yt_dlp = config.text("engine.yt_dlp.program"),
            .gallery_dl = config.text("engine.gallery_dl.program"),
            .search_path = environment("PATH")};
  }
  ApiParts api_parts(const Config& config) {
    return {.store = *store_,
            .clock = clock_,
            .settings = settings(config),
            .live = live_,
            .board = board_,
            .meter = meter_,
            .hands = &worker_.hands(),
            .wake = [this] { worker_.wake(); },
            .files = web_files(),
            .allowed_hosts = config.list("server.allowed_hosts"),
            .folder = folder_,
            .not_configured =
                [client = client_ ? Client::configured : Client::absent,
                 programs = programs(config)](const Lifecycle& lifecycle, std::string_view engine) {
                  return missing_setting(lifecycle, engine, client, programs);
                },
            .version = HAUL_VERSION,
            .say =
                [this](const Notice& notice) {
                  log_.say_fields(notice.level, notice.event, notice.fields);
                }};
  }

  // Adds come in large numbers, and are cheap only in groups.
  void take_add(WebRequest request, WebAnswer answer) {
    AddDesk::Asked asked{std::move(request), std::move(answer)};
    if (!add_desk_->put(asked)) asked.answer(Api::refuse(503, "too many requests are waiting"));
  }

  void take(WebRequest request, WebAnswer answer) {
    if (Api::is_add(request)) return take_add(std::move(request), std::move(answer));
    Pool& pool = Api::hashes_password(request) ? *hash_pool_ : *pool_;
    post(pool, std::move(request), std::move(answer),
         [this](const WebRequest& each) { return api_.answer(each); });
  }

  static void post(Pool& pool, WebRequest request, WebAnswer answer,
                   std::function<WebReply(const WebRequest&)> by) {
    const auto both =
        std::make_shared<std::pair<WebRequest, WebAnswer>>(std::move(request), std::move(answer));
    const bool taken = pool.post([both, by = std::move(by)] { both->second(by(both->first)); });
    if (!taken) both->second(Api::refuse(503, "too many requests are waiting"));
  }

  void wake_streams() {
    lent_server_.use([](HttpServer& server) { server.wake_streams(); });
  }

  void show_progress() {
    std::map<JobId, JobProgress> all = progress_.look(worker_, clock_.steady());
    live_.show(all);
    board_.put_up(std::move(all));
  }

  // Reports an outage once when it begins and once when it ends.
  void tell_outage() {
    const auto& outage = worker_.outage();
    if (outage.has_value() == outage_told_) return;
    outage_told_ = outage.has_value();
    if (outage) {
      log_.say(Level::error, "store_outage", {{"reason", outage->code}, {"detail", outage->cause}});
      board_.put_trouble(kStorePart, outage->code, outage->detail);
    } else {
      log_.say(Level::info, "store_well");
      board_.put_trouble(kStorePart, {}, {});
    }
  }

  void see(const ItemEnded& item) {
    if (item.on == On::landed) meter_.see_arrived(item.size);
    if (item.on == On::fail) meter_.see_fault(item.reason);
  }

  const Clock& clock_;
  const Log& log_;
  const std::string folder_;
  Meter meter_;
  Board board_;
  Lent<Live> lent_live_;
  Lent<HttpServer> lent_server_;
  std::unique_ptr<Store> store_;
  SeededRandom random_;
  Live live_;
  const Lent<Live>::Loan live_loan_ = lent_live_.lend(live_);
  Absent absent_;
  // A loop of its own: the client engine looks for files, and disks may be slow.
  std::unique_ptr<HttpLoop> client_loop_;
  Forward client_forward_{client_};
  Forward forward_{engine_};
  Worker worker_;
  std::unique_ptr<Engine> engine_;
  // Like engine_, it is destroyed before the worker that it reports to.
  std::unique_ptr<Engine> client_;
  bool outage_told_ = false;
  ProgressLook progress_;
  Api api_;
  LibraryWatch library_;
  const std::vector<Network> trusted_proxies_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Pool> hash_pool_;
  std::unique_ptr<AddDesk> add_desk_;
  std::unique_ptr<HttpServer> server_;
  Lent<HttpServer>::Loan server_loan_;
};

// The daemon and its admin key. While the disk is full make_daemon waits: a restarted process would
// do no better. Nullopt if a signal stops it.
struct Made {
  std::unique_ptr<Daemon> daemon;
  AdminKey key;
};
std::optional<Made> make_daemon(const std::function<Made()>& make, Signals& signals,
                                const Notify& notify, const Log& log) {
  bool told = false;
  while (signals.count() == 0) {
    try {
      return make();
    } catch (const StoreFault& fault) {
      if (!is_passing(fault.kind())) throw;
      if (!std::exchange(told, true))
        log.say(Level::error, "store_outage", {{"detail", fault.what()}});
      notify.say("EXTEND_TIMEOUT_USEC=60000000");
      signals.wait(kProbeEvery);
    }
  }
  return std::nullopt;
}

}  // namespace

int serve(const ServeOptions& options, const Config& config, const Clock& clock,
          Terminal terminal) {
  const auto at = listen_at(config.text("server.listen"));
  const auto batch = batch_settings(config);
  const auto client = client_settings(config);
  const auto proxies = networks_in("server.trusted_proxies", config.list("server.trusted_proxies"));
  for (const Fault* fault :
       {at ? nullptr : &at.error(), batch ? nullptr : &batch.error(),
        client ? nullptr : &client.error(), proxies ? nullptr : &proxies.error()}) {
    if (!fault) continue;
    terminal.err << "haul: " << fault->detail << "\n";
    return 2;
  }
  Signals signals;  // Before any thread starts.
  const Notify notify;
  const Log log{clock, level_named(config.text("log.level"))};
  allow_many_files();
  keep_buffers();
  share_memory();
  std::filesystem::create_directories(options.data);
  const auto make = [&] {
    auto daemon = std::make_unique<Daemon>(options, config,
                                           DaemonParts{*batch, *proxies, *client, log}, clock);
    AdminKey key = ensure_admin_key(daemon->store(), options.data, clock.now());
    return Made{std::move(daemon), std::move(key)};
  };
  const auto made = make_daemon(make, signals, notify, log);
  if (!made) return 0;
  Daemon& daemon = *made->daemon;
  const AdminKey& key = made->key;
  daemon.take_over();
  const std::uint16_t port = daemon.listen(*at);
  terminal.out << fmt::format("haul is at {}\nlog in with the key in {}\n",
                              shown_address(*at, port), key.file.string());
  if (options.show_key) terminal.out << fmt::format("which is {}\n", key.text);
  terminal.out << std::flush;
  log.say(Level::info, "serving", {{"address", shown_address(*at, port)}});
  if (daemon.store().identity().is_restored())
    log.say(Level::warning, "restored",
            {{"detail",
              "nothing is sent, paid, deleted or added at a client until an admin runs haul resume "
              "--all"}});
  notify.say("READY=1");
  try {
    daemon.run(signals, notify);
  } catch (const StoreFault& fault) {
    if (fault.kind() != StoreFault::Kind::gone) throw;
    log.say(Level::error, "store_gone", {{"detail", fault.what()}});
    return kStoreGone;
  }
  notify.say("STOPPING=1");
  log.say(Level::info, "stopping");
  daemon.stop();
  log.say(Level::info, "stopped");
  return 0;
}

}  // namespace haul
