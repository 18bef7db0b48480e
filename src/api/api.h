#pragma once
// haul over HTTP: from a request to its answer. Everything between, on the calling thread.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/call.h"
#include "api/routes.h"

namespace haul {

class Api {
 public:
  explicit Api(ApiParts parts);

  WebReply answer(const WebRequest& request);
  // Requests for one job each can be answered together, which costs much less than one by one.
  static bool is_add(const WebRequest& request);
  std::vector<WebReply> answer_adds(std::span<const WebRequest> requests);
  // For what is refused before it becomes a request.
  static WebReply refuse(int status, std::string_view detail);

 private:
  // A request that may be answered: everything about it is known but its answer.
  struct Admitted {
    const Route* route = nullptr;
    Call call;
  };
  std::expected<Admitted, ApiReply> admit(const WebRequest& request, std::optional<Who> known);
  ApiReply run(const WebRequest& request);
  std::vector<ApiReply> run_adds(std::span<const WebRequest> requests);
  WebReply finished(const WebRequest& request, ApiReply reply, Steady began);
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
