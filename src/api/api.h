#pragma once
// haul over HTTP: from a request to its answer. Everything between, on the calling thread.

#include <map>
#include <string>

#include "api/call.h"
#include "api/routes.h"

namespace haul {

class Api {
 public:
  explicit Api(ApiParts parts);

  WebReply answer(const WebRequest& request);
  // For what is refused before it becomes a request.
  static WebReply refuse(int status, std::string_view detail);

 private:
  ApiReply run(const WebRequest& request);
  std::expected<Who, ApiError> identify(const WebRequest& request, Time now);
  std::optional<ApiError> spend(const std::string& bucket, double rate, double burst);

  struct Bucket {
    double tokens = 0;
    Steady filled;
  };

  ApiParts parts_;
  Mutex mutex_;
  std::map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
};

}  // namespace haul
