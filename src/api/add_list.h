#pragma once
// Jobs that are asked for together, each answered as if it had been asked for alone.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/job_json.h"

namespace haul {

struct AddedView {
  Added added;
  JobView view;
};
using AddShown = std::expected<AddedView, ApiError>;
ApiReply reply_of(const AddShown& shown);

// In three steps: what is wanted, as it comes; one transaction for all of it; the answers.
class AddList {
 public:
  AddList(const ApiParts& parts, Time now) : parts_{parts}, now_{now} {}

  void read(const Call& call, std::string_view body, std::string key);
  void add();
  void show(const std::function<void(AddShown)>& each) const;

 private:
  AddShown shown(std::size_t which) const;
  void audit() const;

  const ApiParts& parts_;
  const Time now_;
  std::vector<std::optional<ApiError>> errors_;  // Nothing: it is the next of these.
  std::vector<NewJob> jobs_;
  std::vector<UserId> askers_;    // Likewise, who asked for it.
  std::vector<AddAnswer> added_;  // Likewise.
};

}  // namespace haul
