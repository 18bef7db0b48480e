#include "cli/commands/get_feed.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

using namespace haul;
using namespace haul::cli;
using namespace std::chrono_literals;

namespace {

// A list that a test writes while it is read.
struct WrittenList {
  std::array<int, 2> ends{};
  GetBatch begun{.request = {}, .input = "-", .urls = {"http://h/a"}};
  std::string told{};

  WrittenList() { REQUIRE(::pipe(ends.data()) == 0); }
  ~WrittenList() {
    ::close(ends[0]);
    end();
  }
  WrittenList(const WrittenList&) = delete;
  WrittenList& operator=(const WrittenList&) = delete;

  void write(const std::string& text) const {
    REQUIRE(::write(ends[1], text.data(), text.size()) == std::ssize(text));
  }
  void end() {
    if (ends[1] >= 0) ::close(std::exchange(ends[1], -1));
  }
  Feeder feeder() {
    Feeder made{LineSource{ends[0]}, begun, 1};
    made.listen([this](const std::string& key, const std::string&, const std::string& options) {
      told += key + "|" + options + ";";
    });
    return made;
  }
};

std::size_t fed(const Feeder& feeder) { return feeder.feed()->read(0, 100).entries.size(); }

}  // namespace

TEST_CASE("Z-10: a URL of a growing list is complete with the next one, or after a second") {
  WrittenList list;
  Feeder feeder = list.feeder();
  const Steady now{};
  list.write("http://h/b\n  out=x\nhttp://h/c\nhttp://h");
  REQUIRE(feeder.step(now));
  CHECK(fed(feeder) == 1);
  REQUIRE(feeder.step(now + 999ms));
  CHECK(fed(feeder) == 1);
  REQUIRE(feeder.step(now + 1s));
  CHECK(fed(feeder) == 2);
  CHECK(list.told == "http://h/b|  out=x\n;http://h/c|;");
  CHECK_FALSE(feeder.feed()->read(0, 100).is_last);

  list.write("/b\n out=y");
  list.end();
  REQUIRE(feeder.step(now + 2s));
  CHECK(feeder.is_closed());
  const auto all = feeder.feed()->read(0, 100);
  CHECK(all.is_last);
  REQUIRE(all.entries.size() == 3);
  CHECK(all.entries[0].options.name == "x");
  CHECK(all.entries[2].key == "http://h/b #2");
}

TEST_CASE("Z-10: a wrong line of a growing list ends it, and is named by its number") {
  WrittenList list;
  Feeder feeder = list.feeder();
  list.write("http://h/b\nhttp://h/c\n outt=x\nhttp://h/d\n");
  const auto wrong = feeder.step(Steady{});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().detail.starts_with("standard input:4: no such option \"outt\""));
  CHECK(fed(feeder) == 1);
  CHECK(feeder.feed()->read(0, 100).is_last);

  WrittenList late;
  Feeder second = late.feeder();
  late.write(" out=x\n");
  CHECK(second.step(Steady{}).error().detail ==
        "standard input:2: an option too late: the download of its URL has begun");
}

TEST_CASE("Z-10: the beginning of a list is what comes without a pause, and at least one URL") {
  WrittenList list;
  list.write("# mine\n\nhttp://h/a\nhttp://h/b\nhttp:");
  LineSource open{list.ends[0]};
  CHECK(read_beginning(open) == "# mine\n\nhttp://h/a\nhttp://h/b\n");
  CHECK_FALSE(open.is_ended());

  list.write("//h/c");
  list.end();
  CHECK(read_beginning(open) == "http://h/c\n");
  CHECK(open.is_ended());
}

TEST_CASE("Z-10: a list is read whole first if an option needs all of it") {
  GetOptions plain{.input = "-"};
  CHECK(can_feed(plain));
  plain.engine = "yt-dlp";
  CHECK_FALSE(can_feed(plain));
  CHECK_FALSE(can_feed({.input = "list"}));
  CHECK_FALSE(can_feed({.name = "a", .input = "-"}));
  CHECK_FALSE(can_feed({.input = "-", .discover = true}));
  CHECK_FALSE(can_feed({.input = "-", .min_size = 5}));
}
