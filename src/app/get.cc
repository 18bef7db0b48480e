#include "app/get.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/config/programs.h"
#include "app/config/transfer.h"
#include "app/get_job.h"
#include "app/get_report.h"
#include "app/process.h"
#include "app/signals.h"
#include "app/wiring/worker.h"
#include "base/environment.h"
#include "base/hash.h"
#include "engine/get_request.h"
#include "flow/user/user.h"
#include "io/file/folder.h"
#include "lifecycle/tables.h"
#include "store/open.h"
#include "store/refusal.h"
#include "store/rules/request_check.h"

namespace haul::app {
namespace {

constexpr std::size_t kItemsAtOnce = 64;
constexpr Millis kLookEvery{100};
constexpr Millis kKeepWithin{2'000};
constexpr Millis kListenFor{1'000};  // A user needs about half of this for a second Ctrl-C.
constexpr Millis kListenEvery{50};

flow::Settings worker_settings(const cli::GetCommand& command) {
  const Millis never = flow::Settings{}.wait_max;  // There is no other job to yield to.
  return {.yield_after = never,
          .look_every = kLookEvery,
          .write_items_every = kWriteItemsEvery,
          .items_at_once = std::max(kItemsAtOnce, command.per_host),
          .host = {.at_once = command.per_host, .apart = command.delay}};
}

// Reads the environment, so call it before other threads start.
TransferSettings transfer_settings(const cli::GetCommand& command,
                                   const std::filesystem::path& data, ProgramSettings programs) {
  return {.destinations = {.root = {}, .barred = {data, data.parent_path(), command.state}},
          .apart = command.delay,
          .max_size = command.max_size,
          .keep_free = {command.keep_free, "--keep-free"},
          .ca_file = environment("SSL_CERT_FILE"),
          .programs = std::move(programs)};
}

// What open_get() reads and opens before the session begins.
struct GetParts {
  Signals signals;
  OutsideSettings outside;
  std::unique_ptr<Store> store;
};

class LocalGet final : public cli::GetSession {
 public:
  LocalGet(const cli::GetCommand& command, const Clock& clock, GetParts parts)
      : folder_{command.folder},
        signals_{std::move(parts.signals)},
        clock_{clock},
        store_{std::move(parts.store)},
        report_{*store_, clock},
        worker_{std::make_unique<LocalWorker>(*store_, clock, std::move(parts.outside),
                                              worker_settings(command), "get")} {
    worker().listen([this](const flow::ItemEnded& item) { report_.see(item); });
  }
  ~LocalGet() override {
    worker_.reset();  // From here on no engine writes.
    remove_ended_parts(*store_, folder_);
  }

  Result<void> begin(const std::string& request) {
    flow::rescue_everyone(*store_, {}, clock_.now());
    remove_ended_parts(*store_, folder_);
    const auto found = find_or_add(*store_, request, clock_.now());
    if (!found)
      return std::unexpected{
          Fault{FaultKind::rejected, found.error().code,
                fmt::format("{}: {}", found.error().code, found.error().detail)}};
    job_ = *found;
    report_.set_job(job_);
    return {};
  }

  bool step(Millis at_most) override {
    if (ending_ == cli::GetEnding::interrupted) return false;
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
  Steady now() const override { return clock_.steady(); }
  int interrupts() override { return signals_.count(); }

  bool keep() override {
    const Steady began = clock_.steady();
    const Millis listen_for = signals_.by_hand() ? kListenFor : Millis{0};
    for (Millis passed{0}; passed < kKeepWithin; passed = clock_.steady() - began) {
      const bool idle = worker().wind_down();
      if (signals_.count() > 1) return false;
      if (idle && passed >= listen_for) break;
      worker().wait(kListenEvery);
    }
    worker().stop();
    ending_ = cli::GetEnding::interrupted;
    return true;
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
  std::unique_ptr<Store> store_;
  GetReport report_;
  std::unique_ptr<LocalWorker> worker_;  // Set until the session ends.
  JobId job_;
  cli::GetEnding ending_ = cli::GetEnding::finished;
  bool cancelling_ = false;
};

// A path that can never be a folder would be waited for. A full disk may have room later.
Result<void> make_folder(const std::filesystem::path& path) {
  const auto folder = io::Folder::open(path, io::Folder::Missing::create);
  if (folder || folder.error().code == "disk_full") return {};
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_usage",
            fmt::format("-d: cannot put files there: {}", folder.error().detail)}};
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
  if (const auto refusal = rules::check_request(kBatch, command.request))
    return std::unexpected{Fault{FaultKind::rejected, refusal->code, refusal->detail}};
  if (const auto request = engine::read_get_request(command.request); !request)
    return std::unexpected{request.error()};
  auto programs = program_settings(environment);
  if (!programs) return std::unexpected{programs.error()};
  if (auto made = make_folder(command.folder); !made) return std::unexpected{made.error()};
  allow_many_files();
  keep_buffers();
  const std::filesystem::path data =
      command.state / "get" / sha256_hex(command.folder.string()).substr(0, 16);
  try {
    GetParts parts;  // Its signals are set up before any thread starts.
    parts.outside.transfer = transfer_settings(command, data, *std::move(programs));
    std::filesystem::create_directories(data);
    parts.store = open_store(store_url(data), {}, clock.now());
    auto session = std::make_unique<LocalGet>(command, clock, std::move(parts));
    if (auto begun = session->begin(command.request); !begun) return std::unexpected{begun.error()};
    return session;
  } catch (const StoreFault& fault) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", refused_by(fault, data)}};
  } catch (const std::exception& error) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", error.what()}};
  }
}

}  // namespace haul::app
