#include "sink/library/library.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "base/ensure.h"
#include "sink/library/clean.h"
#include "sink/library/library_tasks.h"
#include "sink/library/proof.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;

constexpr Millis kTellEvery{500};
constexpr Millis kTellWaitingEvery{60'000};

Failed failed(Fault fault) { return {.fault = std::move(fault), .checkpoint = {}}; }

Failed stopped_halfway(const char* detail) {
  return failed({FaultKind::retryable, "stopped_halfway", detail});
}

std::vector<PlacedFile> placed_of(const std::vector<LandedFile>& files) {
  std::vector<PlacedFile> placed;
  placed.reserve(files.size());
  for (const LandedFile& file : files) placed.push_back({file.path, file.size});
  return placed;
}

std::vector<std::string> folders_of(const std::vector<LandedFile>& files) {
  std::set<std::string> folders;
  for (const LandedFile& file : files) folders.insert(fs::path{file.path}.parent_path().string());
  return {folders.begin(), folders.end()};
}

// A server that cannot be told now is told with the next landing, which finds the files in place.
What told_answer(Landed landed, const Result<void>& told, std::string_view server) {
  if (!told && told.error().kind == FaultKind::environment) return failed(told.error());
  if (told) landed.told = server;
  return landed;
}

What found_answer(const Result<std::vector<PlacedFile>>& found, const MediaServer& server) {
  if (!found && found.error().kind == FaultKind::environment) return failed(found.error());
  if (!found) return Unseen{.code = found.error().code};
  if (found->empty()) return NotIndexed{};
  return Indexed{
      .files = *found, .by = std::string{server.name()}, .match = std::string{server.match()}};
}

class Library final : public Sink {
 public:
  Library(LibrarySettings settings, io::DiskSpace& space, const Clock& clock, MediaServer* server)
      : settings_{std::move(settings)},
        clock_{clock},
        server_{server},
        tasks_{std::make_shared<LibraryTasks>(settings_.tasks_max)},
        import_{.methods = settings_.methods, .space = space, .clock = clock, .hashes = hashes_},
        parcels_{.import = import_,
                 .roots = settings_.roots,
                 .templates = settings_.templates,
                 .store = settings_.store,
                 .records = settings_.root_records},
        clean_{.by = settings_.clean_by,
               .store = settings_.store,
               .clock = clock,
               .hashes = hashes_,
               .library_roots = {settings_.roots.movies.path, settings_.roots.series.path},
               .root_records = settings_.root_records,
               .download_roots = settings_.download_roots} {
    ensure(!settings_.methods.empty(), "an import has a method");
    ensure(settings_.threads > 0, "a library has a thread");
    for (std::size_t i = 0; i < settings_.threads; ++i) threads_.emplace_back([this] { run(); });
  }

  ~Library() override {
    tasks_->close();
    for (std::thread& thread : threads_) thread.join();
  }

  void land(const Parcel& parcel, Inbox& inbox) override { add(LibraryStep::land, parcel, inbox); }
  void verify(const Parcel& parcel, Inbox& inbox) override {
    add(LibraryStep::verify, parcel, inbox);
  }
  void clean(const Parcel& parcel, Inbox& inbox) override {
    add(LibraryStep::clean, parcel, inbox);
  }
  void stop(const Parcel& parcel, Inbox& inbox) override { tasks_->stop(parcel, inbox); }

  Lack not_ready() const override {
    const auto& [movies, series] = settings_.roots;
    if (!movies.path.empty() || !series.path.empty()) return {};
    return {fmt::format("configure {} or {}", movies.key, series.key)};
  }
  // A request that does not say its kind needs no certain root: its files may say it.
  Lack lack_for(std::string_view request) const override {
    if (Lack lack = not_ready(); !lack.text.empty()) return lack;
    const auto read = read_import_request(request);
    const auto kind = read ? kind_said(*read) : std::nullopt;
    if (!kind || !settings_.roots.of(*kind).path.empty()) return {};
    return {fmt::format("configure {}", settings_.roots.of(*kind).key)};
  }
  ImportPreview preview(const Parcel& parcel) const override {
    return preview_parcel(parcels_, parcel);
  }

 private:
  void add(LibraryStep step, const Parcel& parcel, Inbox& inbox) {
    tasks_->add(std::make_shared<LibraryTask>(step, parcel, inbox));
  }

  void run() {
    for (TaskPtr task = tasks_->take(); task; task = tasks_->take()) {
      switch (task->step) {
        case LibraryStep::land:
          run_land(task);
          break;
        case LibraryStep::verify:
          run_verify(task);
          break;
        case LibraryStep::clean:
          run_clean(*task);
          break;
      }
      tasks_->release(*task);
    }
  }

  // Tells of a task at most twice a second, and of those that wait once a minute.
  TellProgress progress_of(const LibraryTask& task, std::string status) {
    return [this, &task, status = std::move(status), told = std::optional<Steady>{},
            others = clock_.steady()](const ParcelProgress& progress) mutable {
      const Steady now = clock_.steady();
      if (now - others >= kTellWaitingEvery) {
        others = now;
        tasks_->tell_waiting();
      }
      const bool is_due = !told || now - *told >= kTellEvery;
      if (!is_due || progress.have >= progress.size) return;
      told = now;
      task.tell(Moving{.have = progress.have,
                       .size = progress.size,
                       .path = {},
                       .checkpoint = {},
                       .status = status});
    };
  }

  void run_land(const TaskPtr& task) {
    const ParcelImport done =
        import_parcel(parcels_, task->parcel, task->stop.get_token(), progress_of(*task, ""));
    if (const auto& fault = done.fault)
      return tasks_->answer(*task, land_fault(*fault, !done.files.empty()));
    Landed landed{.files = placed_of(done.files), .evidence = evidence_json(done.files)};
    if (!server_) {
      landed.told = "none";
      return tasks_->answer(*task, std::move(landed));
    }
    tasks_->wait_for_server(
        *task, stopped_halfway("the files are in the library, the media server was not told"), [&] {
          return server_->tell(folders_of(done.files),
                               [tasks = tasks_, task, landed,
                                name = std::string{server_->name()}](const Result<void>& told) {
                                 tasks->answer(*task, told_answer(landed, told, name));
                               });
        });
  }

  static What land_fault(const Fault& fault, bool has_some) {
    if (fault.code != "stopped") return failed(fault);
    if (!has_some) return Stopped{};
    return stopped_halfway("some files are in the library");
  }

  void run_verify(const TaskPtr& task) {
    const Parcel& parcel = task->parcel;
    if (parcel.placed.empty()) return tasks_->answer(*task, NotIndexed{});
    if (!server_)
      return tasks_->answer(*task, prove_by_reading(parcel, hashes_, task->stop.get_token(),
                                                    progress_of(*task, "Checking")));
    tasks_->wait_for_server(*task, Stopped{}, [&] {
      return server_->find(wanted_of(parcel), [tasks = tasks_, task, server = server_](
                                                  const Result<std::vector<PlacedFile>>& found) {
        tasks->answer(*task, found_answer(found, *server));
      });
    });
  }

  FindFiles wanted_of(const Parcel& parcel) const {
    FindFiles wanted;
    if (const auto request = read_import_request(parcel.request)) {
      wanted.title = request->title;
      if (parcel.by_hand.empty()) wanted.season = request->season;  // A user may have said another.
      if (const auto kind = request->kind)
        wanted.kind = *kind == LibraryKind::movie ? "movie" : "series";
    }
    for (const PlacedFile& file : parcel.placed)
      wanted.files.push_back({.path = file.path, .size = file.size});
    return wanted;
  }

  void run_clean(const LibraryTask& task) {
    const Parcel& parcel = task.parcel;
    TellProgress tell = progress_of(task, "Checking");
    std::int64_t size = 0;
    for (const SourceFile& source : parcel.sources) size += source.size;
    const CleanEnd end = clean_sources(
        clean_,
        {.job = parcel.job,
         .sources = parcel.sources,
         .placed = parcel.placed,
         .evidence = parcel.evidence,
         .why_kept = parcel.why_kept},
        {.stop = task.stop.get_token(),
         .progress = [&](std::int64_t done) { tell({.have = done, .size = size + 1}); }},
        [&](std::vector<CleanedFile> files) { task.tell(CleanedSome{.files = std::move(files)}); });
    tasks_->answer(task, clean_answer(end));
  }

  static What clean_answer(const CleanEnd& end) {
    if (!end.fault) return Cleaned{.outcome = end.outcome};
    if (end.fault->code != "stopped") return failed(*end.fault);
    if (!end.has_removed) return Stopped{};
    return stopped_halfway("some sources are removed");
  }

  const LibrarySettings settings_;
  const Clock& clock_;
  MediaServer* const server_;
  KnownHashes hashes_;
  const std::shared_ptr<LibraryTasks> tasks_;
  const ImportEnv import_;
  const ParcelEnv parcels_;
  const CleanEnv clean_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Sink> make_library(LibrarySettings settings, io::DiskSpace& space,
                                   const Clock& clock, MediaServer* server) {
  return std::make_unique<Library>(std::move(settings), space, clock, server);
}

}  // namespace haul::library
