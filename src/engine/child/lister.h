#pragma once
// Runs the program to list a page: its items, and the items of the pages it leads to. Lives on the
// loop's thread.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/child/run.h"

namespace haul::child {

class Lister final : public io::ChildUser {
 public:
  Lister(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox);

  void begin();
  void stop();
  void fail(Fault fault);
  // Reports Waiting every minute, so that the flow does not give up a queued or long listing as
  // silent.
  void stay_heard();
  // Called periodically. Kills the process if it writes too much.
  void watch_disk();
  bool is_at_work() const { return run_ != nullptr; }
  bool is_gone() const { return gone_; }

  void on_line(io::Stream stream, const std::string& line) override;
  void on_end(const io::ChildEnd& end) override;

 private:
  void tell(What what);
  void next();
  void take(const PagesRead& listed);
  void break_off(const Fault& fault);
  void finish();

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  std::deque<std::string> pages_;      // Still to be listed.
  std::map<std::string, int> depths_;  // Distance of each known page from the first.
  std::set<std::string> keys_;
  std::vector<FoundItem> items_;
  std::optional<Fault> broken_;  // Why the listing is not complete.
  Listing listing_;
  Complaints complaints_;
  std::unique_ptr<Run> run_;
  std::optional<Fault> overrun_;  // Why haul killed the process.
  int runs_ = 0;
  bool stopping_ = false;
  bool gone_ = false;
};

}  // namespace haul::child
