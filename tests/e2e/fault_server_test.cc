// The server that download tests use: each switch does on the wire what it says.

#include "support/server/fault_server.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <string>
#include <vector>

#include "server/content.h"

using namespace haul::testing;

namespace {

std::string shown(const RawReply& reply) {
  static constexpr std::string_view kEnds[] = {"closed", "reset", "timed out"};
  const std::string_view length = reply.header("Content-Length");
  return fmt::format("{} length {} body {} {}", reply.status(), length.empty() ? "none" : length,
                     reply.body().size(), kEnds[static_cast<std::size_t>(reply.end)]);
}

struct Case {
  std::string switches;
  std::string expected;
};

const std::string kHundred = FaultServer::content("a", 100);

}  // namespace

TEST_CASE("fault server: a file is the bytes that content.h says, and its hash is known") {
  const FaultServer server;
  const std::uint64_t seed = haul::server::seed_of("a");

  const RawReply reply = server.get("/f/a?size=100&digest=good&old_digest=bad");

  CHECK(reply.body() == kHundred);
  for (std::size_t i = 0; i < kHundred.size(); ++i)
    CHECK(kHundred[i] == haul::server::content_byte(seed, i));
  CHECK(FaultServer::content_sha256("a", 100) ==
        "43f02f2d31d752d16e155c74a45d2a911228f80d22a3342b0b82ff33772721f3");
  CHECK(reply.header("Repr-Digest") == "sha-256=:Q/AvLTHXUtFuFVx0pF0qkRIo+A0iozQrC4L/M3cnIfM=:");
  CHECK(reply.header("Digest") == "SHA-256=QvAvLTHXUtFuFVx0pF0qkRIo+A0iozQrC4L/M3cnIfM=");
}

TEST_CASE("H1, H2, H4, H6, H7, H16: fault server: lengths that lie, and ends at a byte") {
  const FaultServer server;
  const std::vector<Case> cases = {
      {"", "200 length 100 body 100 closed"},
      {"&length=long:1", "200 length 101 body 100 closed"},
      {"&length=short:1", "200 length 99 body 100 closed"},
      {"&length=huge", "200 length 9223372036854775807 body 100 closed"},
      {"&length=overflow", "200 length 18446744073709551616 body 100 closed"},
      {"&length=none", "200 length none body 100 closed"},
      {"&reset_after=head", "0 length none body 0 reset"},
      {"&reset_after=0", "200 length 100 body 0 reset"},
      {"&reset_after=99", "200 length 100 body 99 reset"},
      {"&reset_after=100", "200 length 100 body 100 reset"},
      {"&reset_after=101", "200 length 100 body 100 closed"},
      {"&close_after=head", "0 length none body 0 closed"},
      {"&close_after=99", "200 length 100 body 99 closed"},
      {"&status=204", "204 length none body 0 closed"},
      {"&status=206", "206 length 100 body 100 closed"},
      {"&status=404", "404 length 11 body 11 closed"},
      {"&status=99", "400 length 32 body 32 closed"},
      {"&lenght=none", "400 length 23 body 23 closed"},
      {"&length=nine", "400 length 27 body 27 closed"},
  };
  for (const Case& one : cases)
    CHECK_MESSAGE(shown(server.get("/f/a?size=100" + one.switches)) == one.expected, one.switches);

  const std::string same{server.get("/f/a?size=5&length=twice").head()};
  CHECK(same.find("Content-Length: 5\r\nContent-Length: 5\r\n") != std::string::npos);
  const std::string other{server.get("/f/a?size=5&length=twice_differ").head()};
  CHECK(other.find("Content-Length: 5\r\nContent-Length: 6\r\n") != std::string::npos);
}

TEST_CASE("H9, H11, H12, H14: fault server: chunked bodies, whole and broken") {
  const FaultServer server;
  const std::string chunk = "5\r\n" + FaultServer::content("a", 5) + "\r\n";
  const std::vector<Case> cases = {
      {"ok", chunk + "0\r\n\r\n"},
      {"with_length", chunk + "0\r\n\r\n"},
      {"no_end", chunk},
      {"bad_size", chunk + "FFFFFFFFFFFFFFFF1\r\nx\r\n"},
      {"trailer", chunk + "0\r\nContent-Length: 1\r\n\r\n"},
  };
  for (const Case& one : cases) {
    const RawReply reply = server.get("/f/a?size=5&chunked=" + one.switches);
    CHECK_MESSAGE(reply.body() == one.expected, one.switches);
    CHECK(reply.header("Transfer-Encoding") == "chunked");
    CHECK(reply.header("Content-Length") == (one.switches == "with_length" ? "6" : ""));
  }
  CHECK(server.get("/f/a?size=5&chunked=ok&close_after=5").body() == chunk.substr(0, 8));
  CHECK(server.get("/f/a?size=65537&chunked=ok").body().substr(0, 7) == "10000\r\n");
}

