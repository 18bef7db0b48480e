#pragma once
// The daemon: store, worker, API and page in one process.

#include <cstdint>
#include <filesystem>
#include <memory>

#include "api/api.h"
#include "app/config/config.h"
#include "app/config/library.h"
#include "app/config/server.h"
#include "app/duty_thread.h"
#include "app/file_purge.h"
#include "app/log.h"
#include "app/notify.h"
#include "app/progress.h"
#include "app/signals.h"
#include "app/staged_sweep.h"
#include "app/wiring/bot.h"
#include "app/wiring/server.h"
#include "app/wiring/troubles.h"
#include "app/wiring/worker.h"
#include "base/lent.h"
#include "flow/book/book_check.h"
#include "flow/media/trash_keeper.h"
#include "lifecycle/category.h"
#include "store/open.h"

namespace haul::app {

// What a daemon reads from the configuration before it makes any part.
struct DaemonSettings {
  ServerConfig server;
  OutsideSettings outside;
  flow::Settings worker;
  flow::HandlerSettings handlers;
  flow::BookCheckSettings book_check;
  std::optional<BotServiceSettings> bot{};  // Nothing if the bot is off.
  std::vector<Category> categories{};
};
// Reads the environment, so call it before other threads start.
Result<DaemonSettings> daemon_settings(const Config& config, const std::filesystem::path& data);

// Owns all parts, in the order in which they are made. They are destroyed in the opposite order,
// also without a stop(). Two are called by threads of parts that outlive them: the store's writer
// calls Live, and Live's thread calls the server. Each of these two has a Loan, declared after it:
// the Loan is destroyed first, and its destructor waits until the other thread has left.
class Daemon {
 public:
  Daemon(const std::filesystem::path& data, DaemonSettings settings, const Log& log,
         const Clock& clock);
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  Store& store() { return *store_; }
  // S2-27: takes back the jobs of a killed daemon before the API answers.
  void take_over() { worker_->tick(); }
  // Answers requests from here on. Returns the port.
  std::uint16_t listen();
  // Works until a signal comes.
  void run(Signals& signals, const Notify& notify);
  // Orderly stop: the API stops answering, transfers keep their bytes, leases are released.
  void stop();

 private:
  StoreOptions store_options();
  OutsideSettings outside_settings();
  api::ApiParts api_parts();
  std::unique_ptr<BotService> make_bot();
  void wake_streams();
  void show_progress();
  void see(const flow::ItemEnded& item);
  void see(const TrashEmptied& emptied) const;
  void see(const Purge& purge) const;

  const Clock& clock_;
  const Log& log_;
  const DaemonSettings settings_;
  api::Meter meter_;
  api::LiveProgress progress_;
  TroubleReports troubles_{log_, progress_};
  Lent<api::Live> lent_live_;
  Lent<io::HttpServer> lent_server_;
  std::unique_ptr<Store> store_;
  api::Live live_;
  const Lent<api::Live>::Loan live_loan_ = lent_live_.lend(live_);
  LocalWorker worker_;
  ProgressLook progress_look_;
  api::Api api_;
  flow::BookCheck book_check_;
  DutyThread book_duty_;
  flow::TrashKeeper trash_keeper_;
  DutyThread trash_duty_;
  StagedSweep staged_sweep_;
  DutyThread staged_duty_;
  FilePurge file_purge_;
  DutyThread purge_duty_;
  std::unique_ptr<BotService> bot_;    // Null if it is off.
  std::unique_ptr<ApiServer> server_;  // Null until it listens.
};

}  // namespace haul::app
