#pragma once
// Takes one item's file from a program's folder to its place. The file first becomes a part in the
// job's folder. Once the caller has stored that, land() gives it its final name. Lives on the
// loop's thread.

#include <memory>
#include <string>

#include "engine/child/run.h"
#include "io/file/landing.h"

namespace haul::child {

class Delivery {
 public:
  Delivery(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox);

  const Order& order() const { return order_; }
  // Whether an earlier start fetched the whole file and it is still here. If so, reports Fetched or
  // Finished, and nothing is fetched again. Removes the item's other parts.
  bool recognise();
  // Takes a file out of the program's folder.
  void take(const StagedFile& staged);
  void land();
  // Keeps the part for a later start, or removes it.
  void stop(Leftovers leftovers);

  // Reports progress.
  void tell(What what);
  // Does nothing once the lander has the file: its answer decides then.
  void fail(Fault fault);
  // The program's work for this item is done, and the end is not reported yet.
  bool is_fetched() const;
  bool is_gone() const { return landing_.state() == io::LandingState::ended; }

 private:
  void end(What what);  // Reports the end: Finished, Failed or Stopped.
  void fetched();
  void put();
  void landed(const Result<void>& result);
  void give_up(Fault fault);
  bool is_here();
  std::string evidence(const std::string& mtime) const;
  Checksum wanted_sum() const;

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Order order_;
  io::LandingFile landing_;
  std::shared_ptr<Checksum> taken_;  // The hash for the receipt. Null if the request wants none.
  Inbox& inbox_;
  std::int64_t size_ = 0;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace haul::child
