// Removes the files of deleted jobs: which ones, and what becomes of the rest.

#include "app/file_purge.h"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>

#include "lifecycle/tables.h"
#include "store/open.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

class PurgeBench {
 public:
  PurgeBench() : PurgeBench{open_test_store(Bench::kStart), {}} {}
  PurgeBench(std::unique_ptr<Store> store, const fs::path& in)
      : root{in.empty() ? temp / "in" : in}, b{std::move(store)} {
    fs::create_directories(root);
    fs::create_directories(temp / "films");
  }

  // A running batch whose folder is this one below the root.
  JobId run(const std::string& folder = "") {
    const NewJob job{.lifecycle = &kBatch,
                     .request = fmt::format(R"({{"folder":"{}","url":"https://h/{}"}})",
                                            (root / folder).string(), ++jobs_)};
    const JobId id = b.add(job).value().id;
    REQUIRE(b.claim(kBatch).version.id == id);
    return id;
  }
  // Writes files and lands them as the items of a new batch, which then ends. Paths are below the
  // root.
  JobId land(const std::vector<std::string>& paths, const std::string& folder = "",
             const std::string& text = "bytes") {
    const JobId id = run(folder);
    std::vector<NewItem> items;
    for (const std::string& path : paths)
      items.push_back(
          {.key = "https://h/" + path, .url = "https://h/" + path, .size = {}, .skip = {}});
    REQUIRE(b.store().items().add(b.hold(id), items, Enumeration::complete, b.now()));
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const fs::path path = root / paths[i];
      fs::create_directories(path.parent_path());
      if (!fs::exists(path)) std::ofstream{path} << text;
      land_item(id, static_cast<std::int64_t>(i + 1), path, LandAs::own);
    }
    REQUIRE(b.ask(id, On::done));
    return id;
  }
  // A batch that found the file of an earlier one.
  JobId find(const std::string& path) {
    const JobId id = run();
    const NewItem item{
        .key = "https://h/" + path, .url = "https://h/" + path, .size = {}, .skip = {}};
    REQUIRE(b.store().items().add(b.hold(id), {&item, 1}, Enumeration::complete, b.now()));
    land_item(id, 1, root / path, LandAs::here_already);
    REQUIRE(b.ask(id, On::done));
    return id;
  }
  void remove(JobId id) { REQUIRE(b.jobs().hide(b.version(id), OwnFiles::remove, b.now())); }

  // Steps until there is no more to do now.
  void work() {
    for (int i = 0; i < 100; ++i)
      if (purge.step() >= Millis{1'000}) return;
    FAIL("it does not come to an end");
  }
  // "removed 1 gone 0 kept 1: reason" with "waits: …" or "done".
  std::string became(JobId id) {
    const Purge seen = b.store().purges().find(id).value();
    std::string text =
        fmt::format("removed {} gone {} kept {}", seen.removed, seen.gone, seen.kept);
    for (const std::string& reason : seen.reasons)
      text += "; " + reason.substr(reason.find(": ") + 2);
    return text + (seen.ended_at ? "" : "; waits: " + seen.detail);
  }
  std::set<std::string> left() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator{root})
      names.insert(entry.path().lexically_relative(root).string());
    return names;
  }

  TempFolder temp;
  fs::path root;
  Bench b;
  bool may_remove = true;
  int told = 0;
  io::Destinations destinations{.root = root, .barred = {root / "data"}, .also = {root / "films"}};
  app::FilePurge purge{b.store(), system_clock(), destinations, [this] { return may_remove; },
                       [this](const Purge&) { ++told; }};

 private:
  enum class LandAs : std::uint8_t { own, here_already };

  void land_item(JobId id, std::int64_t n, const fs::path& path, LandAs as) {
    const auto folder = io::Folder::open(path.parent_path(), io::Folder::Missing::fault).value();
    const io::FileSeen seen = folder.look(path.filename().string()).value();
    const bool is_own = as == LandAs::own;
    const std::vector<ItemMove> moves{
        {.n = n, .from = "PENDING", .on = On::start},
        {.n = n,
         .from = "DOWNLOADING",
         .on = On::landed,
         .path = path.string(),
         .size = seen.mark.size,
         .checkpoint = is_own ? fmt::format(R"({{"inode":{}}})", seen.mark.inode) : "",
         .proof = {Proof::evidence, fmt::format(R"({{"kind":"{}","mtime":"{}"}})",
                                                is_own ? "size" : "already_here", seen.mtime)},
         .holds = {Guard::file_exists}}};
    for (const ItemAnswer& moved : b.store().items().move(b.hold(id), moves, system_clock().now()))
      REQUIRE(moved);
  }

  int jobs_ = 0;
};

