// The engine that has haul fetch a film over HTTP, with linked jobs in memory and files on a disk.

#include "engine/linked/linked.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <map>

#include "support/io/fake_loop.h"
#include "support/io/hand_loop.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Is = LinkedJob::Is;

// The store's side: jobs by number, and which of them belongs to which order.
class FakeJobs final : public LinkedJobs {
 public:
  struct Fetch {
    LinkedJob job;
    std::vector<LinkedFile> files{};
    std::string url{};
  };

  Result<JobId> add(const Order& order, const std::string& url) override {
    asked += "add ";
    if (is_down) return down();
    if (url.empty())
      return std::unexpected{Fault{FaultKind::permanent, "missing_field", "url: required"}};
    const JobId id{++last_};
    jobs[id] = {.job = {.id = id, .folder = "/in"}, .url = url};
    own[order.job] = id;
    return id;
  }
  Result<JobId> find(const Order& order) override {
    if (is_down) return down();
    return own.contains(order.job) ? own.at(order.job) : JobId{};
  }
  Result<JobId> find_earlier(const Order& order) override {
    if (is_down) return down();
    return earlier.contains(order.job) ? earlier.at(order.job) : JobId{};
  }
  Result<std::vector<std::optional<LinkedJob>>> look(std::span<const JobId> ids) override {
    ++looks;
    if (is_down) return down();
    std::vector<std::optional<LinkedJob>> seen;
    for (const JobId id : ids)
      seen.push_back(jobs.contains(id) ? std::optional{jobs.at(id).job} : std::nullopt);
    return seen;
  }
  Result<std::vector<LinkedFile>> files(JobId job) override {
    if (is_down) return down();
    return jobs.at(job).files;
  }
  Result<void> cancel(JobId job) override {
    asked += fmt::format("cancel {} ", job.value);
    if (is_down) return down();
    if (stops_at_once) jobs.at(job).job.is = Is::cancelled;
    return {};
  }

  std::map<JobId, Fetch> jobs;
  std::map<JobId, JobId> own;
  std::map<JobId, JobId> earlier;
  std::string asked;
  int looks = 0;
  bool is_down = false;
  bool stops_at_once = true;

 private:
  static std::unexpected<Fault> down() {
    return std::unexpected{Fault{FaultKind::environment, "store_unavailable", "as the test says"}};
  }
  std::int64_t last_ = 100;
};

struct LinkedBench {
  TempFolder temp;
  HandClock clock;
  HandLoop loop{clock};
  FakeJobs jobs;
  Letters letters;
  std::unique_ptr<RemoteEngine> engine =
      linked::make_linked_engine(loop, jobs, {.roots = {temp.path()}});

  ~LinkedBench() {
    loop.is_closing = true;
    engine.reset();
  }

