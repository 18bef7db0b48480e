#include "base/proxy_address.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace haul {

TEST_CASE("a proxy is a host with or without scheme, login and port") {
  for (const char* fine :
       {"h", "h:3128", "http://h", "HTTPS://h:1/", "socks4://h", "socks4a://h", "socks5://h",
        "socks5h://h:1080", "http://[::1]:3128/", "u@h", "u:p@h:1", "http://u:@h:1",
        "http://u:p%40ss%2Fw%20%7e@h:1", "u:p@[::1]:1", "u:100%@h:1", "u:a%4@h:1", "u:a%zz@h:1"})
    CHECK_MESSAGE(wrong_with_proxy(fine) == "", fine);
  for (const char* bad : {"", "ftp://h:1", "http://", "http://h p", "h:0", "h:", "h:65536", "u:p@",
                          "u:p@h:99999", "://h"})
    CHECK_MESSAGE(wrong_with_proxy(bad).starts_with("expected a proxy such as "), bad);
}

TEST_CASE("a login that libcurl would read in another way is refused, and not repeated") {
  for (const char* bad : {"u:a/b@h:1", "http://u:a?b@h:1", "http://u:a#b@h:1", "http://u:a b@h:1",
                          "u:a@b@h:1", "u:a%2fb/@h:1"})
    CHECK_MESSAGE(wrong_with_proxy(bad).starts_with("percent-encode "), bad);
  for (const char* bad : {"u:a%00@h:1", "u:a%0Ab@h:1", "socks5h://u%09:a@h:1", "u:a%1f@h:1",
                          "u:a%7F@h:1", "u:a\tb@h:1", "u:a\x7f@h:1"})
    CHECK_MESSAGE(wrong_with_proxy(bad) == "the proxy's login must have no control characters",
                  bad);
  CHECK(wrong_with_proxy("u:a%20b@h:1") == "");
}

TEST_CASE("the variable that libcurl reads for a scheme is checked, and no other") {
  using Set = std::map<std::string, std::string>;
  constexpr const char* kWrong = "u:a@b@h:1";
  const auto wrong = [](UrlScheme scheme, const Set& set) {
    const std::string said = wrong_with_proxy_variable(scheme, [&set](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? std::string{} : found->second;
    });
    return said.substr(0, said.find(':'));
  };
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"})
    CHECK(wrong(UrlScheme::http, {{name, kWrong}}) == name);
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"})
    CHECK(wrong(UrlScheme::https, {{name, kWrong}}) == name);
  for (const char* name : {"HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy"})
    CHECK(wrong(UrlScheme::http, {{name, kWrong}}) == "");
  CHECK(wrong(UrlScheme::http, {{"http_proxy", "h:1"}, {"all_proxy", kWrong}}) == "");
  CHECK(wrong(UrlScheme::http, {{"http_proxy", ""}, {"all_proxy", kWrong}}) == "all_proxy");
  CHECK(wrong(UrlScheme::https, {}) == "");
}

}  // namespace haul
