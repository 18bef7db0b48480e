#include "base/host.h"

#include <doctest/doctest.h>

#include <string>

namespace haul {

TEST_CASE("A2-12: a host is lower case, without port and without a leading www.") {
  CHECK(host_of("https://example.com/a/b") == "example.com");
  CHECK(host_of("HTTPS://EXAMPLE.COM/A") == "example.com");
  CHECK(host_of("https://WwW.Example.com/") == "example.com");
  CHECK(host_of("https://example.com:8443/a") == "example.com");
  CHECK(host_of("https://www.example.com:80") == "example.com");
  CHECK(host_of("http://example.com:") == "example.com");
}

TEST_CASE("A2-12: only one www. goes, and only one that is a label of its own") {
  CHECK(host_of("https://www.www.example.com/") == "www.example.com");
  CHECK(host_of("https://wwwexample.com/") == "wwwexample.com");
  CHECK(host_of("https://www2.example.com/") == "www2.example.com");
  CHECK(host_of("https://images.www.example.com/") == "images.www.example.com");
  CHECK(host_of("https://ww.example.com/") == "ww.example.com");  // Unlike Python's lstrip (W2-11).
}

TEST_CASE("A2-12: subdomains are hosts of their own") {
  CHECK(host_of("https://cdn.example.com/") == "cdn.example.com");
  CHECK(host_of("https://a.b.c.example.co.uk/x") == "a.b.c.example.co.uk");
}

TEST_CASE("the host ends where path, query or fragment begin, also without a path") {
  for (const char* url : {"http://example.com", "http://example.com/", "http://example.com?q=1",
                          "http://example.com#f", "http://example.com/x@evil.example",
                          "http://example.com?u=http://evil.example/", "http://example.com#@evil"})
    CHECK_MESSAGE(host_of(url) == "example.com", url);
}

TEST_CASE("U38: user and password are not the host, even when they look like one") {
  CHECK(host_of("http://user:pass@example.com/") == "example.com");
  CHECK(host_of("http://user@example.com:81/") == "example.com");
  CHECK(host_of("http://evil.example@example.com/") == "example.com");
  CHECK(host_of("http://a@b@example.com/") == "example.com");
  CHECK(host_of("http://evil.example:80@example.com/") == "example.com");
  CHECK(host_of("http://www.evil.example@www.example.com/") == "example.com");
}

TEST_CASE("U40: a backslash ends the host as a slash does, so nothing after it can pose as one") {
  CHECK(host_of("http://127.0.0.1\\@good.example/") == "127.0.0.1");
  CHECK(host_of("http://good.example\\.evil.example/") == "good.example");
  CHECK(host_of("http://user\\@good.example/") == "user");
}

TEST_CASE("an IPv6 address keeps its brackets and loses its port") {
  CHECK(host_of("http://[::1]/") == "[::1]");
  CHECK(host_of("http://[::1]:8080/x") == "[::1]");
  CHECK(host_of("http://user:pass@[2001:DB8::A]:443/") == "[2001:db8::a]");
  CHECK(host_of("http://[::ffff:7f00:1]") == "[::ffff:7f00:1]");
}

TEST_CASE("an IPv6 address that never closes is no host, nor is what follows one part of it") {
  CHECK(host_of("http://[::1/").empty());
  CHECK(host_of("http://[").empty());
  CHECK(host_of("http://[::1]evil.example/") == "[::1]");
}

TEST_CASE("U45, U48: ports that are none, and addresses that have no host") {
  for (const char* url : {"http://h:0/", "http://h:65536/", "http://h:-1/", "http://h:22:33/"})
    CHECK_MESSAGE(host_of(url) == "h", url);
  for (const char* url : {"", "://", "http://", "http:///x", "http:host", "//host/x", "/path",
                          "example.com", "mailto:a@example.com", "data:text/html,x", "http://@/",
                          "http://:80/", "-oProxyCommand=x", "@/etc/passwd", "file:/etc/passwd"})
    CHECK_MESSAGE(host_of(url).empty(), url);
}

TEST_CASE("bytes beyond ASCII stay as they are") {
  CHECK(host_of("https://M\u00dcNCHEN.example/") == "m\u00dcnchen.example");
  CHECK(host_of("http://\xff\xfe/") == "\xff\xfe");
}

TEST_CASE("an address of 1 MiB is looked at and no more") {
  const std::string host(std::size_t{1} << 20U, 'A');
  CHECK(host_of("http://" + host + "/x").size() == host.size());
}

}  // namespace haul
