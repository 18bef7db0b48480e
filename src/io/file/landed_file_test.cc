#include "io/file/landed_file.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/clock.h"
#include "base/hash.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Is = io::LandedOutcome::Is;

constexpr const char* kAside = ".haul-delete-a1b2c3d4e5f6-1-1";

// A folder with the file "a", which haul has landed.
class Landed {
 public:
  Landed() {
    write("a", "bytes");
    landed = describe("a");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{temp / name} << text;
  }
  io::FileAtLanding describe(const std::string& name, const std::string& more = "") const {
    const io::FileSeen seen = folder.look(name).value();
    return {.receipt = {.path = (temp / name).string(),
                        .size = seen.mark.size,
                        .evidence =
                            fmt::format(R"({{"kind":"size","mtime":"{}"{}}})", seen.mtime, more)},
            .inode = seen.mark.inode,
            .landed_at = system_clock().now()};
  }
  Result<io::LandedOutcome> remove() {
    return io::remove_landed(folder, "a", landed,
                             {.aside = kAside,
                              .why_kept = [this]() -> Result<std::string> {
                                on_ask();
                                if (fault) return std::unexpected{*fault};
                                return why_kept;
                              },
                              .may_go_on = [this] { return may_go_on; }});
  }
  // "removed", "gone" or "kept: why".
  std::string said() {
    const auto outcome = remove();
    if (!outcome) return outcome.error().code;
    if (outcome->is == Is::kept) return "kept: " + outcome->why;
    return outcome->is == Is::gone ? "gone" : "removed";
  }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator{temp.path()})
      names.insert(entry.path().filename().string());
    return names;
  }

  TempFolder temp;
  io::Folder folder = io::Folder::open(temp.path(), io::Folder::Missing::fault).value();
  io::FileAtLanding landed;
  std::string why_kept;
  std::optional<Fault> fault;
  std::function<void()> on_ask = [] {};
  bool may_go_on = true;
};

}  // namespace

TEST_CASE("promise 10: a file is the one that landed only if size, time, number and age agree") {
  const Time landed_at = from_unix_ms(100'000);
  const io::FileAtLanding landed{
      .receipt = {.path = "/in/a", .size = 5, .evidence = R"({"kind":"size","mtime":"T"})"},
      .inode = 7,
      .landed_at = landed_at};
  const io::FileNow same{.seen = {{7, 5}, "T"}, .made_at = landed_at};
  CHECK(difference(landed, same).empty());
  CHECK(difference(landed, {.seen = same.seen, .made_at = {}}).empty());
  CHECK(difference(landed, {.seen = same.seen, .made_at = landed_at + 2s}).empty());

  CHECK(difference(landed, {.seen = same.seen, .made_at = landed_at + 2001ms}) ==
        "another file has its name now");
  CHECK(difference(landed, {.seen = {{8, 5}, "T"}, .made_at = {}}) ==
        "another file has its name now");
  CHECK(difference(landed, {.seen = {{7, 6}, "T"}, .made_at = {}}) ==
        "it has 6 bytes, but 5 when it landed");
  CHECK(difference(landed, {.seen = {{7, 5}, "U"}, .made_at = {}}) ==
        "it was written after it landed");
  io::FileAtLanding unknown = landed;
  unknown.inode = 0;
  CHECK(difference(unknown, same) == "haul does not know its number on the disk any more");
  unknown = landed;
  unknown.receipt.evidence = R"({"kind":"size"})";
  CHECK(difference(unknown, same) ==
        "its receipt has neither a time nor a hash to recognise it by");
  unknown.receipt.evidence = R"({"kind":"hash","sha256":"x"})";
  CHECK(difference(unknown, same).empty());
}

TEST_CASE("the file that landed is removed; one that is not there is gone") {
  Landed t;
  t.write("b", "of a user");
  CHECK(t.said() == "removed");
  CHECK(t.names() == std::set<std::string>{"b"});
  CHECK(t.said() == "gone");
}

TEST_CASE("promise 10: a changed or replaced file, a link and a folder stay as they are") {
  Landed t;
  t.write("a", "other");
  fs::last_write_time(t.temp / "a", fs::file_time_type::clock::now() + 1h);
  CHECK(t.said() == "kept: it was written after it landed");
  t.write("a", "longer than before");
  CHECK(t.said() == "kept: it has 18 bytes, but 5 when it landed");

  Landed replaced;
  const auto time = fs::last_write_time(replaced.temp / "a");
  replaced.write("new", "other");  // Both exist at a time, so that it has another inode.
  fs::last_write_time(replaced.temp / "new", time);
  fs::rename(replaced.temp / "new", replaced.temp / "a");
  CHECK(replaced.said() == "kept: another file has its name now");

  Landed link;
  fs::rename(link.temp / "a", link.temp / "b");
  fs::create_symlink("b", link.temp / "a");
  CHECK(link.said() == "kept: it is no regular file any more");
  CHECK(link.names() == std::set<std::string>{"a", "b"});

  Landed folder;
  fs::remove(folder.temp / "a");
  fs::create_directory(folder.temp / "a");
  CHECK(folder.said() == "kept: it is no regular file any more");
}

TEST_CASE("promise 10: a receipt with a hash wants the same bytes, whatever size and time say") {
  Landed t;
  t.landed = t.describe("a", fmt::format(R"(,"sha256":"{}")", sha256_hex("bytes")));
  const auto time = fs::last_write_time(t.temp / "a");
  t.write("a", "BYTES");
  fs::last_write_time(t.temp / "a", time);
  CHECK(t.said() == "kept: its bytes have changed");
  t.write("a", "bytes");
  fs::last_write_time(t.temp / "a", time);
  t.may_go_on = false;
  CHECK(t.said() == "stopped");
  CHECK(t.names() == std::set<std::string>{"a"});
  t.may_go_on = true;
  CHECK(t.said() == "removed");
}

TEST_CASE("a file that another job needs gets its name back, also if that cannot be told now") {
  Landed t;
  t.why_kept = "job 7 has it, too";
  t.on_ask = [&] { CHECK(t.names() == std::set<std::string>{kAside}); };
  CHECK(t.said() == "kept: job 7 has it, too");
  CHECK(t.names() == std::set<std::string>{"a"});
  t.fault = Fault{FaultKind::environment, "in_use", ""};
  CHECK(t.said() == "in_use");
  CHECK(t.names() == std::set<std::string>{"a"});

  t.fault.reset();
  t.on_ask = [&] { t.write("a", "of a user"); };
  CHECK(t.said() == fmt::format("kept: job 7 has it, too; it is called {} now", kAside));
  CHECK(t.names() == std::set<std::string>{"a", kAside});
}

TEST_CASE("a removal that was cut off goes on: its file has the name that only haul uses") {
  Landed t;
  fs::rename(t.temp / "a", t.temp / kAside);
  CHECK(t.said() == "removed");
  CHECK(t.names().empty());

  Landed taken;
  fs::rename(taken.temp / "a", taken.temp / kAside);
  taken.write("a", "of a user");
  CHECK(taken.said() == "removed");
  CHECK(taken.names() == std::set<std::string>{"a"});
}

TEST_CASE("a process that lost its duty removes nothing") {
  Landed t;
  t.may_go_on = false;
  CHECK(t.said() == "stopped");
  CHECK(t.names() == std::set<std::string>{"a"});
}

}  // namespace haul::testing
