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

#include "api/add/add_list.h"
#include "api/api.h"

namespace haul {

class AddGroup {
 public:
  explicit AddGroup(Api& api);

  void read(WebRequest request);
  void add();
  // Calls `to_next` in the order the requests were read, each as soon as its reply is built.
  void answer(const std::function<void(WebReply)>& to_next);

 private:
  std::optional<ApiReply> refused(const WebRequest& request);

  Api& api_;
  const Steady began_;
  AddList list_;
  std::deque<WebRequest> requests_;
  std::map<std::string_view, Who> known_;         // By API key; the keys point into requests_.
  std::vector<std::optional<ApiReply>> refused_;  // Nullopt: the request is the next one in list_.
  std::optional<ApiError> fault_;                 // Set if adding or showing the list failed.
};

}  // namespace haul
