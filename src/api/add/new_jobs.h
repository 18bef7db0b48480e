#pragma once
// Jobs added in one transaction. Each gets the answer it would get if it were added alone.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "api/json/job_json.h"

namespace haul::api {

struct AddedView {
  Added added;
  JobView view;
};
using AddShown = std::expected<AddedView, ApiError>;
ApiReply reply_of(const AddShown& shown);

// Three steps: read each request as it comes, add all in one transaction, show the answers.
class NewJobs {
 public:
  NewJobs(const ApiParts& parts, Time now) : parts_{parts}, now_{now} {}

  void read(const Call& call, std::string_view body, std::string key);
  void add();
  void show(const std::function<void(AddShown)>& each) const;

 private:
  // By id. A job can be in both if one list has its request twice.
  struct Views {
    std::map<JobId, JobView> existing;  // They may have moved since, so they are read again.
    std::map<JobId, JobView> added;     // As they were just written.
  };
  // Of the group of jobs that begins there. One read serves the whole group.
  Views read_views(std::size_t from) const;
  AddShown shown(std::size_t which, const Views& views) const;

  const ApiParts& parts_;
  const Time now_;
  std::vector<std::optional<ApiError>> errors_;  // One per request. Nullopt: the next one in jobs_.
  std::vector<NewJob> jobs_;
  std::vector<AddAnswer> added_;  // For each of jobs_.
};

}  // namespace haul::api
