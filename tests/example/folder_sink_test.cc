// The example of a sink, where the conformance suite cannot look: two landings of one job, and what
// the lander reports at the wrong moment. The loop and the lander run on the test's thread.

#include "example/folder_sink.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "support/io/at_once_loop.h"
#include "support/io/fake_lander.h"
#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::example {
namespace {

namespace fs = std::filesystem;

using testing::FakeLander;

// The answers in order: "landed 2", "stopped", "failed name_taken".
class Answers final : public Inbox {
 public:
  std::vector<std::string> all;
  std::vector<PlacedFile> placed;  // Of the last Landed.

  void push(Sight sight) override {
    if (const auto* landed = std::get_if<Landed>(&sight.what)) {
      all.push_back("landed " + std::to_string(landed->files.size()));
      placed = landed->files;
    }
    if (const auto* failed = std::get_if<Failed>(&sight.what))
      all.push_back("failed " + failed->fault.code);
    if (std::holds_alternative<Stopped>(sight.what)) all.emplace_back("stopped");
    if (const auto* cleaned = std::get_if<Cleaned>(&sight.what)) all.push_back(cleaned->outcome);
  }
};

using List = std::vector<std::string>;

struct SinkOnThread {
  testing::TempFolder sources;
  testing::TempFolder library;
  testing::AtOnceLoop loop;
  FakeLander lander;
  Answers answers;
  std::unique_ptr<Sink> sink = make("a1b2c3d4e5f6");

  std::unique_ptr<Sink> make(const std::string& store) {
    return make_folder_sink(loop, lander, {.library = library.path(), .store = store});
  }
  void add(const std::string& name, const std::string& text) const {
    std::ofstream{sources / name} << text;
  }
  Parcel parcel(std::int64_t fence = 1) const {
    return {.job = JobId{1}, .fence = fence, .request = "{}", .path = sources.path().string()};
  }
  // Whether a small file has no part that a stop could remove.
  bool has_unnamed() const {
    const auto folder = io::Folder::open(library.path(), io::Folder::Missing::fault);
    if (folder->create_unnamed()) return true;
    testing::skip("this file system has no files without a name");
    return false;
  }
  // The contents of all files in the library.
  std::multiset<std::string> contents() const {
    std::multiset<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator{library.path()}) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file{entry.path()};
      found.emplace(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
    }
    return found;
  }
};

using Contents = std::multiset<std::string>;

}  // namespace

TEST_CASE("folder sink: a stopped landing takes back nothing that another landing has reported") {
  SinkOnThread b;
  b.add("a.bin", "one");
  b.add("b.bin", std::string(100'000, 'x'));  // Large: it is a part while it lands.
  Answers first;
  b.lander.holds = true;
  b.sink->land(b.parcel(1), first);
  b.lander.run();  // The first file lands, and the second waits.
  b.lander.holds = false;
  b.sink->land(b.parcel(2), b.answers);
  CHECK(b.answers.all == List{"landed 2"});

  b.sink->stop(b.parcel(1), first);
  b.lander.run();

  CHECK(first.all == List{"failed stopped_halfway"});
  CHECK((b.contents() == Contents{"one", std::string(100'000, 'x')}));
}

TEST_CASE("folder sink: a stop that comes while the last file lands is answered with Landed") {
  SinkOnThread b;
  b.add("a.bin", "one");
  if (!b.has_unnamed()) return;
  b.lander.holds = true;
  b.sink->land(b.parcel(), b.answers);

  b.sink->stop(b.parcel(), b.answers);
  b.lander.run();

  CHECK(b.answers.all == List{"landed 1"});
  CHECK((b.contents() == Contents{"one"}));
}

TEST_CASE(
    "folder sink: a landing that is stopped before its first file has landed leaves nothing") {
  SinkOnThread b;
  b.add("a.bin", std::string(100'000, 'x'));
  b.lander.holds = true;
  b.sink->land(b.parcel(), b.answers);

  b.sink->stop(b.parcel(), b.answers);
  b.lander.run();

  CHECK(b.answers.all == List{"stopped"});
  CHECK(b.contents().empty());
}

TEST_CASE("folder sink: a file that is there unflushed after a stop is not called stopped") {
  SinkOnThread b;
  b.add("a.bin", "one");
  if (!b.has_unnamed()) return;
  b.lander.holds = true;
  b.lander.fails = FakeLander::Fails::after;
  b.sink->land(b.parcel(), b.answers);

  b.sink->stop(b.parcel(), b.answers);
  b.lander.run();

  CHECK(b.answers.all == List{"failed disk_error"});
  CHECK((b.contents() == Contents{"one"}));
}

TEST_CASE(
    "folder sink: a copy that an earlier landing left unflushed is flushed before it counts") {
  SinkOnThread b;
  b.add("a.bin", "one");
  b.lander.fails = FakeLander::Fails::after;
  b.sink->land(b.parcel(1), b.answers);
  REQUIRE(b.answers.all == List{"failed disk_error"});

  b.sink->land(b.parcel(2), b.answers);
  CHECK(b.answers.all.back() == "failed disk_error");
  b.lander.fails = FakeLander::Fails::never;
  b.sink->land(b.parcel(3), b.answers);

  CHECK(b.answers.all.back() == "landed 1");
  REQUIRE(b.lander.tasks.size() == 3);
  CHECK(b.lander.tasks.back().named == io::NamedAs::in_place);
}

TEST_CASE("folder sink: two sources that would get one name are refused, and nothing is cleaned") {
  for (const char* twin : {"a_.bin", "A?.bin"}) {
    CAPTURE(twin);
    SinkOnThread b;
    b.add("a?.bin", "one");
    b.add(twin, "two");

    b.sink->land(b.parcel(), b.answers);

    REQUIRE(b.answers.all.size() == 1);
    CHECK(b.answers.all.front() == "failed name_taken");
    CHECK(b.contents().empty());
  }
}

TEST_CASE("folder sink: two stores that share a library keep the files of their jobs apart") {
  SinkOnThread b;
  b.add("a.bin", "one");
  b.sink->land(b.parcel(), b.answers);
  b.add("a.bin", "two");  // Another store's job has the same number, and a file of the same size.
  Answers other;

  b.make("0123456789ab")->land(b.parcel(), other);

  CHECK(other.all == List{"landed 1"});
  CHECK((b.contents() == Contents{"one", "two"}));
  CHECK(other.placed != b.answers.placed);
}

TEST_CASE("folder sink: a source that cannot be looked at hides no other") {
  SinkOnThread b;
  b.add("b.bin", "one");
  fs::create_symlink("a.bin", b.sources / "a.bin");  // It leads to itself.

  b.sink->land(b.parcel(), b.answers);

  CHECK(b.answers.all == List{"landed 1"});
}

}  // namespace haul::example
