#include "cli/commands/failed_list.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "cli/commands/get_input.h"
#include "cli/draw/progress_forms.h"
#include "support/api/fake_screen.h"
#include "support/io/temp_folder.h"

using namespace haul;
using namespace haul::cli;

namespace {

struct ListBench {
  testing::FakeScreen screen{};
  std::unique_ptr<Progress> quiet = quiet_progress(screen);
  GetBatch batch{.request = {}, .urls = {"http://h/a", "http://h/b"}};
  FailedList list{*quiet, batch};
  testing::TempFolder folder{};

  std::string saved() {
    REQUIRE(list.save(folder / "failed"));
    std::ostringstream all;
    all << std::ifstream{folder / "failed"}.rdbuf();
    return all.str();
  }
};

}  // namespace

TEST_CASE("the list has the URLs that failed, and -q prints those alone") {
  ListBench b;
  const std::vector<ItemEnd> items{
      {.name = "a", .url = "http://h/a", .ok = true},
      {.name = "b", .url = "http://h/b", .reason = "http_404", .detail = "gone"},
      {.name = "c", .url = "http://h/c", .skipped = true, .reason = "too_small"}};
  b.list.ended(items);
  b.list.finish({.failed = 1});

  CHECK(b.saved() == "http://h/b\n");
  CHECK(b.screen.raw == "haul: http://h/b: http_404 (gone)\n");
}

TEST_CASE("if the job fails as a whole, all given URLs have failed; if nothing failed, none") {
  ListBench whole;
  whole.list.finish({.failed = 1});
  CHECK(whole.saved() == "http://h/a\nhttp://h/b\n");
  ListBench none;
  none.list.finish({});
  CHECK(none.saved().empty());
}

TEST_CASE("after an interruption, or failures of an earlier run, what has not arrived is saved") {
  const std::vector<ItemEnd> arrived{{.name = "a", .url = "http://h/a", .ok = true}};
  ListBench stopped;
  stopped.list.ended(arrived);
  stopped.list.finish({.ending = GetEnding::interrupted});
  CHECK(stopped.saved() == "http://h/b\n");
  ListBench resumed;
  resumed.list.ended(arrived);
  resumed.list.finish({.failed = 1});
  CHECK(resumed.saved() == "http://h/b\n");
}

TEST_CASE("the list is written into a link's file and a device, and takes no other file's name") {
  ListBench b;
  b.list.finish({.failed = 1});
  std::ofstream{b.folder / "failed.new"} << "mine";
  std::filesystem::create_symlink("there", b.folder / "failed");

  CHECK(b.saved() == "http://h/a\nhttp://h/b\n");
  CHECK(std::filesystem::is_symlink(b.folder / "failed"));
  CHECK(std::filesystem::is_regular_file(b.folder / "there"));
  CHECK(std::filesystem::file_size(b.folder / "failed.new") == 4);
}

TEST_CASE("the list keeps the options of a URL and its login, and tells one URL's names apart") {
  GetBatch batch{.request = {}, .input = "list"};
  std::istringstream lines{
      "http://h/a\n out=x\nhttp://h/a\n\tout=y\n header=X: 1\nhttp://u:p@h/b\nhttp://h/c\n"};
  REQUIRE(read_input(lines, batch));
  testing::FakeScreen screen{};
  const auto quiet = quiet_progress(screen);
  const auto saved = [&](std::span<const ItemEnd> items, const GetSummary& summary) {
    testing::TempFolder folder;
    FailedList list{*quiet, batch};
    list.ended(items);
    list.finish(summary);
    REQUIRE(list.save(folder / "failed"));
    using std::filesystem::perms;
    CHECK((std::filesystem::status(folder / "failed").permissions() & perms::all) ==
          (perms::owner_read | perms::owner_write));
    std::ostringstream all;
    all << std::ifstream{folder / "failed"}.rdbuf();
    return all.str();
  };

  const std::vector<ItemEnd> items{
      {.name = "x", .key = "http://h/a", .url = "http://h/a", .ok = true},
      {.name = "y", .key = "http://h/a #2", .url = "http://h/a", .reason = "http_404"},
      {.name = "b", .key = "http://h/b", .url = "http://h/b", .reason = "http_404"}};
  CHECK(saved(items, {.failed = 2}) == "http://h/a\n  out=y\n  header=X: 1\nhttp://u:p@h/b\n");
  CHECK(saved({items.data(), 1}, {.ending = GetEnding::interrupted}) ==
        "http://h/a\n  out=y\n  header=X: 1\nhttp://u:p@h/b\nhttp://h/c\n");
}
