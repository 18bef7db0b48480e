#include "io/web/http_fault.h"

#include <curl/curl.h>
#include <doctest/doctest.h>

#include <string>

namespace haul::io {
namespace {

// "retryable cannot_connect"
std::string fault(const CurlEnd& end) {
  const Fault found = http_fault(end);
  CHECK_FALSE(found.detail.empty());
  return std::string{found.kind == FaultKind::retryable ? "retryable " : "final "} + found.code;
}

TEST_CASE("a proxy that opens no tunnel is not taken for the server") {
  const auto refused = [](int status) {
    return fault({.code = CURLE_RECV_ERROR, .tunnel_status = status});
  };
  CHECK(refused(407) == "final proxy_login");
  CHECK(refused(401) == "final proxy_login");  // tinyproxy's answer to a wrong login.
  CHECK(refused(403) == "final proxy_refused");
  CHECK(refused(300) == "final proxy_refused");
  CHECK(refused(502) == "retryable proxy_refused");
  CHECK(refused(0) == "retryable connection_lost");
  CHECK(refused(200) == "retryable connection_lost");  // It broke after it was open.
  CHECK(refused(299) == "retryable connection_lost");
}

TEST_CASE("a proxy's address that libcurl cannot read is in no message; an unknown host is") {
  CurlEnd end{.code = CURLE_COULDNT_RESOLVE_PROXY,
              .error = "Unsupported proxy syntax in 'me:word@h:99999'"};
  CHECK(fault(end) == "final bad_proxy");
  CHECK(http_fault(end).detail.find("word") == std::string::npos);
  end = {.code = CURLE_NOT_BUILT_IN, .error = "Unsupported proxy 'https://me:word@h:1'"};
  CHECK(fault(end) == "final bad_proxy");
  CHECK(http_fault(end).detail.find("word") == std::string::npos);
  end.code = CURLE_COULDNT_RESOLVE_PROXY;
  end.error = "Could not resolve proxy: none.example";
  CHECK(fault(end) == "retryable host_not_found");
  CHECK(http_fault(end).detail == end.error);
}

TEST_CASE("a SOCKS proxy that refuses the login is not asked again, one without a way is") {
  const auto refused = [](int error) { return fault({.code = CURLE_PROXY, .proxy_error = error}); };
  CHECK(refused(CURLPX_NO_AUTH) == "final proxy_login");
  CHECK(refused(CURLPX_USER_REJECTED) == "final proxy_login");
  CHECK(refused(CURLPX_REPLY_NOT_ALLOWED) == "final proxy_refused");
  CHECK(refused(CURLPX_RESOLVE_HOST) == "retryable host_not_found");
  CHECK(refused(CURLPX_REPLY_CONNECTION_REFUSED) == "retryable cannot_connect");
  CHECK(refused(CURLPX_CLOSED) == "retryable cannot_connect");
}

}  // namespace
}  // namespace haul::io
