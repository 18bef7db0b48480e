#pragma once
// What a request asks for, as options of a libcurl handle. The callbacks are set elsewhere.

#include <memory>

#include "io/http.h"

namespace haul {

// Keeps what the handle points to; it must live as long as the request.
class HttpOptions {
 public:
  virtual ~HttpOptions() = default;
};

// `easy` is a CURL handle. It reads at most `read_max` bytes at once, and fewer of a body that may
// be compressed.
std::unique_ptr<HttpOptions> set_options(void* easy, const HttpAsk& ask, std::int64_t read_max);

}  // namespace haul
