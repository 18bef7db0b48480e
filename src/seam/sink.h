#pragma once
// The interface of everything that receives files: a library folder with its media server, a chat,
// a bucket.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "seam/by_hand.h"
#include "seam/import_preview.h"
#include "seam/lack.h"
#include "seam/sight.h"

namespace haul {

// Why a source must stay. Empty if it may be removed now.
using WhyKept = std::function<Result<std::string>(const SourceFile& source)>;

// The files of a job on their way to a sink.
struct Parcel {
  JobId job;
  std::int64_t fence = 0;
  std::string request;  // The job's request, JSON.
  std::string path;     // Where the source is: a file, or a folder of files.
  std::int64_t size = 0;
  std::vector<PlacedFile> placed{};  // What land() put into place. Empty before that.
  // For land(): what the client fetched. For clean(): what may be removed. Empty for verify().
  std::vector<SourceFile> sources{};
  std::string evidence{};  // What land() reported of the placed files, JSON. Empty before that.
  // For clean(): why a source stays. Asked on the sink's thread, also right before each removal.
  WhyKept why_kept{};
  std::vector<ByHand> by_hand{};  // What a user said about the files. Wins over their names.
};

// Every call returns at once; answers arrive as sights in the inbox.
class Sink {
 public:
  virtual ~Sink() = default;

  // Puts the files into their places. Reports Moving as it goes on, then Landed or Sent, or Failed.
  virtual void land(const Parcel& parcel, Inbox& inbox) = 0;
  // Whether land() can store files now: asked before haul pays for something that must be stored.
  // True if the sink knows. Otherwise it finds out, without files of the parcel, and reports Usable
  // or Failed; stop() ends that.
  virtual bool is_usable(const Parcel& /*parcel*/, Inbox& /*inbox*/) { return true; }
  // Asks for proof that all files arrived. Reports Indexed, NotIndexed, Unseen or Failed.
  virtual void verify(const Parcel& parcel, Inbox& inbox) = 0;
  // Removes the sources of the parcel and nothing else. A source that has changed since it was
  // listed, or whose copy is gone or not whole any more, stays: `kept_unsafe`. Reports CleanedSome
  // as it goes on, then Cleaned, or Failed.
  virtual void clean(const Parcel& parcel, Inbox& inbox) = 0;
  // Ends what it does with this parcel, within two seconds. Reports Stopped if that had no effect,
  // or the answer that came first. Reports Failed if some files arrived and others did not, or if
  // the outcome is unknown.
  virtual void stop(const Parcel& parcel, Inbox& inbox) = 0;
  // What land() would do with the sources of this parcel, without doing it. Without sources, only
  // whether what the user said can be meant. Reads no file. Call from any thread.
  virtual ImportPreview preview(const Parcel&) const {
    return {.files = {}, .problem = ImportProblem{"no_preview", "it has no plan to show"}};
  }
  // Z-30: what it lacks before it can work. Call from any thread.
  virtual Lack not_ready() const { return {}; }
  // The same for the files of this request, JSON, which may not be checked yet.
  virtual Lack lack_for(std::string_view /*request*/) const { return not_ready(); }
};

}  // namespace haul
