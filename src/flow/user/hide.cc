// Deletes ended jobs for their users: the store hides them.

#include "flow/user/user.h"

namespace haul::flow {
namespace {

constexpr int kTries = 8;  // Lost races, until the caller is told that the job keeps changing.

}  // namespace

std::expected<void, Refusal> hide(Store& store, JobId id, OwnFiles files, Time now) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto job = store.reader().find(id);
    if (!job) return std::unexpected{Refusal{RefusalKind::stale, "no_such_job", ""}};
    const MoveAnswer hidden = store.jobs().hide(job->version, files, now);
    if (hidden) return {};
    if (hidden.error().kind != RefusalKind::stale) return std::unexpected{hidden.error()};
  }
  return std::unexpected{Refusal{RefusalKind::stale, "stale", "the job keeps changing; try again"}};
}

}  // namespace haul::flow
