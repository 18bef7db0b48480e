// What proves that a file is whole: a checksum from the user or the server, else ETag and size,
// else the size alone, else nothing. The store records which one it was (S2-7).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <vector>

#include "base/hash.h"
#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::size_t kSize = 5'000;

std::size_t requests_for(const FaultServer& server, const std::string& path) {
  std::size_t count = 0;
  for (const LoggedRequest& request : server.log()) count += request.path == path ? 1 : 0;
  return count;
}

std::string digest_of(std::string_view algorithm) {
  const std::string content = FaultServer::content("a", kSize);
  auto hasher = Hasher::of(algorithm);
  REQUIRE(hasher);
  hasher->add(std::as_bytes(std::span{content}));
  return hasher->hex();
}

}  // namespace

TEST_CASE("S2-7: what proves a file is as strong as the server makes it, and is told") {
  struct ProofCase {
    std::string name;
    std::string switches;
    std::string outcome;
    std::string evidence;
    std::size_t requests = 1;
  };
  // clang-format off
  const std::vector<ProofCase> cases = {
      {"repr",      "digest=good",                        "completed", "hash"},
      {"old",       "old_digest=good",                    "completed", "hash"},
      {"both", "digest=good&old_digest=bad", "completed", "hash"},  // The newer header wins.
      {"chunks",    "digest=good&chunked=ok",             "completed", "hash"},
      {"repr_bad",  "digest=bad",                         "failed checksum_mismatch", "null", 2},
      {"old_bad",   "old_digest=bad",                     "failed checksum_mismatch", "null", 2},
      {"resumed",   "digest=good&close_after=99&close_times=1", "completed", "hash", 2},
      {"tag",       "",                                   "completed", "etag"},
      {"size",      "etag=none",                          "completed", "size"},
      {"weak",      "etag=weak",                          "completed", "size"},
      {"chunked",   "etag=none&chunked=ok",               "completed", "size"},
      {"closed",    "etag=none&length=none&version=1.0",  "completed", "unverified"},
      {"tag_closed", "length=none&version=1.0",           "completed", "unverified"},
      {"empty",     "size=0",                             "completed", "etag"},
  };
  // clang-format on
  const FaultServer server;
  GetBench bench;
  Words urls;
  for (const ProofCase& one : cases) {
    const bool sized = one.switches.find("size=") != std::string::npos;
    urls.push_back(
        server.url(fmt::format("/f/{}?{}{}{}", one.name, sized ? "" : fmt::format("size={}", kSize),
                               sized || one.switches.empty() ? "" : "&", one.switches)));
  }
  const Told told = bench.get(urls);

  for (const ProofCase& one : cases) {
    CAPTURE(one.name);
    const std::string path = "/f/" + one.name;
    CHECK(told.outcome(path + "?") == one.outcome);
    Fields item = told.item(path + "?");
    CHECK(item["evidence"] == one.evidence);
    CHECK(requests_for(server, path) == one.requests);
    const std::size_t size = one.name == "empty" ? 0 : kSize;
    CHECK(bench.holds(one.name, FaultServer::content(one.name, size)) ==
          (one.outcome == "completed"));
  }
}

TEST_CASE("a checksum given by hand is what counts, in each of its kinds") {
  const FaultServer server;
  const std::string url = server.url(fmt::format("/f/a?size={}&old_digest=bad", kSize));
  for (const std::string algorithm : {"sha256", "sha512", "sha1", "md5"}) {
    GetBench bench;
    const Told told = bench.get({"--checksum", algorithm + ":" + digest_of(algorithm), url});
    CHECK(told.code == 0);
    CHECK(told.item("/f/a")["evidence"] == "hash");
    CHECK(bench.ask("SELECT json_extract(evidence, '$." + algorithm + "') FROM items") ==
          digest_of(algorithm));
  }
}

TEST_CASE(
    "a file that is not what its checksum says is fetched once more, and then it has failed") {
  const FaultServer server;
  GetBench bench;
  const Told told = bench.get({"--checksum", "sha256:" + std::string(64, '0'),
                               server.url(fmt::format("/f/a?size={}", kSize))});

  CHECK(told.code == 1);
  CHECK(told.outcome("/f/a") == "failed checksum_mismatch");
  CHECK(bench.listing().empty());
  REQUIRE(server.log().size() == 2);
  CHECK(server.log()[1].range.empty());
}
