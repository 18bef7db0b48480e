#pragma once
// Finds out what a batch is to fetch: the addresses it was given, or the media on a page and on
// those that follow it. Lives on the loop's thread.

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "engine/http/download.h"

namespace haul {

class Enumerate final : public HttpUser {
 public:
  Enumerate(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox);
  ~Enumerate() override;

  void begin();
  void stop();
  bool is_gone() const { return gone_; }

  Go on_head(int call, const HttpHead& head) override;
  Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const HttpEnd& end) override;

 private:
  void tell(What what);
  void list_more();
  void next();  // The next address to look at, or the end.
  void ask();   // As soon as the gate lets it pass.
  void hop(bool came_from_public);
  void read_links();
  void found(std::vector<FoundItem> items);
  void fail(Fault fault);
  void look_failed(const Fault& fault);

  HttpEnv env_;
  std::shared_ptr<GetJob> job_;
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  std::size_t listed_ = 0;         // Of a list of files that is all there is to know.
  std::deque<std::string> pages_;  // To be read.
  std::set<std::string> known_;    // Pages that are not read a second time.
  std::deque<std::string> files_;  // Whose size or date decides.
  bool is_page_ = false;           // What is at hand,
  std::string at_;                 // as it was given,
  Url url_;                        // and where that led.
  bool other_origin_ = false;      // No secrets go there.
  Reach reach_;
  int call_ = 0;
  int hops_ = 0;
  int pages_read_ = 0;
  Reply reply_;
  std::string date_;
  std::string body_;
  bool gone_ = false;
};

}  // namespace haul
