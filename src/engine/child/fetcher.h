#pragma once
// One process that fetches items, and what it says about each of them. Lives on the loop's thread.

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/child/delivery.h"

namespace haul {

class Fetcher final : public ChildUser {
 public:
  // Items of a job whose indices are the same page by page, in the order they come in.
  Fetcher(ChildEnv env, std::shared_ptr<ChildJob> job, std::vector<Order> orders, Inbox& inbox);

  // Its only item came in an earlier life: nothing is begun.
  bool recognise();
  void begin();
  void kill();
  // Of one of its items; false: it has no such start.
  bool land(std::int64_t start);
  bool stop(std::int64_t start, Parts parts);
  // Now and then: how far it is.
  void report();
  // Whoever waits for its turn is not silent.
  void stay_heard();
  bool is_at_work() const { return run_ != nullptr; }
  bool is_gone() const;

  void on_line(Stream stream, const std::string& line) override;
  void on_end(const ChildEnd& end) override;

 private:
  struct Piece {
    Piece(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox)
        : delivery{env, std::move(job), std::move(order), inbox} {}

    Delivery delivery;
    bool began = false;     // The program has said so.
    bool stopping = false;  // Told when the process is gone.
    Parts parts = Parts::keep;
  };

  Piece* find(std::int64_t start);
  Piece* next_unbegun(const std::string& url);
  void delivered(const std::string& path);
  void end_with(const Fault& fault);
  void lead_proxy();
  void watch_disk();
  std::int64_t size_max() const;
  Fault overrun_for(const Piece& piece) const;

  ChildEnv env_;
  std::shared_ptr<ChildJob> job_;
  Inbox& inbox_;
  std::list<Piece> pieces_;
  std::unique_ptr<Run> run_;
  Complaints complaints_;

  Piece* current_ = nullptr;                  // Whose file comes.
  std::map<std::string, std::int64_t> have_;  // By file: several may become one.
  std::map<std::string, std::int64_t> about_;
  std::int64_t received_before_ = 0;  // Through the proxy, for earlier items.
  std::optional<Fault> overrun_;      // Why it was ended by us.
  std::string doing_;
  std::string file_;
  bool changed_ = false;
  std::int64_t told_ = 0;
};

}  // namespace haul
