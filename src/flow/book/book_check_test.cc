#include "flow/book/book_check.h"

#include <doctest/doctest.h>

#include "flow/worker/own_duties.h"
#include "support/flow/script.h"
#include "support/store/bench.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;
using Is = FilePresence::Is;

namespace {

// Books on a scripted disk. A file exists unless the test says otherwise.
struct BookCheckBench {
  Bench b;
  HandClock clock;
  std::map<std::string, FilePresence> disk;
  std::size_t looks = 0;
  std::function<bool()> may_write = [] { return true; };
  flow::BookCheck check{b.store(),
                        clock,
                        [this](const std::string& path) {
                          ++looks;
                          const auto found = disk.find(path);
                          return found == disk.end() ? FilePresence{.is = Is::there, .device = 1}
                                                     : found->second;
                        },
                        {.check_every = 10min, .missing_after = 60s},
                        [this] { return may_write(); }};

  JobId land(const std::string& book, const std::string& type = "text") {
    const JobId id = b.reach(kBook, "downloading");
    Ask ask = b.draft(id, On::landed);
    ask.assets = {AssetFacts{.book = book,
                             .title = book,
                             .media_type = type,
                             .path = "/books/" + book + "." + type,
                             .size = 1,
                             .checksum = {},
                             .source_url = "https://tracker/" + book,
                             .source = "jackett"}};
    REQUIRE(b.ask(ask).has_value());
    return id;
  }
  void remove(const std::string& path) {
    disk[path] = {.is = Is::gone, .device = 1, .folder = "/books"};
  }
  // Lets time pass and steps the check as often as it asks for, at most once a second.
  void pass(Millis time) {
    while (time > Millis{0}) {
      const Millis wait = std::min(std::max<Millis>(check.step(), 1s), time);
      b.after(wait);
      clock.pass(wait);
      time -= wait;
    }
    check.step();
  }
  std::string shelf(const std::string& book) { return b.store().catalog().book(book)->shelf; }
  Asset asset(const std::string& book) { return b.store().catalog().assets_of(book).at(0); }
};

}  // namespace

TEST_CASE("S0-28: a file that is gone is missing after the grace, and its book in the archive") {
  BookCheckBench l;
  const JobId job = l.land("dune");
  l.land("emma");
  l.pass(1s);
  l.remove("/books/dune.text");

  l.pass(599s);  // The second walk finds it gone.
  CHECK(l.shelf("dune") == "library");
  l.pass(59s);
  CHECK(l.shelf("dune") == "library");
  l.pass(1s);

  CHECK(l.shelf("dune") == "archive");
  CHECK(l.asset("dune").status == "missing");
  CHECK(l.asset("dune").source_url == "https://tracker/dune");
  CHECK(l.asset("dune").removed_at.has_value());
  CHECK(l.shelf("emma") == "library");
  const auto events = l.b.store().events().of(job, {}, 100);
  CHECK(events.back().type == "ASSET_LOST");
  CHECK(events.back().data.find("\"path\":\"/books/dune.text\"") != std::string::npos);
}

TEST_CASE("a process that lost the duty while it looked at the disk writes nothing") {
  BookCheckBench l;
  const WorkerId first = l.b.store().workers().enlist("first", l.b.now());
  const WorkerId second = l.b.store().workers().enlist("second", l.b.now());
  flow::OwnDuties one{l.b.store(), l.clock, 2s};
  flow::OwnDuties two{l.b.store(), l.clock, 2s};
  REQUIRE(one.take("book_check", first));
  Duty duty = one.held("book_check").value();
  l.may_write = [&] { return l.b.store().duties().holds(duty); };
  l.land("dune");
  l.land("emma");
  l.remove("/books/dune.text");
  l.pass(59s);
  two.see_silent({first, l.b.store().workers().find(first)->beat});
  REQUIRE(two.take("book_check", second));

  l.pass(1s);
  CHECK(l.shelf("dune") == "library");

  two.give_all(second);
  REQUIRE(one.take("book_check", first));
  duty = one.held("book_check").value();
  l.pass(11min);  // The next walk finds it again, and the grace passes again.
  CHECK(l.shelf("dune") == "archive");
  CHECK(l.shelf("emma") == "library");
}

TEST_CASE("S0-28: a book with another file stays in the library") {
  BookCheckBench l;
  l.land("dune");
  l.land("dune", "audio");
  l.remove("/books/dune.text");

  l.pass(12min);

  CHECK(l.shelf("dune") == "library");
  CHECK(l.b.store().catalog().assets_of("dune").at(1).status == "missing");
}

TEST_CASE("a file that is back before the grace is over was never missing") {
  BookCheckBench l;
  l.land("dune");
  l.remove("/books/dune.text");
  l.pass(30s);
  l.disk.clear();

  l.pass(20min);

  CHECK(l.shelf("dune") == "library");
}

TEST_CASE("a file that was fetched again elsewhere meanwhile is not missing") {
  BookCheckBench l;
  l.land("dune");
  l.remove("/books/dune.text");
  l.pass(30s);
  l.disk.clear();
  const JobId again = l.land("dune");
  l.remove("/nowhere");

  l.pass(20min);

  CHECK(l.shelf("dune") == "library");
  CHECK((l.asset("dune").job == again));
}

TEST_CASE("what cannot be looked at is not missing, however long") {
  BookCheckBench l;
  l.land("dune");
  l.disk["/books/dune.text"] = {.is = Is::unknown};

  l.pass(48h);

  CHECK(l.shelf("dune") == "library");
}

TEST_CASE("a disk that is not mounted takes nothing from the library") {
  BookCheckBench l;
  l.land("dune");
  l.pass(1s);  // The check sees the file on disk 1.

  l.disk["/books/dune.text"] = {.is = Is::gone, .device = 2, .folder = "/books", .is_bare = true};
  l.pass(1h);
  CHECK(l.shelf("dune") == "library");

  // The disk is mounted again and the file is deleted: its folder is empty, on the file's own disk.
  l.disk["/books/dune.text"] = {.is = Is::gone, .device = 1, .folder = "/books", .is_bare = true};
  l.pass(12min);
  CHECK(l.shelf("dune") == "archive");
}

TEST_CASE("whether a file was deleted: what is left of its folder, and on which disk, tells") {
  const FilePresence left{.is = Is::gone, .device = 1, .folder = "/b"};
  const FilePresence bare{.is = Is::gone, .device = 1, .folder = "/b", .is_bare = true};

  CHECK(flow::is_deleted(left, std::nullopt));
  CHECK(flow::is_deleted(left, 1));
  CHECK(flow::is_deleted(bare, 1));
  CHECK_FALSE(flow::is_deleted(bare, std::nullopt));
  CHECK_FALSE(flow::is_deleted(bare, 2));
  CHECK_FALSE(flow::is_deleted(left, 2));
  CHECK_FALSE(flow::is_deleted({.is = Is::there, .device = 1}, 1));
  CHECK_FALSE(flow::is_deleted({.is = Is::unknown}, 1));
}

TEST_CASE("a large library is walked in steps, each file once a walk") {
  BookCheckBench l;
  for (int i = 0; i < 401; ++i) l.land("b" + std::to_string(i));

  CHECK(l.check.step() == 100ms);
  CHECK(l.looks == 200);
  CHECK(l.check.step() == 100ms);
  CHECK(l.check.step() == 10min);
  CHECK(l.looks == 401);
  l.clock.pass(599s);
  l.check.step();
  CHECK(l.looks == 401);
  l.clock.pass(1s);
  l.check.step();
  CHECK(l.looks == 601);
}