using Names = std::set<std::string>;

// Makes a step in another process, which is killed at the nth question whether it may go on, or at
// a commit. Whether it was killed.
bool step_elsewhere(const std::string& url, const fs::path& root, int kill_at) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      int asked = 0;
      const auto ask = [&] {
        if (++asked == kill_at) ::kill(::getpid(), SIGKILL);
      };
      StoreOptions options;
      options.around_commit = [&](CommitPhase) { ask(); };
      const auto store = open_store(url, options, Bench::kStart);
      app::FilePurge purge{*store,
                           system_clock(),
                           {.root = root, .barred = {}},
                           [&] {
                             ask();
                             return true;
                           },
                           [](const Purge&) {}};
      purge.step();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) REQUIRE(WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

}  // namespace

TEST_CASE("a deleted job's files go if its user asked for that, and others' stay") {
  PurgeBench t;
  const JobId kept = t.land({"kept"});
  const JobId id = t.land({"a", "b"});
  std::ofstream{t.root / "of a user"} << "x";
  REQUIRE(t.b.jobs().hide(t.b.version(kept), OwnFiles::keep, t.b.now()));
  t.work();
  CHECK(t.left() == Names{"kept", "a", "b", "of a user"});

  t.remove(id);
  t.work();

  CHECK(t.left() == Names{"kept", "of a user"});
  CHECK(t.became(id) == "removed 2 gone 0 kept 0");
  CHECK(t.b.store().purges().find(id)->bytes == 10);
  CHECK(t.b.event_types(id).ends_with("FILES_UNWANTED FILES_REMOVED"));
  CHECK(t.told == 1);
}

TEST_CASE("promise 10: a changed file, one that is gone and one outside are told apart, and stay") {
  PurgeBench t;
  const JobId id = t.land({"same", "gone", "changed", "sub/linked"});
  fs::remove(t.root / "gone");
  std::ofstream{t.root / "changed"} << "longer than before";
  fs::rename(t.root / "sub", t.temp / "elsewhere");
  fs::create_directory_symlink(t.temp / "elsewhere", t.root / "sub");

  t.remove(id);
  t.work();

  CHECK(t.left() == Names{"changed", "sub"});
  CHECK(fs::exists(t.temp / "elsewhere" / "linked"));
  const std::string became = t.became(id);
  CHECK(became.starts_with("removed 1 gone 1 kept 2; it has 18 bytes, but 5 when it landed; "));
}

TEST_CASE("promise 10: nothing outside of the download folder, in haul's data or in films' goes") {
  PurgeBench t;
  const JobId inside = t.land({"data/a", "films/b"});
  const JobId outside = t.land({"../films/c"});
  t.remove(inside);
  t.remove(outside);
  t.work();

  CHECK(t.left() == Names{"data", "data/a", "films", "films/b"});
  CHECK(fs::exists(t.temp / "films" / "c"));
  CHECK(t.became(inside).starts_with("removed 0 gone 0 kept 2; "));
  CHECK(t.became(inside).ends_with("; it is in a folder of films, whose own jobs remove it"));
  CHECK(t.became(outside).starts_with("removed 0 gone 0 kept 1; "));
}

TEST_CASE("a file that another job has a receipt of stays, until that job is deleted with it") {
  PurgeBench t;
  const JobId first = t.land({"a"});
  const JobId second = t.find("a");
  t.remove(first);
  t.work();
  CHECK(t.left() == Names{"a"});
  CHECK(t.became(first) ==
        fmt::format("removed 0 gone 0 kept 1; job {} has it, too", second.value));

  t.remove(second);
  t.work();

  CHECK(t.left().empty());
  CHECK(t.became(second) == "removed 1 gone 0 kept 0");
}

TEST_CASE("while a job downloads the same address its files wait, and the others' do not") {
  PurgeBench t;
  const JobId id = t.land({"a"});
  const JobId other = t.land({"b"});
  const JobId runs = t.run();
  const NewItem item{.key = "https://h/a", .url = "https://h/a", .size = {}, .skip = {}};
  REQUIRE(t.b.store().items().add(t.b.hold(runs), {&item, 1}, Enumeration::complete, t.b.now()));
  t.remove(id);
  t.remove(other);
  t.work();
  t.work();
  CHECK(t.left() == Names{"a"});
  CHECK(t.became(id) == fmt::format("removed 0 gone 0 kept 0; waits: job {} downloads the same "
                                    "address, and may use the file",
                                    runs.value));
  CHECK(t.became(other) == "removed 1 gone 0 kept 0");
  CHECK(t.told == 2);

  REQUIRE(t.b.ask(runs, On::cancel));
  t.work();

  CHECK(t.left().empty());
  CHECK(t.became(id) == "removed 1 gone 0 kept 0");
}