TEST_CASE("H17, H19, H21, H22, H24: fault server: ranges as asked for, ignored, and told wrongly") {
  const FaultServer server;
  struct RangeCase {
    std::string range;
    std::string switches;
    int status;
    std::string content_range;
    std::string body;
  };
  const std::vector<RangeCase> cases = {
      {"bytes=0-", "", 206, "bytes 0-99/100", kHundred},
      {"bytes=13-", "", 206, "bytes 13-99/100", kHundred.substr(13)},
      {"bytes=3-21", "", 206, "bytes 3-21/100", kHundred.substr(3, 19)},
      {"bytes=99-", "", 206, "bytes 99-99/100", kHundred.substr(99)},
      {"bytes=90-100", "", 206, "bytes 90-99/100", kHundred.substr(90)},
      {"bytes=0-18446744073709551615", "", 206, "bytes 0-99/100", kHundred},
      {"bytes=-1", "", 206, "bytes 99-99/100", kHundred.substr(99)},
      {"bytes=100-", "", 416, "bytes */100", ""},
      {"bytes=5-3", "", 200, "", kHundred},
      {"bytes=1-2,4-5", "", 200, "", kHundred},
      {"bytes=13-", "&ranges=ignore", 200, "", kHundred},
      {"bytes=13-", "&ranges=none", 200, "", kHundred},
      {"bytes=13-", "&content_range=wrong_start", 206, "bytes 14-99/100", kHundred.substr(13)},
      {"bytes=13-", "&content_range=wrong_total", 206, "bytes 13-99/101", kHundred.substr(13)},
      {"bytes=13-", "&content_range=inverted", 206, "bytes 101-99/100", kHundred.substr(13)},
      {"bytes=13-", "&content_range=missing", 206, "", kHundred.substr(13)},
  };
  for (const RangeCase& one : cases) {
    INFO(one.range << one.switches);
    const RawReply reply =
        server.get("/f/a?size=100" + one.switches, "Range: " + one.range + "\r\n");
    CHECK(reply.status() == one.status);
    CHECK(reply.header("Content-Range") == one.content_range);
    CHECK(reply.body() == one.body);
  }
  CHECK(server.get("/f/a").header("Accept-Ranges") == "bytes");
  CHECK(server.get("/f/a?ranges=ignore").header("Accept-Ranges").empty());
  CHECK(server.get("/f/a?ranges=none").header("Accept-Ranges") == "none");
}

TEST_CASE(
    "H26, H27, H29: fault server: If-Range holds for a strong tag or the date, until a change") {
  const FaultServer server;
  const std::string changing = "/f/b?size=100&etag_change_after=3";
  const RawReply first = server.get(changing);
  const std::string tag{first.header("ETag")};
  const auto resume = [&](const std::string& target, std::string_view validator) {
    return server.get(target, fmt::format("Range: bytes=9-\r\nIf-Range: {}\r\n", validator));
  };

  CHECK(resume(changing, tag).status() == 206);
  CHECK(resume(changing, first.header("Last-Modified")).status() == 206);

  const RawReply changed = resume(changing, tag);
  CHECK(changed.status() == 200);
  CHECK(changed.header("ETag") != tag);
  CHECK(changed.body() == FaultServer::content("b", 100, FaultServer::Version::changed));
  CHECK(resume(changing, first.header("Last-Modified")).status() == 200);
  CHECK(resume(changing + "&ignore_if_range=1", tag).status() == 206);

  CHECK(server.get("/f/a?etag=weak").header("ETag").starts_with("W/\""));
  CHECK(resume("/f/a?etag=weak", server.get("/f/a?etag=weak").header("ETag")).status() == 200);
  CHECK(server.get("/f/a?etag=none").header("ETag").empty());
  CHECK(server.get("/f/a?etag=%22x%22").header("ETag") == "\"x\"");
  CHECK(server.get("/f/a?last_modified=none").header("Last-Modified").empty());
  CHECK(server.get("/f/a?last_modified=epoch").header("Last-Modified") ==
        "Thu, 01 Jan 1970 00:00:00 GMT");
  const RawReply now = server.get("/f/a?last_modified=now");
  CHECK(now.header("Last-Modified") == now.header("Date"));
  const RawReply future = server.get("/f/a?last_modified=future");
  CHECK(future.header("Last-Modified") != future.header("Date"));
}

