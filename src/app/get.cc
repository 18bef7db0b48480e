#include "app/get.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/config/programs.h"
#include "app/config/transfer.h"
#include "app/get_job.h"
#include "app/get_log.h"
#include "app/get_report.h"
#include "app/probe_file.h"
#include "app/process.h"
#include "app/signals.h"
#include "app/wiring/worker.h"
#include "base/environment.h"
#include "engine/get_request.h"
#include "flow/user/user.h"
#include "io/file/folder.h"
#include "lifecycle/tables.h"
#include "store/open.h"
#include "store/refusal.h"

namespace haul::app {
namespace {

constexpr std::size_t kItemsAtOnce = 64;
constexpr std::size_t kAhead = 16;
constexpr Millis kLookEvery{100};
constexpr Millis kKeepWithin{2'000};
constexpr Millis kListenEvery{50};

flow::Settings worker_settings(const cli::GetCommand& command) {
  return {.look_every = kLookEvery,
          .write_items_every = kWriteItemsEvery,
          .host = {.at_once = command.per_host, .apart = command.delay}};
}

// A changed command goes on with the parts of the former one, whose job is paused.
flow::HandlerSettings handler_settings(const cli::GetCommand& command) {
  const Millis never = flow::Settings{}.wait_max;  // There is no other job to yield to.
  return {
      .batch = {.yield_after = never,
                .items_at_once = command.at_once.value_or(std::max(kItemsAtOnce, command.per_host)),
                .ahead = kAhead,
                .past_parts = PastParts::find}};
}

// Reads the environment, so call it before other threads start.
TransferSettings transfer_settings(const cli::GetCommand& command,
                                   const std::filesystem::path& data, ProgramSettings programs) {
  return {.destinations = {.root = {},
                           .barred = {data, data.parent_path(), command.state},
                           .vanished = io::Folder::Missing::create},
          .apart = command.delay,
          .max_size = command.max_size,
          .keep_free = {command.keep_free, "--keep-free"},
          .spots_metalinks = command.spots_metalinks,
          .replaces_any = true,
          .ca_file = environment("SSL_CERT_FILE"),
          .programs = std::move(programs),
          .feed = command.feed};
}

// What open_get() reads and opens before the session begins.
struct GetParts {
  Signals signals;
  std::shared_ptr<GetLog> log;
  OutsideSettings outside;
  std::unique_ptr<Store> store;
};

class LocalGet final : public cli::GetSession {
 public:
  LocalGet(const cli::GetCommand& command, const Clock& clock, GetParts parts)
      : folder_{command.folder},
        signals_{std::move(parts.signals)},
        clock_{clock},
        log_{std::move(parts.log)},
        store_{std::move(parts.store)},
        report_{*store_, clock},
        worker_{std::make_unique<LocalWorker>(*store_, clock, std::move(parts.outside),
                                              worker_settings(command), "get",
                                              handler_settings(command))} {
    worker().listen([this](const flow::ItemEnded& item) {
      report_.see(item);
      log_->see(item);
    });
  }
  ~LocalGet() override {
    worker_.reset();  // From here on no engine writes.
    remove_ended_parts(*store_, folder_);
  }

  Result<void> begin(const AskedGet& asked) {
    flow::rescue_everyone(*store_, {}, clock_.now());
    end_abandoned(*store_, clock_.now());
    remove_ended_parts(*store_, folder_);
    const auto found = find_or_add(*store_, asked, clock_.now());
    if (!found)
      return std::unexpected{
          Fault{FaultKind::rejected, found.error().code,
                fmt::format("{}: {}", found.error().code, found.error().detail)}};
    job_ = *found;
    report_.set_job(job_);
    return {};
  }

  bool step(Millis at_most) override {
    if (ending_ != cli::GetEnding::finished) return false;
    worker().tick();
    if (worker().held() == 0) {
      const auto job = store_->reader().find(job_);
      if (!job || !job->state().is_open()) return false;
    }
    worker().wait(at_most);
    return true;
  }

  cli::GetView view() override { return report_.view(worker()); }
  std::vector<cli::ItemEnd> ended() override { return report_.take_ended(); }
  cli::GetSummary summary() override { return report_.summary(ending_); }
  std::vector<std::string> metalinks() override { return report_.metalinks(); }
  Steady now() const override { return clock_.steady(); }
  int interrupts() override { return signals_.count(); }

  void keep() override {
    const Steady began = clock_.steady();
    while (!cancelling_ && clock_.steady() - began < kKeepWithin) {
      if (worker().wind_down() || signals_.count() > 1) break;
      worker().wait(kListenEvery);
    }
    worker().stop();
    ending_ = cancelling_ ? cli::GetEnding::abandoned : cli::GetEnding::interrupted;
  }

  void cancel() override {
    if (cancelling_) return;
    cancelling_ = haul::flow::cancel(*store_, job_, clock_.now()).refusal == std::nullopt;
    worker().see_cancels();  // Now, not with the next sweep: it must stop within 2 s.
  }

 private:
  flow::Worker& worker() { return **worker_; }

  const std::filesystem::path folder_;
  Signals signals_;
  const Clock& clock_;
  const std::shared_ptr<GetLog> log_;
  std::unique_ptr<Store> store_;
  GetReport report_;
  std::unique_ptr<LocalWorker> worker_;  // Set until the session ends.
  JobId job_;
  cli::GetEnding ending_ = cli::GetEnding::finished;
  bool cancelling_ = false;
};

std::shared_ptr<GetLog> open_log(const cli::GetCommand& command, const Clock& clock) {
  return std::make_shared<GetLog>(
      clock, command.log, command.verbose ? GetLog::Echo::standard_error : GetLog::Echo::none);
}

// Whether a file can be created there. A file without a name leaves nothing behind; where the file
// system has none, a probe with a name has to do.
Result<void> check_folder(const io::Folder& folder) {
  if (folder.create_unnamed()) return {};
  const auto probe = ProbeFile::make(folder.path());
  if (!probe) return std::unexpected{probe.error()};
  return {};
}

// A path that can never be a folder, or takes no files, would be waited for. A full disk may have
// room later.
Result<void> make_folder(const std::filesystem::path& path) {
  const auto folder = io::Folder::open(path, io::Folder::Missing::create);
  const Result<void> usable =
      folder ? check_folder(*folder) : Result<void>{std::unexpected{folder.error()}};
  if (usable || usable.error().code == "disk_full") return {};
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_usage",
            fmt::format("-d: cannot put files there: {}", usable.error().detail)}};
}

// A store of another version of haul holds only what this folder's unfinished downloads need to go
// on, and `haul get` has no --data to use another.
std::string refused_by(const StoreFault& fault, const std::filesystem::path& data) {
  if (fault.kind() != StoreFault::Kind::refused) return fault.what();
  const StoreLook look = inspect_store(store_url(data));
  if (look.way_out.empty()) return fault.what();
  return fmt::format(
      "cannot use {}, where haul get remembers the downloads to this folder: {}. Use that version, "
      "or remove that folder: files that are downloaded stay",
      data.string(), look.problem);
}

}  // namespace

