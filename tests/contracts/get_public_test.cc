// U: no way from a public address to a private one. A network of our own, where a public address is
// this machine, shows it; where the kernel gives none, only src/io/address_test.cc has the rule.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>

#include "support/fault_server.h"
#include "support/get_bench.h"

using namespace haul::testing;

namespace {

constexpr const char* kPublic = "9.9.9.9";  // Nobody is reached: the network has no way out.
constexpr const char* kOtherPublic = "149.112.112.112";

}  // namespace

// Run by the one below, in such a network.
TEST_CASE("inside: from a public address to a private one" * doctest::skip()) {
  const FaultServer near{"127.0.0.1"};
  const FaultServer far{kPublic};
  const FaultServer farther{kOtherPublic};
  GetBench bench;
  const Told told = bench.get(
      {far.url("/f/in?redirect=" + near.url("/f/secret")),
       far.url("/f/named?redirect=http://localhost:" + std::to_string(near.port()) + "/f/secret"),
       far.url("/f/on?redirect=" + farther.url("/f/there")),
       near.url("/f/out?redirect=" + far.url("/f/here")), near.url("/f/direct")});

  CHECK(told.outcome("/f/in") == "failed private_address");
  CHECK(told.outcome("/f/named") == "failed private_address");
  CHECK(told.outcome("/f/on") == "completed");
  CHECK(told.outcome("/f/out") == "completed");
  CHECK(told.outcome("/f/direct") == "completed");
  for (const LoggedRequest& request : near.log()) CHECK(request.path != "/f/secret");
}

TEST_CASE("U: a redirect from a public address never reaches a private one") {
  const std::string network =
      fmt::format("ip link set lo up && ip addr add {}/32 dev lo && ip addr add {}/32 dev lo",
                  kPublic, kOtherPublic);
  if (run_program({"unshare", "-rn", "sh", "-c", network}).code != 0) {
    MESSAGE("this kernel gives us no network of our own");
    return;
  }
  const Finished inside =
      run_program({"unshare", "-rn", "sh", "-c",
                   network + " && exec \"$0\" --no-skip --test-case='inside: from a public*'",
                   std::filesystem::read_symlink("/proc/self/exe").string()});
  INFO(inside.out);
  CHECK(inside.code == 0);
  CHECK(inside.out.contains("1 passed"));
}
