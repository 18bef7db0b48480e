#include "flow/worker/client_work.h"

#include <utility>

#include "base/ensure.h"

namespace haul::flow {

std::vector<ClientJob> read_client_jobs(Store& store, std::vector<Job> jobs) {
  std::vector<JobId> ids;
  ids.reserve(jobs.size());
  for (const Job& job : jobs) ids.push_back(job.version.id);
  std::vector<std::vector<Intent>> intents = store.intents().first_and_open(ids);
  std::vector<std::optional<std::string>> requests = store.reader().requests(ids);
  ensure(intents.size() == ids.size() && requests.size() == ids.size(),
         "the store answers for every job");
  std::vector<ClientJob> read;
  read.reserve(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i)
    read.push_back({.job = std::move(jobs[i]),
                    .intents = std::move(intents[i]),
                    .request = std::move(requests[i]).value_or("{}")});
  return read;
}

}  // namespace haul::flow