Result<std::unique_ptr<cli::GetSession>> open_get(const cli::GetCommand& command,
                                                  const Config::Environment& environment,
                                                  const Clock& clock) {
  auto job = flow::as_job({.lifecycle = &kBatch, .request = command.request}, clock.now());
  if (!job)
    return std::unexpected{Fault{FaultKind::rejected, job.error().code, job.error().detail}};
  if (const auto request = engine::read_get_request(command.request); !request)
    return std::unexpected{request.error()};
  auto programs = program_settings(environment);
  if (!programs) return std::unexpected{programs.error()};
  if (auto made = make_folder(command.folder); !made) return std::unexpected{made.error()};
  allow_many_files();
  keep_buffers();
  const std::filesystem::path data = get_data_folder(command.state, command.folder);
  try {
    GetParts parts;  // Its signals are set up before any thread starts.
    parts.outside.transfer = transfer_settings(command, data, *std::move(programs));
    parts.log = open_log(command, clock);
    if (command.verbose || !command.log.empty())
      parts.outside.transfer.trace = [log = parts.log](std::string_view line) { log->say(line); };
    std::filesystem::create_directories(data);
    // Most folders are downloaded to once: folding the log would only delay the end.
    parts.store =
        open_store(store_url(data),
                   {.sqlite = {.room_pages = 0, .log_at_close = LogAtClose::leave}}, clock.now());
    auto session = std::make_unique<LocalGet>(command, clock, std::move(parts));
    // The request of a list that grows has only its beginning.
    const SameRequest same = command.feed ? SameRequest::add_another : SameRequest::resume;
    if (auto begun =
            session->begin({.job = *std::move(job), .if_same = same, .replaces = command.replaces});
        !begun)
      return std::unexpected{begun.error()};
    return session;
  } catch (const StoreFault& fault) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", refused_by(fault, data)}};
  } catch (const std::exception& error) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", error.what()}};
  }
}

}  // namespace haul::app
