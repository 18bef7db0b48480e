#pragma once
// Room for the log: zeros that are written ahead of it. A flush that makes the log's file longer
// has to write the new length as well, which costs a small commit a third of its time.

#include "store/open.h"
#include "store/sqlite/db.h"

namespace haul::sqlite {

class LogRoom {
 public:
  LogRoom(Connection& db, const SqliteOptions& options);

  // After a commit: how long the log is now.
  void see(int log_pages);
  // True if the log ends close to the end of its room. After a large commit that is no reason for
  // more: most of its time goes into its pages.
  bool is_short() const;
  // Throws StoreFault: gone if a flush failed, busy if another program writes. A full disk is left
  // for a commit to find, once the room that there is has been used.
  void make();

 private:
  Connection& db_;
  const SqliteOptions options_;
  int log_pages_ = 0;
  int committed_ = 0;  // Pages of the last commit.
  int room_ = 0;       // Pages that the file has room for, as far as known.
  bool is_full_ = false;
};

}  // namespace haul::sqlite