TEST_CASE("H39: fault server: a status, or a reset, for the first requests only") {
  const FaultServer server;
  const std::string busy = "/f/c?size=100&status=503&status_times=2&retry_after=7";
  CHECK(server.get(busy).header("Retry-After") == "7");
  CHECK(server.get(busy).status() == 503);
  CHECK(server.get(busy).status() == 200);

  const std::string breaking = "/f/d?size=100&reset_after=5&reset_times=1";
  CHECK(shown(server.get(breaking)) == "200 length 100 body 5 reset");
  CHECK(shown(server.get(breaking)) == "200 length 100 body 100 closed");

  CHECK(server.get("/f/e?status=429").header("Retry-After").empty());
  CHECK(server.get("/f/e?status=429&retry_after=-5").header("Retry-After") == "-5");
  CHECK(
      server.get("/f/e?status=429&retry_after=date:%2B60").header("Retry-After").ends_with("GMT"));
  CHECK(server.get("/f/e?status=429&retry_after=date:-").status() == 400);
}

TEST_CASE("U31, U34, U35: fault server: redirects to elsewhere, in a chain, in a loop") {
  const FaultServer server;
  const RawReply away =
      server.get("/f/a?redirect=http%3A%2F%2F127.0.0.1%2Fx%3Fy&redirect_code=307");
  CHECK(away.status() == 307);
  CHECK(away.header("Location") == "http://127.0.0.1/x?y");

  CHECK(server.get("/f/a?redirect_chain=2&type=a%2Fb").header("Location") ==
        "/f/a?redirect_chain=1&type=a%2Fb");
  CHECK(server.get("/f/a?redirect_chain=1").header("Location") == "/f/a?redirect_chain=0");
  CHECK(server.get("/f/a?redirect_chain=0").status() == 200);

  CHECK(server.get("/f/a?redirect_loop=2").header("Location") == "/f/a?hop=1&redirect_loop=2");
  CHECK(server.get("/f/a?hop=1&redirect_loop=2").header("Location") ==
        "/f/a?hop=0&redirect_loop=2");
}

TEST_CASE("H31, H32, H34, H41, H42, H44: fault server: what can stand in a head") {
  const FaultServer server;
  const RawReply named = server.get(
      "/f/a?disposition=attachment%3B%20filename%3D%22..%2Fx%22&type=a/b&"
      "encoding=gzip&set_cookie=a%3Db&version=1.0");
  CHECK(named.header("Content-Disposition") == "attachment; filename=\"../x\"");
  CHECK(named.header("Content-Type") == "a/b");
  CHECK(named.header("Content-Encoding") == "gzip");
  CHECK(named.header("Set-Cookie") == "a=b");
  CHECK(named.bytes.starts_with("HTTP/1.0 200 "));

  const std::size_t plain = server.get("/f/a").head().size();
  CHECK(server.get("/f/a?headers=100000").head().size() == plain + 100'000 * 13);
  CHECK(server.get("/f/a?header_size=1048576").header("X-Long").size() == 1'048'576);
  const RawReply hints = server.get("/f/a?early_hints=1000");
  CHECK(hints.status() == 103);
  CHECK(hints.body().find("HTTP/1.1 200 ") == 999 * (hints.head().size() + 4));
  CHECK(server.get("/f/a.mp4?login=1").header("Content-Type") == "text/html; charset=utf-8");
}

TEST_CASE("fault server: pages have their links, and guarded files need u:p") {
  const FaultServer server;
  const RawReply page = server.get("/page?links=/f/a,/f/b%2Cc%22&next=/page%3Fn%3D2");
  CHECK(page.body().find("<a href=\"/f/a\">") != std::string::npos);
  CHECK(page.body().find("<a href=\"/f/b,c&#34;\">") != std::string::npos);
  CHECK(page.body().find("<a rel=\"next\" href=\"/page?n=2\">") != std::string::npos);

  CHECK(server.get("/auth/a?size=100").status() == 401);
  CHECK(server.get("/auth/a?size=100", "Authorization: Basic dTpx\r\n").status() == 401);
  CHECK(server.get("/auth/a?size=100", "Authorization: Basic dTpw\r\n").body() == kHundred);
  CHECK(server.get("/other").status() == 404);
}
