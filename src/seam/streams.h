#pragma once
// Hands the stream of a file from the engine that reads it to the sink that delivers it. The flow
// starts the engine, which offers the stream. When the engine reports Moving, the flow asks the
// sink to land the job, and the sink takes the stream.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/id.h"
#include "base/mutex.h"
#include "seam/pipe.h"

namespace haul {

struct FileStream {
  struct About {
    std::string name;       // The file's name for the receiver, without folders.
    std::int64_t size = 0;  // All bytes that will pass through the pipe.
    std::string type{};     // Its MIME type. Empty if unknown.
  };

  FileStream(About its_about, std::size_t capacity) : about{std::move(its_about)}, pipe{capacity} {}

  const About about;
  Pipe pipe;
};

// The streams that are offered and not taken yet. At most one per job. Call from any thread.
class Streams {
 public:
  // Both sides hold the stream. If an earlier read of the job offered one that was not taken, that
  // one is broken.
  void offer(JobId job, std::int64_t fence, std::shared_ptr<FileStream> stream);
  // The stream that was offered under this fence; nullptr if there is none. It can be taken once.
  std::shared_ptr<FileStream> take(JobId job, std::int64_t fence);
  // Breaks the job's stream with this fault, if it was offered under this fence and not taken.
  void withdraw(JobId job, std::int64_t fence, const Fault& why);

 private:
  struct Offered {
    std::int64_t fence = 0;
    std::shared_ptr<FileStream> stream;
  };
  // Removes and returns the job's stream if it has this fence.
  std::shared_ptr<FileStream> remove(JobId job, std::int64_t fence);

  Mutex mutex_;
  std::map<JobId, Offered> offered_ GUARDED_BY(mutex_);
};

}  // namespace haul
