#include "app/wiring/relay.h"

#include <doctest/doctest.h>

#include "support/flow/script.h"
#include "support/io/temp_folder.h"
#include "support/store/bench.h"

namespace haul::testing {

TEST_CASE("F52, Z-14: a token is sealed in the store, and only its key reads it") {
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "secret.key";
  Bench b;
  HandClock clock;
  const auto keeper = app::make_sealed_tokens(b.store(), clock, file, "disk");
  CHECK(keeper->get().value() == KeptToken{});

  CHECK(keeper->put("y0_canary", 0).value());
  CHECK_FALSE(keeper->put("y0_second", 0).value());

  CHECK(keeper->get().value() == KeptToken{"y0_canary", 1});
  CHECK(b.store().sealed().get("disk")->text.find("canary") == std::string::npos);
  const auto next = app::make_sealed_tokens(b.store(), clock, file, "disk");
  CHECK(next->get()->text == "y0_canary");
  const auto other = app::make_sealed_tokens(b.store(), clock, folder.path() / "other.key", "disk");
  CHECK(other->get().value() == KeptToken{"", 1});
  CHECK(other->put("y0_third", 1).value());
}

TEST_CASE("Z-30: without a token, the disk says what to configure") {
  HandClock clock;
  io::DiskSpace space;
  Streams streams;
  const auto disk = app::make_disk(clock, space, streams, nullptr, std::nullopt);
  CHECK(disk->not_ready({}).text == "configure relay.yandex_token");
}

}  // namespace haul::testing
