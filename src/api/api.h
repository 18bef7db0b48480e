#pragma once
// haul over HTTP: from a request to its answer. Everything between, on the calling thread.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "api/call.h"
#include "api/routes.h"

namespace haul {

class Api {
 public:
  explicit Api(ApiParts parts);

  WebReply answer(const WebRequest& request);
  // Requests for one job each can be answered together, by an AddGroup, which costs much less.
  static bool is_add(const WebRequest& request);
  // For what is refused before it becomes a request.
  static WebReply refuse(int status, std::string_view detail);

 private:
  friend class AddGroup;

  // A request that may be answered: everything about it is known but its answer.
  struct Admitted {
    const Route* route = nullptr;
    Call call;
  };
  std::expected<Admitted, ApiReply> admit(const WebRequest& request, std::optional<Who> known);
  ApiReply run(const WebRequest& request);
  WebReply finished(const WebRequest& request, ApiReply reply, Steady began);
  std::expected<Who, ApiError> identify(const WebRequest& request, Time now);
  std::optional<ApiError> spend(const std::string& bucket, double rate, double burst);

  struct Bucket {
    double tokens = 0;
    Steady filled;
  };

  ApiParts parts_;
  const std::string run_;  // Of this process; with a number, what a request is known by.
  std::atomic<std::uint64_t> answered_ = 0;
  Mutex mutex_;
  std::map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
};

}  // namespace haul
