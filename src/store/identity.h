#pragma once
// The store's own id, and whether the store was restored from a backup or filled by a takeover.

#include <string>

#include "base/id.h"
#include "base/time.h"

namespace haul {

class Identity {
 public:
  virtual ~Identity() = default;

  // Twelve lower-case hexadecimal digits, random, made with the store. A backup has the same id, so
  // the id survives a restore and a change of machine. File names on disk and tags at a download
  // client contain it.
  virtual const std::string& id() const = 0;

  // Z-31: true if the store was restored and no admin has cleared that yet. Reads memory only.
  virtual bool is_restored() const = 0;
  // When the store was restored, as ISO text; empty if is_restored() is false.
  virtual std::string restored_at() = 0;
  virtual void mark_restored(Time now) = 0;
  // Clears the mark, so that haul acts on the outside again, and writes the admin into the audit
  // log, in one transaction. False if there was nothing to clear.
  virtual bool clear_restored(UserId by, Time now) = 0;
};

}  // namespace haul
