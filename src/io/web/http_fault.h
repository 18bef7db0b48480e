#pragma once
// Turns libcurl's result of a failed request into a fault.

#include <string>

#include "base/fault.h"

namespace haul::io {

struct CurlEnd {
  int code = 0;  // A CURLcode that is not CURLE_OK.
  long os_error = 0;
  std::string error;       // libcurl's own message; may be empty.
  bool head_told = false;  // The user has got the head of the answer.
};

Fault http_fault(const CurlEnd& end);

// What an answer means that has not what was asked for: retryable, or permanent (S2-21, Z-11).
FaultKind kind_of_status(int status);

}  // namespace haul::io
