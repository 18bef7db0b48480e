#pragma once
// haul over HTTP: turns a request into its reply, on the calling thread.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "api/call.h"
#include "api/routes.h"

namespace haul::api {

class Api {
 public:
  explicit Api(ApiParts parts);

  WebReply answer(const WebRequest& request);
  // True if the request adds one job. An AddTransaction answers many of these together at much less
  // cost.
  static bool is_add(const WebRequest& request);
  // True if the request may hash a password. Few threads answer these, so that many at once cannot
  // use up memory.
  static bool hashes_password(const WebRequest& request);
  // Decides by a request's head, before its body is read: 100 to read on, or the refusal.
  WebReply admit_head(const WebRequest& head);
  // The reply to input that is refused before it becomes a request.
  static WebReply refuse(int status, std::string_view detail);

 private:
  friend class AddTransaction;

  // A request that passed every check, ready for its route's handler.
  struct Admitted {
    const Route* route = nullptr;
    Call call;
  };
  std::expected<Admitted, ApiReply> admit(const WebRequest& request, std::optional<Who> known);
  ApiReply run(const WebRequest& request);
  WebReply finished(const WebRequest& request, ApiReply reply, Steady began);
  std::expected<Who, ApiError> identify(const WebRequest& request, Time now);
  void write_audit(const Route& route, const Call& call, const std::vector<Touched>& touched);

  ApiParts parts_;
  const std::string run_;  // Random, one per process. With answered_ it makes correlation ids.
  std::atomic<std::uint64_t> answered_ = 0;
  Doors doors_;
};

}  // namespace haul::api
