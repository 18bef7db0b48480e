#include "io/web/http_fault.h"

#include <curl/curl.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace haul::io {
namespace {

// A proxy that opens no tunnel. Some answer 401, not 407, to a wrong login.
Fault tunnel_fault(int status, const std::string& detail) {
  if (status == 401 || status == 407) return {FaultKind::permanent, "proxy_login", detail};
  return {kind_of_status(status), "proxy_refused", detail};
}

Fault socks_fault(int error, const std::string& detail) {
  switch (error) {
    case CURLPX_NO_AUTH:
    case CURLPX_USER_REJECTED:
      return {FaultKind::permanent, "proxy_login", detail};
    case CURLPX_REPLY_NOT_ALLOWED:
      return {FaultKind::permanent, "proxy_refused", detail};
    case CURLPX_RESOLVE_HOST:
      return {FaultKind::retryable, "host_not_found", detail};
    default:
      return {FaultKind::retryable, "cannot_connect", detail};
  }
}

}  // namespace

Fault http_fault(const CurlEnd& end) {
  const auto code = static_cast<CURLcode>(end.code);
  const std::string detail = end.error.empty() ? curl_easy_strerror(code) : end.error;
  // This message has the whole address in it, so it is not passed on.
  if (detail.starts_with("Unsupported proxy"))
    return {FaultKind::permanent, "bad_proxy",
            end.wrong_proxy.empty() ? "the address of the proxy is not valid" : end.wrong_proxy};
  if (end.tunnel_status >= 300 && !end.head_told) return tunnel_fault(end.tunnel_status, detail);
  switch (code) {
    case CURLE_PROXY:
      return socks_fault(end.proxy_error, detail);
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
      return {FaultKind::retryable, "host_not_found", detail};
    case CURLE_COULDNT_CONNECT:
      if (end.os_error == ENETUNREACH || end.os_error == ENETDOWN)
        return {FaultKind::environment, "network_down", detail};
      return {FaultKind::retryable, "cannot_connect", detail};
    case CURLE_OPERATION_TIMEDOUT:
      return {FaultKind::retryable, end.head_told ? "stalled" : "timeout", detail};
    case CURLE_PARTIAL_FILE:
      return {FaultKind::retryable, "truncated", detail};
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {FaultKind::retryable, "connection_lost", detail};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return {FaultKind::permanent, "tls_not_trusted", detail};
    case CURLE_OUT_OF_MEMORY:  // Also libcurl's answer to a header line over 100 KiB.
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
      return {FaultKind::permanent, "bad_answer", detail};
    default:
      return {FaultKind::retryable, "transfer_error", detail};
  }
}

FaultKind kind_of_status(int status) {
  constexpr int kRetryable[] = {408, 429, 500, 502, 503, 504};
  return std::ranges::find(kRetryable, status) == std::end(kRetryable) ? FaultKind::permanent
                                                                       : FaultKind::retryable;
}

}  // namespace haul::io