  static Order order(const std::string& handle = {}) {
    return {.store = "a1b2c3d4e5f6",
            .job = JobId{7},
            .fence = 3,
            .start = 5,
            .request = R"({"engine":"http","uri":"https://h/film.mkv"})",
            .handle = handle};
  }
  // A file of the linked job, on the disk.
  LinkedFile file(const std::string& name, const std::string& content) {
    const std::filesystem::path path = temp / "haul-7" / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << content;
    return {.path = path.string(), .size = static_cast<std::int64_t>(content.size())};
  }
  // When the disk says that a file was last written to.
  static Time written_at(const std::filesystem::path& path) {
    struct stat about{};
    REQUIRE(::stat(path.c_str(), &about) == 0);
    return from_unix_ms(about.st_mtim.tv_sec * 1'000 + about.st_mtim.tv_nsec / 1'000'000);
  }
  // An earlier life of the order has fetched this film, as the linked job 50.
  LinkedFile& was_fetched(const std::string& content) {
    LinkedFile film = file("film.mkv", content);
    struct stat about{};
    REQUIRE(::stat(film.path.c_str(), &about) == 0);
    film.inode = static_cast<std::int64_t>(about.st_ino);
    film.begun_at = written_at(film.path) - 1min;
    film.landed_at = written_at(film.path);
    jobs.earlier[JobId{7}] = JobId{50};
    jobs.jobs[JobId{50}] = {.job = {.id = JobId{50}, .is = Is::whole}, .files = {film}};
    return jobs.jobs.at(JobId{50}).files.front();
  }
  // The linked job 101 of the order, in this state.
  void is(Is is, std::vector<LinkedFile> files = {}) {
    jobs.own[JobId{7}] = JobId{101};
    jobs.jobs[JobId{101}] = {.job = {.id = JobId{101}, .is = is, .folder = "/in"},
                             .files = std::move(files)};
  }
  // The new sights: "accepted 101".
  std::string told() {
    loop.run();
    std::string text;
    for (const Sight& sight : letters.take()) {
      CHECK((sight.job == JobId{7}));
      CHECK(sight.fence == 3);
      CHECK(sight.start == 5);
      text += (text.empty() ? "" : ", ") + name_of(sight.what);
    }
    return text;
  }
  std::string start() {
    engine->start(order(), letters);
    return told();
  }
  std::string look(const std::string& handle = "101") {
    const Order its = order(handle);
    engine->look({&its, 1}, letters);
    return told();
  }
  std::string list(const std::string& handle = "101") {
    engine->list(order(handle), letters);
    return told();
  }
  std::string release(const std::string& handle = "101") {
    engine->release(order(handle), letters);
    return told();
  }
  std::string stop(const std::string& handle = "101") {
    engine->stop(order(handle), Leftovers::remove, letters);
    return told();
  }

 private:
  static std::string name_of(const What& what) {
    if (const auto* accepted = std::get_if<Accepted>(&what)) return "accepted " + accepted->handle;
    if (const auto* failed = std::get_if<Failed>(&what)) return "failed " + failed->fault.code;
    if (const auto* unseen = std::get_if<Unseen>(&what)) return "unseen " + unseen->code;
    if (const auto* waiting = std::get_if<Waiting>(&what)) return "waiting " + waiting->code;
    if (const auto* finished = std::get_if<haul::Finished>(&what))
      return finished->in_place ? fmt::format("finished {}", finished->size)
                                : "pending " + finished->why_not;
    if (const auto* listed = std::get_if<Listed>(&what)) {
      std::string text = "listed";
      for (const SourceFile& file : listed->files)
        text += fmt::format(" {}:{}", file.path, file.size);
      return text;
    }
    if (std::holds_alternative<Moving>(what)) return "moving";
    if (std::holds_alternative<Missing>(what)) return "missing";
    if (std::holds_alternative<Stopped>(what)) return "stopped";
    return std::holds_alternative<Released>(what) ? "released" : "?";
  }
};

}  // namespace

TEST_CASE(
    "engine http: a start adds one job for the film's address, however often it is repeated") {
  LinkedBench b;

  CHECK(b.start() == "accepted 101");
  CHECK(b.jobs.jobs.at(JobId{101}).url == "https://h/film.mkv");
  CHECK(b.start() == "accepted 101");
  CHECK(b.jobs.asked == "add ");
}

TEST_CASE("engine http: a retry takes the whole files of an earlier life, if they are all there") {
  LinkedBench b;
  b.was_fetched("0123456789");
  CHECK(b.start() == "accepted 50");
  CHECK(b.jobs.asked.empty());

  std::ofstream{b.temp / "haul-7/film.mkv", std::ios::app} << "more";
  CHECK(b.start() == "accepted 101");
  CHECK(b.jobs.asked == "add ");
}

TEST_CASE("engine http: a retry fetches again if another file of the same size has the place") {
  LinkedBench b;
  b.was_fetched("0123456789");
  // Both files exist at a time, so that the new one has another inode.
  b.file("other.mkv", "9876543210");
  std::filesystem::rename(b.temp / "haul-7/other.mkv", b.temp / "haul-7/film.mkv");

  CHECK(b.start() == "accepted 101");
}

TEST_CASE("engine http: a retry fetches again if the file was written to after it had landed") {
  const auto started = [](Millis written_after_landing) {
    LinkedBench b;
    LinkedFile& film = b.was_fetched("0123456789");
    const std::filesystem::path path{film.path};
    const Time written = LinkedBench::written_at(path);
    film.landed_at = written - written_after_landing;
    return b.start();
  };
  CHECK(started(0ms) == "accepted 50");
  CHECK(started(1ms) == "accepted 101");
}

