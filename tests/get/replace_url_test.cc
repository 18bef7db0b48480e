// A link that expires: what it has delivered stays, and a new link of the same file goes on with
// it. Never are bytes of two files joined.

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <signal.h>

#include <algorithm>

#include "support/process/get_bench.h"
#include "support/server/fault_server.h"

using namespace haul;
using namespace haul::testing;

namespace {

constexpr std::size_t kSize = 6'000'000;
constexpr std::size_t kHere = 4'000'000;
constexpr std::size_t kTail = 256 * 1024;  // Of these bytes, comes again and is compared.
constexpr std::size_t kHead = 64 * 1024;
constexpr int kLinesMax = 30;

std::size_t parts_in(const GetBench& bench) {
  return static_cast<std::size_t>(std::ranges::count_if(
      bench.files(), [](const std::string& name) { return name.ends_with(".part"); }));
}

// A link that delivers a part of the file once, and is refused after that.
struct Expired {
  FaultServer former;
  FaultServer now{"127.0.0.2"};
  GetBench bench;
  std::string old;

  explicit Expired(int status = 403)
      : old{former.url(
            fmt::format("/f/a?size={}&close_after={}&close_times=1&status={}&status_after=1", kSize,
                        kHere, status))} {
    REQUIRE(bench.get({old}).outcome("/f/a") == fmt::format("failed http_{}", status));
    REQUIRE(parts_in(bench) == 1);
  }

  std::string fresh(const std::string& switches = "", const std::string& name = "a") const {
    return now.url(fmt::format("/f/{}?size={}&etag=\"new\"{}", name, kSize, switches));
  }
  Told replace(const std::string& url, Words more = {}) {
    more.insert(more.end(), {"--replace-url", old, url});
    return bench.get(more);
  }
  std::uint64_t sent() const {
    std::uint64_t bytes = 0;
    for (const LoggedRequest& request : now.log()) bytes += request.sent;
    return bytes;
  }
  std::string evidence(const std::string& member) const {
    return bench.ask("SELECT coalesce(json_extract(evidence, '$." + member +
                     "'), 'none') FROM items WHERE evidence IS NOT NULL");
  }
};

}  // namespace

TEST_CASE("A2-16: a refused link fails its file and keeps the part, until --clean removes it") {
  for (const int status : {401, 403, 404, 410}) {
    Expired s{status};

    CHECK(s.bench.get({s.former.url("/f/b?size=9")}).code == 0);  // Another command leaves it.
    CHECK(parts_in(s.bench) == 1);
    CHECK(s.bench.get({"--clean"}).code == 0);
    CHECK(s.bench.listing() == "b");
  }
}

