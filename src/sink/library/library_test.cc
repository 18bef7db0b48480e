// The library as a sink: what it reports of an import, a proof and a clean, and how it is stopped.

#include "sink/library/library.h"

#include <doctest/doctest.h>

#include <functional>

#include "base/json.h"
#include "support/io/folder_server.h"
#include "support/io/library_bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using library::ImportBy;

constexpr const char* kRequest =
    R"({"kind":"movie","title":"A Film","year":2020,"release_name":"A.Film.2020.1080p"})";

// Keeps the sights, and lets a test wait for the next answer.
class Answers final : public Inbox {
 public:
  void push(Sight sight) override {
    if (on_sight) on_sight(sight);
    {
      const Lock lock{mutex_};
      sights_.push_back(std::move(sight));
    }
    came_.notify_all();
  }
  // The next sight that is an answer; those before it are dropped, but counted by type.
  What next() {
    const Lock lock{mutex_};
    std::optional<What> found;
    const bool has_come = came_.wait_for(mutex_, 60s, [&]() REQUIRES(mutex_) {
      while (!sights_.empty() && !found) {
        if (is_answer(sights_.front().what)) found = sights_.front().what;
        if (std::holds_alternative<Moving>(sights_.front().what)) ++moving;
        if (const auto* some = std::get_if<CleanedSome>(&sights_.front().what))
          cleaned.insert(cleaned.end(), some->files.begin(), some->files.end());
        sights_.erase(sights_.begin());
      }
      return found.has_value();
    });
    REQUIRE(has_come);
    return *found;
  }
  bool is_empty() {
    const Lock lock{mutex_};
    return sights_.empty();
  }

  std::function<void(const Sight&)> on_sight;  // Set it before the first call.
  int moving = 0;
  std::vector<CleanedFile> cleaned;

 private:
  static bool is_answer(const What& what) {
    return !std::holds_alternative<Moving>(what) && !std::holds_alternative<Waiting>(what) &&
           !std::holds_alternative<CleanedSome>(what);
  }

  Mutex mutex_;
  Condition came_;
  std::vector<Sight> sights_ GUARDED_BY(mutex_);
};

struct Shelf {
  explicit Shelf(MediaServer* server = nullptr, library::LibrarySettings settings = {})
      : sink{make(std::move(settings), server)} {}

  std::unique_ptr<Sink> make(library::LibrarySettings settings, MediaServer* server) {
    settings.store = kTestStore;
    if (settings.roots.movies.path.empty()) settings.roots.movies.path = b.movies();
    settings.download_roots = {b.downloads()};
    return library::make_library(std::move(settings), b.space, b.clock, server);
  }
  Parcel parcel(std::vector<SourceFile> sources) const {
    Parcel made{.job = JobId{1}, .fence = 1, .request = kRequest, .path = {}};
    for (const SourceFile& source : sources) made.size += source.size;
    made.sources = std::move(sources);
    return made;
  }
  What land(const Parcel& parcel) {
    sink->land(parcel, inbox);
    return inbox.next();
  }
  // The parcel after it has landed.
  Parcel landed(Parcel parcel) {
    const What answer = land(parcel);
    REQUIRE(std::holds_alternative<Landed>(answer));
    parcel.placed = std::get<Landed>(answer).files;
    parcel.evidence = std::get<Landed>(answer).evidence;
    return parcel;
  }
  std::string code(const What& answer) const {
    const auto* failed = std::get_if<Failed>(&answer);
    return failed ? failed->fault.code : "";
  }

  LibraryBench b;
  Answers inbox;
  std::unique_ptr<Sink> sink;  // Ends first.
};

}  // namespace

TEST_CASE("001: a film is imported, proven by reading it, and its source removed") {
  Shelf s;
  const Parcel parcel =
      s.landed(s.parcel({s.b.download("A.Film.2020.1080p/film.mkv", "the film")}));
  REQUIRE(parcel.placed.size() == 1);
  CHECK(LibraryBench::text_of(parcel.placed[0].path) == "the film");
  CHECK(is_json_text(parcel.evidence));

  Parcel to_verify = parcel;
  to_verify.sources.clear();  // As the flow does.
  s.sink->verify(to_verify, s.inbox);
  const What proof = s.inbox.next();
  REQUIRE(std::holds_alternative<Indexed>(proof));
  CHECK(std::get<Indexed>(proof).files == parcel.placed);
  CHECK(std::get<Indexed>(proof).by == "hash");

  s.sink->clean(parcel, s.inbox);
  const What end = s.inbox.next();
  REQUIRE(std::holds_alternative<Cleaned>(end));
  CHECK(std::get<Cleaned>(end).outcome == "deleted");
  CHECK((s.inbox.cleaned == std::vector<CleanedFile>{{"A.Film.2020.1080p/film.mkv", "deleted", "",
                                                      s.b.downloads().string()}}));
  CHECK(LibraryBench::tree(s.b.downloads()).empty());
}