TEST_CASE("empty folders below the job's own go; the job's own, the root and others' stay") {
  PurgeBench t;
  fs::create_directories(t.root / "jobs" / "empty");
  const JobId id = t.land({"jobs/x/y/a", "jobs/x/b", "jobs/z/c"}, "jobs");
  std::ofstream{t.root / "jobs" / "z" / "of a user"} << "x";

  t.remove(id);
  t.work();

  CHECK(t.left() == Names{"jobs", "jobs/empty", "jobs/z", "jobs/z/of a user"});
  PurgeBench whole;
  whole.remove(whole.land({"a"}));
  whole.work();
  CHECK(fs::exists(whole.root));
}

TEST_CASE("Z-31: nothing goes in a restored store, nor by a process without the duty") {
  PurgeBench t;
  const JobId id = t.land({"a"});
  t.remove(id);
  t.may_remove = false;
  t.work();
  CHECK(t.left() == Names{"a"});
  t.may_remove = true;
  t.b.store().identity().mark_restored(t.b.now());
  t.work();
  CHECK(t.left() == Names{"a"});

  t.b.store().identity().clear_restored(kAdmin, t.b.now());
  t.work();
  CHECK(t.left().empty());
}

TEST_CASE(
    "a download folder that is missing, as that of a disk that is not mounted, is waited for") {
  PurgeBench t;
  const JobId id = t.land({"a"});
  t.remove(id);
  fs::rename(t.root, t.temp / "away");
  t.work();
  CHECK(t.became(id).starts_with("removed 0 gone 0 kept 0; waits: "));

  fs::rename(t.temp / "away", t.root);
  t.work();

  CHECK(t.left().empty());
  CHECK(t.became(id) == "removed 1 gone 0 kept 0");
}

TEST_CASE("a step looks at 100 items, and the next one goes on where it ended") {
  PurgeBench t;
  std::vector<std::string> paths;
  for (int i = 0; i < 150; ++i) paths.push_back(fmt::format("f{}", i));
  const JobId id = t.land(paths);
  t.remove(id);

  t.purge.step();
  CHECK(t.left().size() == 50);
  CHECK(t.became(id) == "removed 100 gone 0 kept 0; waits: ");
  t.work();

  CHECK(t.left().empty());
  CHECK(t.became(id) == "removed 150 gone 0 kept 0");
}

TEST_CASE("of many files that stay, the first 20 reasons are kept, and all are counted") {
  PurgeBench t;
  std::vector<std::string> paths;
  for (int i = 0; i < 25; ++i) paths.push_back(fmt::format("f{}", i));
  const JobId id = t.land(paths);
  for (const std::string& path : paths) std::ofstream{t.root / path} << "longer than before";
  t.remove(id);
  t.work();

  const Purge seen = t.b.store().purges().find(id).value();
  CHECK(seen.kept == 25);
  CHECK(seen.reasons.size() == 20);
  CHECK(t.left().size() == 25);
}

TEST_CASE("kill -9 before a removal, after it, and before it is recorded: all is done, once") {
  const TempFolder place;
  int kills = 0;
  for (bool was_killed = true; was_killed; kills += was_killed ? 1 : 0) {
    CAPTURE(kills);
    const fs::path folder = place / std::to_string(kills);
    const std::string url = store_url(folder / "data");
    JobId id;
    {
      PurgeBench t{open_store(url, {}, Bench::kStart), folder / "in"};
      id = t.land({"a", "sub/b"});
      t.remove(id);
    }

    was_killed = step_elsewhere(url, folder / "in", kills + 1);

    PurgeBench t{open_store(url, {}, Bench::kStart), folder / "in"};
    t.work();
    CHECK(t.left().empty());
    const Purge seen = t.b.store().purges().find(id).value();
    CHECK(seen.removed + seen.gone == 2);
    CHECK(seen.kept == 0);
    CHECK(seen.ended_at);
    CHECK(t.b.event_types(id).ends_with("HIDDEN FILES_UNWANTED FILES_REMOVED"));
  }
  CHECK(kills >= 6);
}

}  // namespace haul::testing
