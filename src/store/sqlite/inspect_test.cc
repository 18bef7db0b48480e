#include "store/inspect.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "lifecycle/tables.h"
#include "store/sqlite/sqlite.h"
#include "store/store.h"
#include "support/io/temp_folder.h"

namespace haul {
namespace {

using testing::TempFolder;

constexpr Time kNow = from_unix_ms(1'800'000'000'000);

TEST_CASE("a folder without a store is nothing to complain about") {
  const TempFolder folder;

  const StoreLook look = inspect_sqlite(folder.path());

  CHECK(!look.exists);
  CHECK(look.problem.empty());
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a store is looked at while it is in use, and after") {
  const TempFolder folder;
  {
    const auto store = open_sqlite(folder.path(), {}, kNow);
    const StoreLook look = inspect_sqlite(folder.path());
    CHECK(look.exists);
    CHECK(look.in_use == ::getpid());
    CHECK(look.problem.empty());
  }

  const StoreLook look = inspect_sqlite(folder.path());
  CHECK(look.in_use == std::nullopt);
  CHECK(look.problem.empty());
  CHECK(look.newest_event_at == std::nullopt);
}

TEST_CASE(
    "a folder whose owner was killed is not in use, though another process has that pid now") {
  const TempFolder folder;
  {
    open_sqlite(folder.path(), {}, kNow);
  }
  const std::string record = std::to_string(::getpid()) + " \n";
  std::ofstream{folder / "haul.lock", std::ios::trunc} << record;

  const StoreLook look = inspect_sqlite(folder.path());

  CHECK(look.in_use == std::nullopt);
  CHECK(look.problem.empty());
  std::string kept;
  std::getline(std::ifstream{folder / "haul.lock"}, kept);
  CHECK(kept + "\n" == record);
}

TEST_CASE("a file that is not haul's, or is damaged, is a problem and stays as it is") {
  const TempFolder folder;
  {
    open_sqlite(folder.path(), {}, kNow);
  }
  {
    std::fstream file{folder / "haul.db", std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(4096 * 2);
    for (int i = 0; i < 4096 * 4; ++i) file.put('x');
  }

  CHECK(!inspect_sqlite(folder.path()).problem.empty());

  std::ofstream{folder / "haul.db", std::ios::trunc} << "a letter to my aunt, much longer than a "
                                                        "header of a hundred bytes, so that it is "
                                                        "looked at as one";
  CHECK(!inspect_sqlite(folder.path()).problem.empty());
}

TEST_CASE("Z-17: the keys that callers gave are looked up from outside, also while in use") {
  const TempFolder folder;
  const std::string keys[] = {"a", "b", "a"};
  CHECK(inspect_sqlite_keys(folder.path(), kAdmin, keys) == std::vector<bool>(3));
  CHECK(std::filesystem::is_empty(folder.path()));

  const auto store = open_sqlite(folder.path(), {}, kNow);
  const NewJob job{.lifecycle = &kBatch, .request = R"({"url":"http://h/a"})", .caller_key = "a"};
  REQUIRE(store->jobs().add({&job, 1}, kNow).front().has_value());
  CHECK(inspect_sqlite_keys(folder.path(), kAdmin, keys) == std::vector<bool>{true, false, true});
  CHECK(inspect_sqlite_keys(folder.path(), UserId{2}, keys) == std::vector<bool>(3));
  CHECK(inspect_sqlite_keys(folder.path(), kAdmin, {}).empty());
}

}  // namespace
}  // namespace haul
