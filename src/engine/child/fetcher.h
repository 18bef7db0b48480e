#pragma once
// Runs one process that fetches items, and reports what it says about each. Lives on the loop's
// thread.

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/child/delivery.h"

namespace haul::child {

class Fetcher final : public io::ChildUser {
 public:
  // Items of one job, in the order the program fetches them. Every page has the same indices.
  Fetcher(ChildEnv env, std::shared_ptr<ChildJob> job, std::vector<Order> orders, Inbox& inbox);

  // Whether an earlier start has fetched the only item. If so, no process is needed. Removes the
  // item's other parts.
  bool recognise();
  void begin();
  void kill();
  // Both act on the item with this start. False if there is none, or if the item to stop has ended.
  bool land(std::int64_t start);
  bool stop(std::int64_t start, Leftovers leftovers);
  // Called periodically. Reports progress, and kills the process if it writes too much.
  void report();
  // Reports Waiting for every unfinished item, so that the flow does not give it up as silent.
  void stay_heard();
  bool is_at_work() const { return run_ != nullptr; }
  bool is_gone() const;

  void on_line(io::Stream stream, const std::string& line) override;
  void on_end(const io::ChildEnd& end) override;

 private:
  struct Piece {
    Piece(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox)
        : delivery{env, std::move(job), std::move(order), inbox} {}

    Delivery delivery;
    bool began = false;     // The program has announced it.
    bool stopping = false;  // Stopped is reported when the process has ended.
    Leftovers leftovers = Leftovers::keep;
  };

  Piece* find(std::int64_t start);
  Piece* next_unbegun(const std::string& url);
  void delivered(const std::string& path);
  void end_with(const Fault& fault);
  void lead_proxy();
  void watch_disk();
  std::int64_t size_max() const;
  Fault overrun_for(const Piece& piece, const Fault& overrun) const;

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Inbox& inbox_;
  std::list<Piece> pieces_;
  std::unique_ptr<Run> run_;
  Complaints complaints_;

  Piece* current_ = nullptr;                  // The item whose file is being fetched.
  std::map<std::string, std::int64_t> have_;  // By file. Several may be merged into one.
  std::map<std::string, std::int64_t> about_;
  std::int64_t received_before_ = 0;  // Bytes the proxy received for earlier items.
  std::optional<Fault> overrun_;      // Why haul killed the process.
  std::string doing_;
  std::string file_;
  bool changed_ = false;
  std::int64_t told_ = 0;
};

}  // namespace haul::child
