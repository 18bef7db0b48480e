#include "app/get.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "app/absent.h"
#include "app/batch_engine.h"
#include "app/process.h"
#include "app/progress.h"
#include "app/signals.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/speed.h"
#include "engine/child/leftovers.h"
#include "engine/forward.h"
#include "engine/http/request.h"
#include "flow/request_check.h"
#include "flow/user.h"
#include "flow/worker.h"
#include "io/file/folder.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kItemsAtOnce = 64;
constexpr std::size_t kFailuresTold = 1'000;
constexpr Millis kLookEvery{100};
constexpr Millis kGather{24};
constexpr Millis kKeepWithin{2'000};
constexpr Millis kListenFor{1'000};  // A user needs about half of this for a second Ctrl-C.
constexpr Millis kListenEvery{50};

// The kind of evidence. The engine writes it as the first member.
std::string kind_of_evidence(std::string_view evidence) {
  constexpr std::string_view kKind = R"({"kind":")";
  if (!evidence.starts_with(kKind)) return {};
  evidence.remove_prefix(kKind.size());
  return std::string{evidence.substr(0, evidence.find('"'))};
}

// Resumes the open job of the same request, or adds one. Pauses the folder's other jobs until a
// user asks for them again.
std::expected<JobId, Refusal> find_or_add(Store& store, const std::string& asked, Time now) {
  const std::vector<Job> open = store.reader().list({.end = End::open, .limit = kListMax}).jobs;
  const auto request = open.empty() ? asked : as_kept(kBatch, asked);
  if (!request) return std::unexpected{request.error()};
  std::optional<JobId> ours;
  for (const Job& job : open) {
    const bool same = !ours && store.reader().request(job.seen.id) == *request;
    if (same) ours = job.seen.id;
    if (same != job.paused) continue;
    const MoveAnswer flagged =
        same ? store.jobs().resume(job.seen, now) : store.jobs().pause(job.seen, now);
    if (!flagged) return std::unexpected{flagged.error()};
  }
  if (ours) return *ours;
  const auto added = add(store, {.lifecycle = &kBatch, .request = *request}, now);
  if (!added) return std::unexpected{added.error()};
  return added->id;
}

// Removes the parts of this store's ended jobs and the folders of programs that ran for them. A
// daemon may download into the same folder: its parts carry another store's id and stay.
void remove_ended_parts(Store& store, const std::filesystem::path& path) {
  const auto folder = Folder::open(path, Folder::Missing::fault);
  if (!folder) return;
  std::map<JobId, bool> known;
  remove_leftovers(*folder, [&](const PartOwner& owner) {
    if (owner.store != store.identity().id()) return false;
    const auto [found, is_new] = known.try_emplace(owner.job);
    if (is_new) {
      const auto job = store.reader().find(owner.job);
      found->second = job && !job->state().is_open();
    }
    return found->second;
  });
}

class LocalGet final : public GetSession {
 public:
  LocalGet(const GetAsk& ask, const Clock& clock, Signals signals, std::unique_ptr<Store> store,
           const std::filesystem::path& data)
      : folder_{ask.folder},
        destinations_{.root = {}, .barred = {data, data.parent_path(), ask.state}},
        delay_{ask.delay},
        max_size_{ask.max_size},
        keep_free_{ask.keep_free},
        signals_{std::move(signals)},
        clock_{clock},
        began_{clock.steady()},
        store_{std::move(store)},
        random_{static_cast<std::uint64_t>(to_unix_ms(clock.now()))},
        worker_{*store_, outside(), clock, random_, settings(ask), "get"} {
    worker_.listen([this](const ItemEnded& item) { see(item); });
  }
  ~LocalGet() override {
    engine_.reset();  // From here on no engine writes.
    remove_ended_parts(*store_, folder_);
  }

  Result<void> begin(const std::string& request) {
    rescue_everyone(*store_, clock_.now());
    remove_ended_parts(*store_, folder_);
    const auto found = find_or_add(*store_, request, clock_.now());
    if (!found)
      return std::unexpected{
          Fault{FaultKind::rejected, found.error().code,
                fmt::format("{}: {}", found.error().code, found.error().detail)}};
    job_ = *found;
    engine_ = make_batch_engine(
        worker_.gate(), clock_,
        {.destinations = destinations_,
         .apart = delay_,
         .max_size = max_size_,
         .keep_free = {keep_free_, "--keep-free"},
         .confine =
             environment("HAUL__ENGINE__SANDBOX") == "require" ? Confine::require : Confine::prefer,
         .yt_dlp = environment("HAUL__ENGINE__YT_DLP__PROGRAM"),
         .gallery_dl = environment("HAUL__ENGINE__GALLERY_DL__PROGRAM")});
    return {};
  }

  bool step(Millis at_most) override {
    if (ending_ == GetEnding::interrupted) return false;
    worker_.tick();
    if (worker_.held() == 0) {
      const auto job = store_->reader().find(job_);
      if (!job || !job->state().is_open()) return false;
    }
    worker_.wait(at_most);
    return true;
  }

  GetView view() override {
    const Counts counts = store_->items().counts(job_);
    GetView view{.total = counts.total,
                 .downloaded = counts.downloaded,
                 .skipped = counts.skipped,
                 .failed = counts.failed,
                 .enumerated = counts.enumerated};
    const Steady now = clock_.steady();
    std::int64_t moving = 0;
    std::map<std::int64_t, Speed> speeds;
    for (const TransferView& each : worker_.transfers(job_)) {
      Speed& speed = speeds[each.item] = std::move(speeds_[each.item]);
      speed.see(now, each.have);
      moving += each.have;
      view.active.push_back({.item = each.item,
                             .name = name_of(each.path, each.url),
                             .url = each.url,
                             .path = each.path,
                             .have = each.have,
                             .size = each.size,
                             .speed = speed.per_second(),
                             .eta = eta(left_of(each), speed.per_second()),
                             .status = status_of(each)});
    }
    speeds_ = std::move(speeds);
    view.have_bytes = landed_bytes_ + moving;
    total_.see(now, view.have_bytes);
    view.speed = total_.per_second();
    view.note = waits_because();
    return view;
  }

  std::vector<ItemEnd> ended() override { return std::exchange(ended_, {}); }

  GetSummary summary() override {
    const Counts counts = store_->items().counts(job_);
    const auto job = store_->reader().find(job_);
    GetSummary summary{.ending = ending_,
                       .total = counts.total,
                       .downloaded = counts.downloaded,
                       .skipped = counts.skipped,
                       .failed = counts.failed,
                       .bytes = landed_bytes_,
                       .passed = clock_.steady() - began_,
                       .failures = failures_};
    if (job && job->seen.state == "CANCELLED") summary.ending = GetEnding::cancelled;
    if (job && job->seen.state == "FAILED") {
      summary.failed = std::max<std::int64_t>(summary.failed, 1);
      summary.failures.push_back(
          {.name = "all of it", .url = {}, .reason = job->reason, .detail = job->detail});
    }
    return summary;
  }

  Steady now() const override { return clock_.steady(); }
  int interrupts() override { return signals_.count(); }

  bool keep() override {
    const Steady began = clock_.steady();
    const Millis listen_for = signals_.by_hand() ? kListenFor : Millis{0};
    for (Millis passed{0}; passed < kKeepWithin; passed = clock_.steady() - began) {
      const bool idle = worker_.wind_down();
      if (signals_.count() > 1) return false;
      if (idle && passed >= listen_for) break;
      worker_.wait(kListenEvery);
    }
    worker_.stop();
    ending_ = GetEnding::interrupted;
    return true;
  }

  void cancel() override {
    if (cancelling_) return;
    cancelling_ = haul::cancel(*store_, job_, clock_.now()).refusal == std::nullopt;
    worker_.see_cancels();  // Now, not with the next sweep: it must stop within 2 s.
  }

 private:
  Outside outside() { return {absent_, forward_, absent_, absent_, absent_, absent_, absent_}; }
  static Settings settings(const GetAsk& ask) {
    const Millis never = Settings{}.wait_max;  // There is no other job to yield to.
    return {.yield_after = never,
            .look_every = kLookEvery,
            .gather = kGather,
            .items_at_once = std::max(kItemsAtOnce, ask.per_host),
            .host = {.at_once = ask.per_host, .apart = ask.delay}};
  }
  static std::optional<std::int64_t> left_of(const TransferView& view) {
    return view.size ? std::optional{*view.size - view.have} : std::nullopt;
  }

  void see(const ItemEnded& item) {
    if (item.job != job_) return;
    const ItemEnd end{.name = name_of(item.path, item.url),
                      .url = item.url,
                      .ok = item.on == On::landed,
                      .skipped = item.on == On::skip,
                      .size = item.size,
                      .reason = item.reason,
                      .detail = item.detail,
                      .evidence = kind_of_evidence(item.evidence)};
    if (end.ok) landed_bytes_ += item.size;
    if (item.on == On::fail && failures_.size() < kFailuresTold) failures_.push_back(end);
    ended_.push_back(end);
  }

  // Why the whole job waits. Empty if it does not.
  std::string waits_because() const {
    if (const auto& outage = worker_.outage())
      return fmt::format("Waiting: {}", outage->code == "disk_full"
                                            ? "the disk of haul's own state is full"
                                            : "haul's own state is locked by another process");
    if (worker_.held() > 0) return {};
    const auto job = store_->reader().find(job_);
    if (!job || job->reason.empty() || !job->state().is_open()) return {};
    if (job->detail.empty()) return fmt::format("Waiting: {}", job->reason);
    return fmt::format("Waiting: {}: {}", job->reason, job->detail);
  }

  const std::filesystem::path folder_;
  const Destinations destinations_;
  const Millis delay_;
  const std::int64_t max_size_;
  const std::optional<std::int64_t> keep_free_;
  Signals signals_;
  const Clock& clock_;
  const Steady began_;
  std::unique_ptr<Store> store_;
  SeededRandom random_;
  Absent absent_;
  Forward forward_{engine_};
  Worker worker_;
  std::unique_ptr<Engine> engine_;  // Destroyed before the worker that it reports to.
  JobId job_;
  GetEnding ending_ = GetEnding::finished;
  bool cancelling_ = false;
  std::vector<ItemEnd> ended_;
  std::vector<ItemEnd> failures_;
  std::int64_t landed_bytes_ = 0;
  std::map<std::int64_t, Speed> speeds_;
  Speed total_;
};

// A path that can never be a folder would be waited for. A full disk may have room later.
Result<void> make_folder(const std::filesystem::path& path) {
  const auto folder = Folder::open(path, Folder::Missing::create);
  if (folder || folder.error().code == "disk_full") return {};
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_usage",
            fmt::format("-d: cannot put files there: {}", folder.error().detail)}};
}

}  // namespace

Result<std::unique_ptr<GetSession>> open_get(const GetAsk& ask, const Clock& clock) {
  if (const auto refusal = check_request(kBatch, ask.request))
    return std::unexpected{Fault{FaultKind::rejected, refusal->code, refusal->detail}};
  if (const auto request = read_get_request(ask.request); !request)
    return std::unexpected{request.error()};
  if (auto made = make_folder(ask.folder); !made) return std::unexpected{made.error()};
  allow_many_files();
  keep_buffers();
  const std::filesystem::path data =
      ask.state / "get" / sha256_hex(ask.folder.string()).substr(0, 16);
  try {
    Signals signals;  // Before any thread starts.
    std::filesystem::create_directories(data);
    auto session = std::make_unique<LocalGet>(ask, clock, std::move(signals),
                                              open_sqlite(data, {}, clock.now()), data);
    if (auto begun = session->begin(ask.request); !begun) return std::unexpected{begun.error()};
    return session;
  } catch (const std::exception& error) {
    return std::unexpected{Fault{FaultKind::environment, "cannot_begin", error.what()}};
  }
}

}  // namespace haul