TEST_CASE("engine http: a retry fetches again what is older than its batch, or hardly known") {
  const auto started = [](const std::function<void(LinkedFile&)>& change) {
    LinkedBench b;
    change(b.was_fetched("0123456789"));
    return b.start();
  };
  CHECK(started([](LinkedFile& film) { film.begun_at = LinkedBench::written_at(film.path); }) ==
        "accepted 50");
  CHECK(started([](LinkedFile& film) {
          film.begun_at = LinkedBench::written_at(film.path) + 1ms;
        }) == "accepted 101");
  CHECK(started([](LinkedFile& film) { film.inode = 0; }) == "accepted 101");
}

TEST_CASE("engine http: a request without an address, and a store that is away, fail the start") {
  LinkedBench b;
  Order order = LinkedBench::order();
  order.request = R"({"engine":"http"})";
  b.engine->start(order, b.letters);
  CHECK(b.told() == "failed missing_field");

  b.jobs.is_down = true;
  CHECK(b.start() == "failed store_unavailable");
  b.jobs.is_down = false;
  CHECK(b.start() == "accepted 101");
}

TEST_CASE("engine http: a look reports what the linked job comes to") {
  LinkedBench b;
  CHECK(b.look() == "missing");
  CHECK(b.look("0123456789abcdef0123456789abcdef01234567") == "missing");

  b.is(Is::waiting);
  CHECK(b.look() == "waiting queued_in_client");
  b.is(Is::fetching);
  CHECK(b.look() == "moving");
  b.is(Is::failed);
  CHECK(b.look() == "failed linked_job_failed");
  b.is(Is::cancelled);
  CHECK(b.look() == "missing");
  b.is(Is::whole, {b.file("a.mkv", "12345"), b.file("b.srt", "123")});
  CHECK(b.look() == "finished 8");

  b.jobs.is_down = true;
  CHECK(b.look() == "unseen store_unavailable");
}

TEST_CASE("engine http: a look at many films is one question to the store") {
  LinkedBench b;
  b.is(Is::fetching);
  const std::vector<Order> orders(20, LinkedBench::order("101"));
  b.engine->look(orders, b.letters);
  b.loop.run();

  CHECK(b.letters.take().size() == 20);
  CHECK(b.jobs.looks == 1);
}

TEST_CASE(
    "Z-4: the files of a linked job are listed as the film's own, beneath the download root") {
  LinkedBench b;
  b.is(Is::whole, {b.file("a.mkv", "12345"), b.file("sub/b.srt", "123")});

  CHECK(b.list() == "listed haul-7/a.mkv:5 haul-7/sub/b.srt:3");
  CHECK(b.release() == "released");
}

TEST_CASE("Z-4, S1-11: a file that is grown, a link or beneath no root is not listed") {
  LinkedBench b;
  const LinkedFile film = b.file("film.mkv", "0123456789");

  b.is(Is::whole, {{.path = film.path, .size = 11}});
  CHECK(b.list() == "failed size_differs");
  CHECK(b.look() == "pending size_differs");
  std::filesystem::create_symlink(film.path, b.temp / "haul-7/link.mkv");
  b.is(Is::whole, {{.path = (b.temp / "haul-7/link.mkv").string(), .size = 10}});
  CHECK(b.list() == "failed path_refused");
  for (const char* path : {"/etc/passwd", "film.mkv", "", "/in/../etc/passwd"}) {
    b.is(Is::whole, {{.path = path, .size = 10}});
    CHECK(b.list() == "failed path_refused");
  }
  b.is(Is::whole);
  CHECK(b.list() == "failed no_files");
}

TEST_CASE("engine http: a fetched file that is gone fails the film, in a look and in a list") {
  LinkedBench b;
  const LinkedFile film = b.file("film.mkv", "0123456789");
  b.is(Is::whole, {film});
  CHECK(b.look() == "finished 10");

  std::filesystem::remove(film.path);
  CHECK(b.look() == "failed missing_files");
  CHECK(b.list() == "failed missing_files");
  std::ofstream{b.temp / "other"} << "1";
  std::filesystem::remove(b.temp / "haul-7");  // The folder is gone, too.
  CHECK(b.look() == "failed missing_files");
}

TEST_CASE("engine http: a download root that is gone or empty is waited for, not taken for lost") {
  LinkedBench b;
  const LinkedFile film = b.file("film.mkv", "0123456789");
  b.is(Is::whole, {film});
  std::filesystem::remove_all(b.temp / "haul-7");
  CHECK(b.look() == "pending root_not_mounted");
  CHECK(b.list() == "failed root_not_mounted");

  std::filesystem::remove(b.temp.path());
  CHECK(b.look() == "pending root_not_mounted");
  b.file("film.mkv", "0123456789");
  CHECK(b.look() == "finished 10");
}

