#pragma once
// The interface of everything that receives files: a library folder with its media server, a chat,
// a bucket.

#include <cstdint>
#include <string>

#include "seam/sight.h"

namespace haul {

// The file of a job on its way to a sink.
struct Parcel {
  JobId job;
  std::int64_t fence = 0;
  std::string request;  // The job's request, JSON.
  std::string path;     // Where the file is now.
  std::int64_t size = 0;
};

// Every call returns at once; answers arrive as sights in the inbox.
class Sink {
 public:
  virtual ~Sink() = default;

  // Puts the file in its place. Reports Landed or Sent, or Failed.
  virtual void land(const Parcel& parcel, Inbox& inbox) = 0;
  // Asks for proof that the file arrived. Reports Indexed, NotIndexed, Unseen or Failed.
  virtual void verify(const Parcel& parcel, Inbox& inbox) = 0;
  // Removes the source files in the manifest and nothing else. Reports Cleaned or Failed.
  virtual void clean(const Parcel& parcel, Inbox& inbox) = 0;
};

}  // namespace haul
