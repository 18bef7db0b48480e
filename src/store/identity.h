#pragma once
// What a store knows of itself: its own id, and whether it came from a backup.

#include <string>

#include "base/id.h"
#include "base/time.h"

namespace haul {

class Identity {
 public:
  virtual ~Identity() = default;

  // Twelve lower-case hexadecimal digits, drawn when the store is made. A backup has the same id,
  // so it survives a restore and a move. Names on disk and tags at a client carry it.
  virtual const std::string& id() const = 0;

  // Z-31: the store was restored and no admin has cleared it yet. Answered from memory.
  virtual bool is_restored() const = 0;
  // When it was restored, as ISO text; empty: it was not, or an admin has cleared it.
  virtual std::string restored_at() = 0;
  virtual void mark_restored(Time now) = 0;
  // Lets the store act again, and writes who did it into the audit log, in one transaction. False:
  // there was nothing to clear.
  virtual bool clear_restored(UserId by, Time now) = 0;
};

}  // namespace haul
