#include "store/open.h"

#include <doctest/doctest.h>

#include "support/io/temp_folder.h"

namespace haul {
namespace {

namespace fs = std::filesystem;

constexpr Time kNow = from_unix_ms(1'800'000'000'000);

TEST_CASE("the URL of a data folder says so, even if the folder is called like another URL") {
  CHECK(store_url("memory:") == "sqlite:memory:");
  CHECK(store_url("sqlite:x") == "sqlite:sqlite:x");
  CHECK(store_url("/data") == "sqlite:/data");
}

TEST_CASE("a store is made and found in the folder that its URL names") {
  const testing::TempFolder home;
  for (const char* name : {"memory:", "sqlite:x", "postgres://x"})
    for (const fs::path& data : {home / name, fs::proximate(home / name)}) {
      INFO(data.string());
      open_store(store_url(data), {}, kNow);

      CHECK(fs::exists(home / name / "haul.db"));
      CHECK(inspect_store(store_url(data)).exists);
    }
}

TEST_CASE("every store runs around_commit before a write and after its commit") {
  const testing::TempFolder home;
  for (const std::string& url : {std::string{"memory:"}, store_url(home / "data")}) {
    CAPTURE(url);
    std::string phases;
    StoreOptions options;
    options.around_commit = [&](CommitPhase phase) {
      phases += phase == CommitPhase::before ? "before " : "after ";
    };
    const auto store = open_store(url, options, kNow);
    phases.clear();

    store->workers().enlist("w", kNow);
    CHECK(phases == "before after ");
    store->workers().list(kNow, 10);  // A read.
    CHECK(phases == "before after ");
  }
}

TEST_CASE("every store calls on_commit after each commit; only one on disk names a log") {
  const testing::TempFolder home;
  for (const std::string& url : {std::string{"memory:"}, store_url(home / "data")}) {
    CAPTURE(url);
    std::vector<std::optional<int>> logs;
    StoreOptions options;
    options.on_commit = [&](const Committed& committed) { logs.push_back(committed.log_length); };
    const auto store = open_store(url, options, kNow);
    REQUIRE(logs.empty());

    store->workers().enlist("w", kNow);
    REQUIRE(logs.size() == 1);
    CHECK(logs.front().has_value() == (url != "memory:"));
    store->workers().list(kNow, 10);  // A read.
    CHECK(logs.size() == 1);
  }
}

TEST_CASE("a crash before a write leaves nothing; one after its commit leaves all of it") {
  struct Crash {};
  const testing::TempFolder home;
  for (const std::string& url : {std::string{"memory:"}, store_url(home / "data")})
    for (const CommitPhase at : {CommitPhase::before, CommitPhase::after}) {
      CAPTURE(url);
      bool armed = false;
      StoreOptions options;
      options.around_commit = [&](CommitPhase phase) {
        if (armed && phase == at) throw Crash{};
      };
      const auto store = open_store(url, options, kNow);
      const std::size_t before = store->workers().list(kNow, 10).size();

      armed = true;
      CHECK_THROWS_AS(store->workers().enlist("w", kNow), Crash);

      const std::size_t added = store->workers().list(kNow, 10).size() - before;
      CHECK(added == (at == CommitPhase::after ? 1 : 0));
    }
}

}  // namespace
}  // namespace haul
