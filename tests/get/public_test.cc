// U: there is no way from a public address to a private one. The test runs in its own network
// namespace, where public addresses belong to this machine. On a kernel without namespaces only
// src/io/web/address_test.cc checks the rule.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>

#include "support/io/temp_folder.h"
#include "support/process/get_bench.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"

using namespace haul::testing;

namespace {

// Reaches no real host: the network namespace has no way out.
constexpr const char* kPublic = "9.9.9.9";
constexpr const char* kOtherPublic = "149.112.112.112";

}  // namespace

// The next test case runs this one inside such a network.
TEST_CASE("inside: from a public address to a private one" * doctest::skip()) {
  const FaultServer near{"127.0.0.1"};
  const FaultServer far{kPublic};
  const FaultServer farther{kOtherPublic};
  GetBench bench;
  const Told told = bench.get(
      {far.url("/f/in?redirect=" + near.url("/f/secret")),
       far.url("/f/named?redirect=http://localhost:" + std::to_string(near.port()) + "/f/secret"),
       far.url("/f/on?redirect=" + farther.url("/f/there")),
       near.url("/f/out?redirect=" + far.url("/f/here")), near.url("/f/direct"),
       far.url(fmt::format("/f/mixed?redirect=http://mixed.example:{}/f/secret", near.port())),
       far.url(fmt::format("/f/other?redirect=http://other.example:{}/f/mixed", farther.port()))});

  CHECK(told.outcome("/f/in") == "failed private_address");
  CHECK(told.outcome("/f/named") == "failed private_address");
  CHECK(told.outcome("/f/on") == "completed");
  CHECK(told.outcome("/f/out") == "completed");
  CHECK(told.outcome("/f/direct") == "completed");
  // U29: a host with one private address is refused, even if its other address is public.
  CHECK(told.outcome("/f/mixed") == "failed private_address");
  CHECK(told.outcome("/f/other") == "failed private_address");
  for (const LoggedRequest& request : farther.log()) CHECK(request.path != "/f/mixed");
  for (const LoggedRequest& request : near.log()) CHECK(request.path != "/f/secret");
}

TEST_CASE("U29, U31: a redirect from a public address never reaches a private one") {
  const TempFolder folder;
  const std::string network = fmt::format(
      "ip link set lo up && ip addr add {0}/32 dev lo && ip addr add {1}/32 dev lo && "
      "printf '127.0.0.1 mixed.example\\n{1} mixed.example\\n"
      "{1} other.example\\n127.0.0.1 other.example\\n' > {2} && "
      "mount --bind {2} /etc/hosts",
      kPublic, kOtherPublic, (folder / "hosts").string());
  if (run_program({"unshare", "-rnm", "sh", "-c", network}).code != 0)
    return skip("this kernel gives a test no network and no mounts of its own");
  const Finished inside =
      run_program({"unshare", "-rnm", "sh", "-c",
                   network + " && exec \"$0\" --no-skip --test-case='inside: from a public*'",
                   std::filesystem::read_symlink("/proc/self/exe").string()});
  INFO(inside.out);
  CHECK(inside.code == 0);
  CHECK(inside.out.contains("1 passed"));
}
