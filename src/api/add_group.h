#pragma once
// Requests for one job each that came at about the same time: read as they come, added in one
// transaction, answered in order. Each step is called by itself, so that one group can be read or
// answered while another is added.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "api/add_list.h"
#include "api/api.h"

namespace haul {

class AddGroup {
 public:
  explicit AddGroup(Api& api);

  void read(WebRequest request);
  void add();
  // In the order they were read, each as soon as it is written.
  void answer(const std::function<void(WebReply)>& to_next);

 private:
  std::optional<ApiReply> refused(const WebRequest& request);

  Api& api_;
  const Steady began_;
  AddList list_;
  std::deque<WebRequest> requests_;
  std::map<std::string_view, Who> known_;         // By the keys of the requests.
  std::vector<std::optional<ApiReply>> refused_;  // Nothing: it is the next in the list.
  std::optional<ApiError> fault_;                 // Of the whole list.
};

}  // namespace haul
