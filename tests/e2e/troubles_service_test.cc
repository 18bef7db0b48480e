// What holds back relays and images, made from outside: a disk and a provider that fail or refuse
// haul. See troubles_test.cc.

#include <doctest/doctest.h>

#include "support/process/image_daemon.h"
#include "support/process/relay_bench.h"
#include "support/process/told_trouble.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr Millis kHold = 30s;     // After it haul asks a service again that refused it.
constexpr Millis kBackoff = 10s;  // Longer than the waits after the first failures.

}  // namespace

TEST_CASE("a disk of relays that fails or refuses haul is named: why, haul why, the page") {
  RelayBench b;
  const std::string missing = b.add("disk:/no-such-file");
  check_told(b.daemon, missing, {.code = "failed", .because = "it failed (disk_not_found)"});

  b.put("a.bin");
  b.disk.act(DiskRoute::meta, {.status = 500}, 100);
  const std::string failing = b.add("disk:/a.bin");
  check_told(
      b.daemon, failing,
      {.code = "backoff", .because = "of 3 failed (disk_unavailable)", .next_within = kBackoff});

  RelayBench other;
  other.put("a.bin");
  other.disk.expire_token();
  other.disk.refuse_refresh();
  const std::string refused = other.add("disk:/a.bin");
  check_told(other.daemon, refused,
             {.code = "disk_unauthorised",
              .because = "a service that it needs refuses haul (disk_unauthorised)",
              .next_within = kHold});
}

TEST_CASE("a provider of images that fails or refuses haul is named: why, haul why, the page") {
  ImageDaemon b;
  b.trouble(ImageTrouble::server_error);
  const std::string failing = b.add("a cat");
  check_told(
      b.daemon, failing,
      {.code = "backoff", .because = "of 3 failed (provider_error)", .next_within = kBackoff});

  b.trouble(ImageTrouble::unauthorized);
  const std::string refused = b.add("a dog");
  check_told(b.daemon, refused,
             {.code = "provider_refused_key",
              .because = "a service that it needs refuses haul (provider_refused_key)",
              .next_within = kHold});

  ImageDaemon unpaid;
  unpaid.trouble(ImageTrouble::unpaid);
  const std::string owing = unpaid.add("a cat");
  check_told(unpaid.daemon, owing,
             {.code = "provider_wants_payment",
              .because = "a service that it needs refuses haul (provider_wants_payment)",
              .next_within = kHold});
}
