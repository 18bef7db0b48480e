#pragma once
// The seam to whatever receives: a library folder with its media server, a chat, a bucket.

#include <cstdint>
#include <string>

#include "io/sight.h"

namespace haul {

struct Parcel {
  JobId job;
  std::int64_t fence = 0;
  std::string request;  // The job's request, JSON.
  std::string path;     // Where it lies now.
  std::int64_t size = 0;
};

// Every call returns at once; answers arrive as sights in the inbox.
class Sink {
 public:
  virtual ~Sink() = default;

  // Brings the parcel to its place: Landed or Sent, or Failed.
  virtual void land(const Parcel& parcel, Inbox& inbox) = 0;
  // Asks for proof that it arrived: Indexed, NotIndexed, Unseen or Failed.
  virtual void verify(const Parcel& parcel, Inbox& inbox) = 0;
  // Removes the source, by its manifest and nothing else: Cleaned, or Failed.
  virtual void clean(const Parcel& parcel, Inbox& inbox) = 0;
};

}  // namespace haul
