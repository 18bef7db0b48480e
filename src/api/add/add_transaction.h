#pragma once
// Requests that add one job each and arrive at about the same time: read as they come, added in one
// transaction, answered in order. The caller runs each step, so it can read or answer one group
// while it adds another.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "api/add/new_jobs.h"
#include "api/api.h"

namespace haul::api {

class AddTransaction {
 public:
  explicit AddTransaction(Api& api);

  void read(WebRequest request);
  void add();
  // Calls `to_next` in the order the requests were read, each as soon as its reply is built.
  void answer(const std::function<void(WebReply)>& to_next);

  // Answers one request in a transaction of its own.
  static WebReply answer_alone(Api& api, WebRequest request);

 private:
  std::optional<ApiReply> refused(const WebRequest& request);

  Api& api_;
  const Steady began_;
  NewJobs list_;
  std::deque<WebRequest> requests_;
  std::map<std::string_view, Who> known_;         // By API key; the keys point into requests_.
  std::vector<std::optional<ApiReply>> refused_;  // Nullopt: the request is the next one in list_.
  std::optional<ApiError> fault_;                 // Set if adding or showing the list failed.
};

}  // namespace haul::api