TEST_CASE("engine http: a file that is gone behind a link is not taken for lost") {
  LinkedBench b;
  b.file("film.mkv", "0123456789");
  std::filesystem::create_directory_symlink(b.temp / "haul-7", b.temp / "way");
  b.is(Is::whole, {{.path = (b.temp / "way/none.mkv").string(), .size = 10}});
  CHECK(b.look() == "pending path_refused");
}

TEST_CASE("engine http: a cancel removes the linked job's own folder, if it is empty") {
  // Whether the folder of this name is left after the cancel.
  const auto is_left = [](const std::string& folder, const std::string& file = {}) {
    LinkedBench b;
    b.is(Is::fetching);
    b.jobs.jobs.at(JobId{101}).job.folder = (b.temp / folder).string();
    std::filesystem::create_directories(b.temp / folder);
    if (!file.empty()) std::ofstream{b.temp / folder / file} << "1";
    CHECK(b.stop() == "stopped");
    return std::filesystem::exists(b.temp / folder);
  };
  CHECK_FALSE(is_left("haul-a1b2c3d4e5f6-7"));
  CHECK_FALSE(is_left("haul-a1b2c3d4e5f6-7-1"));
  CHECK(is_left("haul-a1b2c3d4e5f6-7", "film.mkv"));
  CHECK(is_left("haul-a1b2c3d4e5f6-77"));    // Of another film,
  CHECK(is_left("haul-a1b2c3d4e5f6-7-x"));   // of no film,
  CHECK(is_left("haul-b1b2c3d4e5f6-7"));     // of another store,
  CHECK(is_left("haul-a1b2c3d4e5f6-7/in"));  // or not directly in the root.
  CHECK(is_left(""));
}

TEST_CASE("a linked job that is not complete is neither listed nor released") {
  LinkedBench b;
  b.is(Is::fetching);
  CHECK(b.list() == "failed asset_pending");
  CHECK(b.release() == "failed asset_pending");

  b.is(Is::cancelled);
  CHECK(b.list() == "missing");
  CHECK(b.release() == "released");
  CHECK(b.list("999") == "missing");
  CHECK(b.release("999") == "released");

  b.jobs.is_down = true;
  CHECK(b.list() == "failed store_unavailable");
  CHECK(b.release() == "failed store_unavailable");
}

TEST_CASE("a cancel of the film cancels the linked job, also one whose number was never stored") {
  for (const char* handle : {"101", ""}) {
    LinkedBench b;
    b.is(Is::fetching);
    CHECK(b.stop(handle) == "stopped");
    CHECK(b.jobs.asked == "cancel 101 ");
    CHECK((b.jobs.jobs.at(JobId{101}).job.is == Is::cancelled));
  }
  LinkedBench b;
  CHECK(b.stop("") == "stopped");  // Nothing was added.
  CHECK(b.jobs.asked.empty());
}

TEST_CASE("promise 15: a stop is answered when the linked job has stopped, or after two seconds") {
  LinkedBench b;
  b.is(Is::fetching);
  b.jobs.stops_at_once = false;

  CHECK(b.stop().empty());
  b.clock.pass(100ms);
  CHECK(b.told().empty());
  b.jobs.jobs.at(JobId{101}).job.is = Is::cancelled;
  b.clock.pass(100ms);
  CHECK(b.told() == "stopped");

  b.is(Is::fetching);
  CHECK(b.stop().empty());
  std::string told;
  int steps = 0;
  for (; told.empty() && steps < 20; ++steps) {
    b.clock.pass(100ms);
    told = b.told();
  }
  CHECK(told == "failed client_slow");
  CHECK(steps == 18);
}

TEST_CASE("a stop that waits asks no more once the engine is gone") {
  LinkedBench b;
  b.is(Is::fetching);
  b.jobs.stops_at_once = false;
  CHECK(b.stop().empty());
  const int looks = b.jobs.looks;

  b.loop.is_closing = true;
  b.engine.reset();
  b.clock.pass(100ms);
  CHECK(b.told().empty());
  CHECK(b.jobs.looks == looks);
  b.engine = linked::make_linked_engine(b.loop, b.jobs, {.roots = {b.temp.path()}});
}

}  // namespace haul::testing
