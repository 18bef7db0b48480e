#include "io/web/http_fault.h"

#include <curl/curl.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace haul::io {

Fault http_fault(const CurlEnd& end) {
  const auto code = static_cast<CURLcode>(end.code);
  const std::string detail = end.error.empty() ? curl_easy_strerror(code) : end.error;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
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
