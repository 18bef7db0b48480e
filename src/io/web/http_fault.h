#pragma once
// Turns libcurl's result of a failed request into a fault.

#include <string>

#include "base/fault.h"

namespace haul::io {

struct CurlEnd {
  int code = 0;  // A CURLcode that is not CURLE_OK.
  long os_error = 0;
  std::string error;          // libcurl's own message; may be empty.
  bool head_told = false;     // HttpUser::on_head has been called.
  int tunnel_status = 0;      // What an HTTP proxy answered to CONNECT; 0: nothing, or no tunnel.
  int proxy_error = 0;        // A CURLproxycode: what a SOCKS proxy answered.
  std::string wrong_proxy{};  // What haul found wrong with the proxy's address.
};

Fault http_fault(const CurlEnd& end);

// Retryable if another request may help after this error status, else permanent (S2-21, Z-11).
FaultKind kind_of_status(int status);

}  // namespace haul::io
