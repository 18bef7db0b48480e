#pragma once
// Takes one item's file from a program's folder to its place. The file first becomes a part in the
// job's folder. Once the caller has stored that, land() gives it its final name. Lives on the
// loop's thread.

#include <memory>
#include <string>

#include "engine/child/run.h"
#include "engine/http/checkpoint.h"

namespace haul {

class Delivery {
 public:
  Delivery(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox);
  ~Delivery();

  const Order& order() const { return order_; }
  // Whether an earlier start fetched the whole file and it is still here. If so, reports Fetched or
  // Finished, and nothing is fetched again.
  bool recognise();
  // Takes a file out of the program's folder.
  void take(const StagedFile& staged);
  void land();
  // Keeps the part for a later start, or removes it.
  void stop(Parts parts);

  void tell(What what);
  void fail(Fault fault);
  bool is_fetched() const { return fetched_; }
  bool is_gone() const { return gone_; }

 private:
  void fetched();
  void landed(const Result<void>& result);
  bool choose_target();
  [[nodiscard]] Result<void> open_subfolder(const std::string& path);
  Checkpoint checkpoint() const;
  std::string path() const;
  Checksum wanted_sum() const;

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  std::shared_ptr<const Folder> folder_;  // Where it lands: the job's, or one inside it.
  std::string inside_;                    // Its path in the job's: "Somebody/", or empty.
  std::string name_;
  std::string target_;
  std::string part_;  // In the job's folder.
  std::shared_ptr<File> file_;
  std::int64_t size_ = 0;
  bool fetched_ = false;
  bool at_lander_ = false;
  bool stop_wanted_ = false;
  bool gone_ = false;  // Finished, Failed or Stopped was reported.
};

}  // namespace haul
