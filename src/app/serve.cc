#include "app/serve.h"

#include <fmt/core.h>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "app/admin_key.h"
#include "app/config/log.h"
#include "app/daemon.h"
#include "app/listen.h"
#include "app/log.h"
#include "app/notify.h"
#include "app/process.h"
#include "app/signals.h"

namespace haul::app {
namespace {

constexpr int kStoreGone = 70;  // F22: a new process recovers from the log.

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
      signals.wait(flow::kProbeEvery);
    }
  }
  return std::nullopt;
}

// S1-14: warns if jobs are in a state for too long.
void warn_of_stuck(Store& store, std::span<const StuckRule> rules, Time now, const Log& log) {
  const std::size_t stuck = store.reader().stuck(rules, now, kListMax).size();
  if (stuck == 0) return;
  log.say(Level::warning, "stuck",
          {{"jobs", std::to_string(stuck)},
           {"detail", fmt::format("{}{} {} in a state for too long; haul stuck lists them",
                                  stuck == kListMax ? "at least " : "", stuck,
                                  stuck == 1 ? "job is" : "jobs are")}});
}

// Tells people and the log where the daemon is, and what to know about it.
void announce(const std::string& address, const Made& made, const cli::ServeOptions& options,
              cli::Terminal terminal, const Log& log) {
  terminal.out << fmt::format("haul listens at {}\nThe admin key is in {}\n", address,
                              made.key.file.string());
  if (options.show_key) terminal.out << fmt::format("Admin key: {}\n", made.key.text);
  terminal.out << std::flush;
  log.say(Level::info, "serving", {{"address", address}});
  if (made.daemon->store().identity().is_restored())
    log.say(Level::warning, "restored",
            {{"detail",
              "nothing is sent, paid, deleted or added at a client until an admin runs haul resume "
              "--all"}});
}

}  // namespace

int serve(const cli::ServeOptions& options, const Config& config, const Clock& clock,
          cli::Terminal terminal) {
  const auto settings = daemon_settings(config, options.data);
  if (!settings) {
    terminal.err << "haul: " << settings.error().detail << "\n";
    return 2;
  }
  Signals signals;  // Before any thread starts.
  const Notify notify;
  const Log log{clock, log_level(config)};
  allow_many_files();
  keep_buffers();
  share_memory();
  std::filesystem::create_directories(options.data);
  const auto make = [&] {
    auto daemon = std::make_unique<Daemon>(options.data, *settings, log, clock);
    AdminKey key = ensure_admin_key(daemon->store(), options.data, clock.now());
    return Made{std::move(daemon), std::move(key)};
  };
  const auto made = make_daemon(make, signals, notify, log);
  if (!made) return 0;
  Daemon& daemon = *made->daemon;
  daemon.take_over();
  const std::uint16_t port = daemon.listen();
  announce(shown_address(settings->server.listen, port), *made, options, terminal, log);
  warn_of_stuck(daemon.store(), settings->worker.stuck, clock.now(), log);
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

}  // namespace haul::app
