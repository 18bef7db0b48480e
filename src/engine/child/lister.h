#pragma once
// Finds out what a page has, by asking the program: its items, and those of the pages it leads to.
// Lives on the loop's thread.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/child/run.h"

namespace haul {

class Lister final : public ChildUser {
 public:
  Lister(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox);

  void begin();
  void stop();
  void fail(Fault fault);
  // Whoever waits for its turn, or lists for long, is not silent.
  void stay_heard();
  // Now and then: ends it if it writes too much.
  void watch_disk();
  bool is_at_work() const { return run_ != nullptr; }
  bool is_gone() const { return gone_; }

  void on_line(Stream stream, const std::string& line) override;
  void on_end(const ChildEnd& end) override;

 private:
  void tell(What what);
  void next();
  void take(const Listed& listed);
  void break_off(const Fault& fault);
  void finish();

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  std::deque<std::string> pages_;      // To be listed.
  std::map<std::string, int> depths_;  // Of those that are known: how far from the first.
  std::set<std::string> keys_;
  std::vector<FoundItem> items_;
  std::optional<Fault> broken_;  // Why the listing is not complete.
  Listing listing_;
  Complaints complaints_;
  std::unique_ptr<Run> run_;
  std::optional<Fault> overrun_;  // Why it was ended by us.
  int runs_ = 0;
  bool stopping_ = false;
  bool gone_ = false;
};

}  // namespace haul