TEST_CASE("the evidence says how each file came, and who was told") {
  FolderServer server;
  Shelf s{&server, {.methods = {ImportBy::copy}}};

  const What answer = s.land(s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")}));

  REQUIRE(std::holds_alternative<Landed>(answer));
  const auto& landed = std::get<Landed>(answer);
  CHECK(landed.told == "folder");
  const auto files = library::read_evidence(landed.evidence);
  REQUIRE(files.size() == 1);
  CHECK(files[0].how == "copy");
  CHECK(files[0].sha256.size() == 64);
  CHECK(server.told() ==
        std::vector<std::string>{fs::path{landed.files[0].path}.parent_path().string()});
}

TEST_CASE("S1-19: a media server is asked for path and size, and what it lists is the proof") {
  FolderServer server;
  Shelf s{&server};
  const Parcel parcel = s.landed(s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")}));

  s.sink->verify(parcel, s.inbox);
  const What proof = s.inbox.next();
  REQUIRE(std::holds_alternative<Indexed>(proof));
  CHECK(std::get<Indexed>(proof).by == "folder");
  CHECK(std::get<Indexed>(proof).match == "path");
  CHECK(server.asked().title == "A Film");
  CHECK(server.asked().kind == "movie");
  CHECK(server.asked().files ==
        std::vector<WantedFile>{{parcel.placed[0].path, parcel.placed[0].size}});

  fs::remove(parcel.placed[0].path);
  s.sink->verify(parcel, s.inbox);
  CHECK(std::holds_alternative<NotIndexed>(s.inbox.next()));
}

TEST_CASE("S1-19: a media server that cannot answer is no list without the file") {
  FolderServer server;
  Shelf s{&server};
  Parcel parcel = s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")});
  const auto fault = [](FaultKind kind, const char* code) { return Fault{kind, code, "x"}; };

  server.fail(fault(FaultKind::environment, "server_unreachable"));
  CHECK(s.code(s.land(parcel)) == "server_unreachable");
  server.fail(fault(FaultKind::retryable, "server_garbage"));
  const What not_told = s.land(parcel);
  REQUIRE(std::holds_alternative<Landed>(not_told));
  CHECK(std::get<Landed>(not_told).told.empty());
  server.fail(std::nullopt);
  parcel = s.landed(parcel);

  server.fail(fault(FaultKind::environment, "server_refused_token"));
  s.sink->verify(parcel, s.inbox);
  CHECK(s.code(s.inbox.next()) == "server_refused_token");
  server.fail(fault(FaultKind::retryable, "server_busy"));
  s.sink->verify(parcel, s.inbox);
  const What unseen = s.inbox.next();
  REQUIRE(std::holds_alternative<Unseen>(unseen));
  CHECK(std::get<Unseen>(unseen).code == "server_busy");
}

TEST_CASE(
    "a stop while the media server is asked is answered at once, and withdraws the question") {
  FolderServer server;
  server.set(FolderServer::Answers::never);
  Shelf s{&server};
  const Parcel parcel = s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")});
  s.sink->land(parcel, s.inbox);

  s.sink->stop(parcel, s.inbox);
  const What answer = s.inbox.next();

  CHECK((std::holds_alternative<Stopped>(answer) || s.code(answer) == "stopped_halfway"));
  s.sink.reset();
  CHECK(server.open_questions() == 0);
  CHECK(s.inbox.is_empty());
}

TEST_CASE("A1-8: progress is told while a film is copied, and a stop then leaves nothing behind") {
  Shelf s{nullptr, {.methods = {ImportBy::copy}}};
  const Parcel parcel =
      s.parcel({s.b.download("A.Film.2020/film.mkv", std::string(4U << 20U, 'f'))});
  s.inbox.on_sight = [&](const Sight& sight) {
    const auto* moving = std::get_if<Moving>(&sight.what);
    if (!moving) return;
    CHECK(moving->have == 1 << 20);
    CHECK(moving->size == 4 << 20);
    s.sink->stop(parcel, s.inbox);
  };

  CHECK(std::holds_alternative<Stopped>(s.land(parcel)));

  CHECK(s.inbox.moving == 1);
  CHECK(LibraryBench::tree(s.b.movies()) == "A Film (2020)/");
  CHECK(LibraryBench::text_of(s.b.downloads() / "A.Film.2020/film.mkv").size() == 4U << 20U);
}

TEST_CASE("S1-21: a release without a video, or without a place, waits for a person") {
  Shelf s;
  const What no_video = s.land(s.parcel({s.b.download("readme.txt", "text")}));
  CHECK(s.code(no_video) == "no_video");
  CHECK((std::get<Failed>(no_video).fault.kind == FaultKind::environment));

  Parcel series = s.parcel({s.b.download("Show.S01E01.mkv", "an episode")});
  series.request = R"({"kind":"series","title":"Show","release_name":"Show.S01E01"})";
  const What no_library = s.land(series);
  CHECK(s.code(no_library) == "no_library");
  CHECK(std::get<Failed>(no_library).fault.detail == "configure library.series");
}

TEST_CASE("S1-21: every episode of a season pack lands, with the bytes of its own file") {
  library::LibrarySettings settings;
  const TempFolder shelf;
  settings.roots.series.path = shelf.path();
  Shelf s{nullptr, settings};
  std::vector<SourceFile> sources;
  for (int i = 1; i <= 12; ++i)
    sources.push_back(
        s.b.download("Show.S01/Show.S01E" + std::to_string(100 + i).substr(1) + ".mkv",
                     "episode " + std::to_string(i)));
  Parcel parcel = s.parcel(sources);
  parcel.request = R"({"kind":"series","title":"Show","release_name":"Show.S01"})";

  parcel = s.landed(parcel);

  REQUIRE(parcel.placed.size() == 12);
  for (int i = 1; i <= 12; ++i) {
    const std::string number = std::to_string(100 + i).substr(1);
    CHECK(LibraryBench::text_of(shelf / ("Show/Season 01/Show - S01E" + number + ".mkv")) ==
          "episode " + std::to_string(i));
  }
}

TEST_CASE("S1-21: a dry run shows what the import then does, and changes nothing") {
  library::LibrarySettings settings{.methods = {ImportBy::hardlink, ImportBy::copy}};
  const TempFolder shelf;
  settings.roots.series.path = shelf.path();
  Shelf s{nullptr, settings};
  Parcel parcel = s.parcel({s.b.download("Show/one.mkv", "episode 1"),
                            s.b.download("Show/S01E02.mkv", "episode 2"),
                            s.b.download("Show/show.nfo", "text")});
  parcel.request = R"({"kind":"series","title":"Show","release_name":"Show.S01"})";
  const auto target = [&](const char* name) { return (shelf / "Show/Season 01" / name).string(); };

  const ImportPreview waits = s.sink->preview(parcel);
  REQUIRE(waits.problem);
  CHECK(waits.problem->code == "cannot_parse");
  CHECK(waits.problem->fix == "haul import 1 --file 'Show/one.mkv=S01E02'");
  CHECK(waits.files.size() == 3);
  CHECK((waits.files[0] ==
         PreviewFile{.source = "Show/one.mkv", .target = "", .how = "", .size = 9}));
  const What refused = s.land(parcel);
  CHECK(s.code(refused) == "cannot_parse");
  CHECK(std::get<Failed>(refused).fault.detail ==
        waits.problem->detail + ": " + waits.problem->fix);

  parcel.by_hand = {{"one.mkv", "S01E01"}};
  const ImportPreview plan = s.sink->preview(parcel);
  CHECK((plan.files == std::vector<PreviewFile>{{.source = "Show/S01E02.mkv",
                                                 .target = target("Show - S01E02.mkv"),
                                                 .how = "hardlink or copy",
                                                 .size = 9},
                                                {.source = "Show/one.mkv",
                                                 .target = target("Show - S01E01.mkv"),
                                                 .how = "hardlink or copy",
                                                 .size = 9},
                                                {.source = "Show/show.nfo",
                                                 .target = "",
                                                 .how = "skip",
                                                 .size = 4,
                                                 .reason = "not_video"}}));
  CHECK_FALSE(plan.problem);
  CHECK(LibraryBench::tree(shelf.path()).empty());

  parcel = s.landed(parcel);
  REQUIRE(parcel.placed.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(parcel.placed[i].path == plan.files[i].target);
  CHECK(LibraryBench::text_of(target("Show - S01E01.mkv")) == "episode 1");
}

TEST_CASE("S1-21: a dry run says that the library has another file in its place") {
  library::LibrarySettings settings;
  const TempFolder shelf;
  settings.roots.series.path = shelf.path();
  Shelf s{nullptr, settings};
  Parcel parcel = s.parcel({s.b.download("Show/S01E02.mkv", "episode 2")});
  parcel.request = R"({"kind":"series","title":"Show","release_name":"Show.S01"})";
  const auto reason = [&] { return s.sink->preview(parcel).files.at(0).reason; };
  const std::filesystem::path target = s.sink->preview(parcel).files.at(0).target;
  CHECK(reason().empty());

  LibraryBench::write(target, "another film");
  CHECK(reason() == "destination_taken");
  CHECK(s.code(s.land(parcel)) == "destination_taken");
  LibraryBench::write(target, "episode 2");  // Perhaps an earlier import of it.
  CHECK(reason().empty());

  std::filesystem::remove(target);
  std::filesystem::create_symlink("nowhere", target);
  CHECK(reason() == "destination_taken");
}

TEST_CASE("S1-21: before the files are known, a dry run only says whether words can be meant") {
  const Shelf s;
  Parcel parcel = s.parcel({});
  CHECK(s.sink->preview(parcel).problem->code == kFilesUnknown);
  parcel.by_hand = {{.path = {}, .as = "S01E02"}, {"a.mkv", "skip"}};
  CHECK(s.sink->preview(parcel).problem->code == kFilesUnknown);
  parcel.by_hand = {{.path = {}, .as = "banana"}};
  CHECK(s.sink->preview(parcel).problem->code == "cannot_parse");
}

TEST_CASE("Z-30: a request whose kind has no root is named, in a dry run too") {
  Shelf s;  // It has no root for series.
  const auto lack = [&](const char* request) { return s.sink->lack_for(request).text; };
  CHECK(lack(kRequest).empty());
  CHECK(lack(R"({"kind":"series","title":"S","release_name":"S"})") == "configure library.series");
  CHECK(lack(R"({"title":"S","release_name":"S.S01E02"})") == "configure library.series");
  CHECK(lack(R"({"title":"S","release_name":"S"})").empty());  // Its files may say it.
  CHECK(lack(R"({"kind":7})").empty());
  CHECK(lack("[").empty());

  Parcel parcel = s.parcel({s.b.download("film.mkv", "the film")});
  parcel.by_hand = {{.path = {}, .as = "S01E02"}};
  const ImportPreview preview = s.sink->preview(parcel);
  REQUIRE(preview.problem);
  CHECK(preview.problem->code == "no_library");
  CHECK(preview.problem->detail == "configure library.series");
}

TEST_CASE("too many tasks are refused at once, and one that is known already is not added") {
  FolderServer server;
  server.set(FolderServer::Answers::never);
  Shelf s{&server, {.tasks_max = 1}};
  Parcel parcel = s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")});
  s.sink->land(parcel, s.inbox);
  s.sink->land(parcel, s.inbox);
  CHECK(s.inbox.is_empty());

  parcel.job = JobId{2};
  s.sink->land(parcel, s.inbox);

  CHECK(s.code(s.inbox.next()) == "library_busy");
}

TEST_CASE("Z-30: a library without a root says what to configure") {
  LibraryBench b;
  const auto sink = library::make_library({.store = kTestStore}, b.space, b.clock, nullptr);
  CHECK(sink->not_ready().text == "configure library.movies or library.series");
  CHECK(Shelf{}.sink->not_ready().text.empty());
}

TEST_CASE("S1-6: two landings of one job end with one film, and the second adopts it") {
  Shelf s{nullptr, {.methods = {ImportBy::copy}}};
  Parcel parcel = s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")});
  Answers other;  // Of another worker, under the same lease.

  s.sink->land(parcel, s.inbox);
  s.sink->land(parcel, other);
  const What one = s.inbox.next();
  const What two = other.next();

  REQUIRE(std::holds_alternative<Landed>(one));
  REQUIRE(std::holds_alternative<Landed>(two));
  CHECK(std::get<Landed>(one).files == std::get<Landed>(two).files);
  CHECK(library::read_evidence(std::get<Landed>(two).evidence).at(0).how == "adopted");
  s.sink.reset();
}

TEST_CASE("Z-4: with a trash the sources of a film go there") {
  Shelf s{nullptr, {.clean_by = library::CleanBy::trashing}};
  const Parcel parcel = s.landed(s.parcel({s.b.download("A.Film.2020/film.mkv", "the film")}));

  s.sink->clean(parcel, s.inbox);

  CHECK(std::get<Cleaned>(s.inbox.next()).outcome == "trashed");
  CHECK(fs::exists(s.b.downloads() / ".haul-trash/a1b2c3d4e5f6-1/files/A.Film.2020/film.mkv"));
}

}  // namespace haul::testing
