#include "app/config/value.h"

#include <doctest/doctest.h>

#include "app/config/config.h"
#include "app/config/transfer.h"

namespace haul::app {

TEST_CASE("a list of networks is refused with its key, its position and the value") {
  CHECK(networks_in("transfer.allow_private", {"127.0.0.0/8", "::1"})->size() == 2);
  CHECK(networks_in("transfer.allow_private", {})->empty());
  const auto bad = networks_in("transfer.allow_private", {"127.0.0.0/8", "banana"});
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().code == "bad_config");
  CHECK(bad.error().detail ==
        "transfer.allow_private[1]: \"banana\" is not an address or CIDR range (expected e.g. "
        "192.168.1.0/24)");
}

TEST_CASE("promise 20: downloads reach the private networks that are configured, and no other") {
  const auto allowed = [](const Config::Environment& environment) {
    const auto config = Config::read({}, environment);
    REQUIRE(config.has_value());
    const auto reach = transfer_reach(*config);
    REQUIRE(reach.has_value());
    CHECK_FALSE(reach->private_too);
    return reach->allowed;
  };

  CHECK(allowed({}).empty());
  CHECK(
      (allowed({{"HAUL__TRANSFER__ALLOW_PRIVATE", "127.0.0.0/8, ::1"}}) ==
       std::vector{io::Network::parse("127.0.0.0/8").value(), io::Network::parse("::1").value()}));
}

}  // namespace haul::app
