#pragma once
// Sets the options of a libcurl handle for a request. The HTTP loop sets the callbacks.

#include <memory>

#include "io/web/http.h"

namespace haul::io {

// Owns the data that the handle points to. It must live as long as the request.
class HttpOptions {
 public:
  virtual ~HttpOptions() = default;
};

// `easy` is a CURL handle. It reads at most `read_max` bytes at once, and fewer if the body may
// be compressed.
std::unique_ptr<HttpOptions> set_options(void* easy, const HttpRequest& request,
                                         std::int64_t read_max);

}  // namespace haul::io