TEST_CASE("A2-16: a link that works again goes on with the part of the time before") {
  const FaultServer server;
  GetBench bench;
  const std::string url =
      server.url(fmt::format("/f/a?size={}&close_after={}&close_times=1&status=403&status_after=1&"
                             "status_times=1",
                             kSize, kHere));
  REQUIRE(bench.get({url}).outcome("/f/a") == "failed http_403");

  CHECK(bench.get({url}).code == 0);

  CHECK(server.log().back().range == fmt::format("bytes={}-", kHere));
  CHECK(bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(bench.listing() == "a");
}

TEST_CASE("a file without a byte leaves no part when its link is refused") {
  const FaultServer server;
  GetBench bench;

  CHECK(bench.get({server.url("/f/a?size=6000000&status=403")}).code == 1);
  CHECK(bench.files().empty());
}

TEST_CASE("S2-31: --replace-url goes on with the bytes of the expired link") {
  Expired s;

  const Told told = s.replace(s.fresh());

  CHECK(told.code == 0);
  CHECK(s.bench.listing() == "a");
  CHECK(s.bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(s.sent() == kSize - kHere + kTail + kHead);
  CHECK(s.evidence("former_url").find("/f/a?size=") != std::string::npos);
  CHECK(s.evidence("kind") == "size");
  CHECK(told.out.find("started over") == std::string::npos);
}

TEST_CASE("S2-31: what --replace-url has fetched is here for the new link") {
  Expired s;
  REQUIRE(s.replace(s.fresh()).code == 0);

  const Told again = s.replace(s.fresh());
  CHECK(again.code == 0);
  CHECK(again.item("127.0.0.2")["evidence"] == "already_here");
  CHECK(s.bench.get({s.fresh()}).item("127.0.0.2")["evidence"] == "already_here");
  CHECK(s.bench.listing() == "a");
}

TEST_CASE("S2-31: a new link with another file is fetched from its first byte, and says so") {
  struct Other {
    std::string what;
    std::string url;
    std::string content;
    const char* why;
  };
  const std::string b = FaultServer::content("b", kSize);
  const Other others[] = {
      {"bytes", "/f/b?size=6000000", b, "other bytes"},
      {"size", "/f/b?size=6000001", FaultServer::content("b", kSize + 1), "another size"},
      {"no ranges", "/f/b?size=6000000&ranges=ignore", b, "no ranges"},
      {"hash", "/f/b?size=6000000&digest=good", b, "other bytes"},
  };
  for (const Other& other : others) {
    CAPTURE(other.what);
    Expired s;

    const Told told = s.replace(s.now.url(other.url));

    CHECK(told.code == 0);
    CHECK(s.bench.listing() == "a");
    CHECK(s.bench.holds("a", other.content));
    CHECK(told.item("127.0.0.2")["detail"].starts_with("started over: "));
    CHECK(told.item("127.0.0.2")["detail"].find(other.why) != std::string::npos);
    CHECK(s.evidence("former_url") == "none");
  }
}

TEST_CASE("S2-31: one byte that differs where both links are compared is enough to start over") {
  struct Place {
    std::size_t at;
    bool is_compared;
  };
  for (const Place& place :
       {Place{0, true}, Place{kHead - 1, true}, Place{kHead, false},
        Place{kHere - kTail - 1, false}, Place{kHere - kTail, true}, Place{kHere - 1, true}}) {
    CAPTURE(place.at);
    Expired s;
    std::string wanted = FaultServer::content("a", kSize);

    const Told told = s.replace(s.fresh(fmt::format("&damage={}", place.at)));

    CHECK(told.code == 0);
    CHECK((s.sent() >= kSize) == place.is_compared);
    CHECK(s.bench.holds("a", wanted) == !place.is_compared);
    CHECK(s.bench.content("a").size() == kSize);
  }
}

TEST_CASE("S2-31: a checksum proves the file of both links, and a wrong one joins nothing") {
  Expired right;
  const std::string sum = "sha256:" + FaultServer::content_sha256("a", kSize);

  CHECK(right.replace(right.fresh(), {"--checksum", sum}).code == 0);
  CHECK(right.evidence("kind") == "hash");
  CHECK(right.sent() < kSize);

  Expired wrong;
  const Told told = wrong.replace(wrong.fresh(), {"--checksum", "sha256:" + std::string(64, 'a')});
  CHECK(told.outcome("127.0.0.2") == "failed checksum_mismatch");
  CHECK(wrong.bench.files().empty());
}

TEST_CASE("S2-31: if the new link is refused, too, the bytes stay for the next one") {
  Expired s;
  REQUIRE(s.replace(s.fresh("&status=403", "refused")).outcome("refused") == "failed http_403");
  REQUIRE(parts_in(s.bench) == 1);
  s.old = s.fresh("&status=403", "refused");

  CHECK(s.replace(s.fresh()).code == 0);

  CHECK(s.bench.listing() == "a");
  CHECK(s.bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(s.sent() < kSize);
}

TEST_CASE("S2-31: a new link that breaks off before the proof is compared again") {
  Expired s;

  const Told told = s.replace(s.fresh("&close_after=10000&close_times=2"));

  CHECK(told.code == 0);
  CHECK(s.bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(s.sent() < kSize);
}

TEST_CASE("S2-31: a new link without validators is resumed, too: its bytes are compared again") {
  Expired s;
  const std::string url = s.now.url(fmt::format(
      "/f/a?size={}&etag=none&last_modified=none&close_after=1000000&close_times=2", kSize));

  CHECK(s.replace(url).code == 0);

  CHECK(s.bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(s.sent() < kSize);
}

TEST_CASE("S2-31: each range of a file that came in segments is compared") {
  constexpr std::size_t kLarge = std::size_t{40} << 20U;
  const std::string right = FaultServer::content("a", kLarge);
  for (const bool is_other : {false, true}) {
    const FaultServer former;
    const FaultServer now{"127.0.0.2"};
    GetBench bench;
    const std::string old = former.url(
        fmt::format("/f/a?size={}&close_after=5000000&status=410&status_after=4", kLarge));
    REQUIRE(bench.get({"--segments", "4", old}).outcome("/f/a") == "failed http_410");
    REQUIRE(parts_in(bench) == 1);
    // A byte at the end of the second range.
    const std::string damage =
        is_other ? fmt::format("&damage={}", kLarge / 4 + 5'000'000 - 1) : "";

    CHECK(bench
              .get({"--replace-url", old,
                    now.url(fmt::format("/f/a?size={}&etag=\"new\"{}", kLarge, damage))})
              .code == 0);

    CHECK(bench.listing() == "a");
    CHECK(bench.holds("a", right) == !is_other);
    std::uint64_t sent = 0;
    for (const LoggedRequest& request : now.log()) sent += request.sent;
    CHECK((sent >= kLarge) == is_other);
  }
}

TEST_CASE("S2-31: --replace-url goes on with a download that was stopped, not only a failed one") {
  const FaultServer former;
  const FaultServer now{"127.0.0.2"};
  GetBench bench;
  const std::string old = former.url("/f/a?size=6000000&stall_after=4000000");
  {
    Child child{bench.command({old})};
    for (int i = 0; i < kLinesMax; ++i) {
      REQUIRE(child.line());
      if (!bench.files().empty() &&
          bench.ask("SELECT count(*) FROM items WHERE checkpoint IS NOT NULL") == "1")
        break;
    }
    ::kill(child.pid(), SIGINT);
    CHECK(told(child).code == 1);
  }

  CHECK(bench.get({"--replace-url", old, now.url("/f/a?size=6000000&etag=\"new\"")}).code == 0);

  CHECK(bench.listing() == "a");
  CHECK(bench.holds("a", FaultServer::content("a", kSize)));
  CHECK(now.log().front().range.starts_with("bytes="));
}

TEST_CASE("--replace-url says what is wrong: nothing to go on with, or a wrong command") {
  const FaultServer server;
  GetBench bench;
  const std::string url = server.url("/f/a");

  const Told none = bench.get({"--replace-url", server.url("/f/b"), url});
  CHECK(none.code == 1);
  CHECK(none.err.find("no unfinished file of") != std::string::npos);
  CHECK(server.log().empty());

  for (const Words& wrong :
       {Words{"--replace-url", url}, Words{"--replace-url", url, url, url},
        Words{"--replace-url", "nothing", url}, Words{"--replace-url", url, url, "--compressed"},
        Words{"--replace-url", url, url, "--dry-run"}, Words{"--replace-url", url, url, "-o", "-"}})
    CHECK(bench.get(wrong).code == 2);
}
