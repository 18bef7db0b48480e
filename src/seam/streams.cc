#include "seam/streams.h"

#include "base/ensure.h"

namespace haul {

void Streams::offer(JobId job, std::int64_t fence, std::shared_ptr<FileStream> stream) {
  ensure(job && fence > 0 && stream != nullptr, "a stream is offered for a job under a lease");
  std::shared_ptr<FileStream> earlier;
  {
    const Lock lock{mutex_};
    Offered& offered = offered_[job];
    earlier = std::move(offered.stream);
    offered = {fence, std::move(stream)};
  }
  if (earlier)  // Without the lock: this calls back.
    earlier->pipe.fail({FaultKind::cancelled, "replaced", "the file is read anew"});
}

std::shared_ptr<FileStream> Streams::take(JobId job, std::int64_t fence) {
  return remove(job, fence);
}

void Streams::withdraw(JobId job, std::int64_t fence, const Fault& why) {
  if (const auto stream = remove(job, fence)) stream->pipe.fail(why);
}

std::shared_ptr<FileStream> Streams::remove(JobId job, std::int64_t fence) {
  const Lock lock{mutex_};
  const auto found = offered_.find(job);
  if (found == offered_.end() || found->second.fence != fence) return nullptr;
  std::shared_ptr<FileStream> stream = std::move(found->second.stream);
  offered_.erase(found);
  return stream;
}

}  // namespace haul
