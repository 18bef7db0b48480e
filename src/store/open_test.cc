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

}  // namespace
}  // namespace haul
