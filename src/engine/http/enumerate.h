#pragma once
// Lists what a batch is to fetch: the given addresses, or the media on a page and on the pages that
// follow it. Lives on the loop's thread.

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/http/download.h"

namespace haul::http {

class Enumerate final : public io::HttpUser {
 public:
  Enumerate(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox);
  ~Enumerate() override;

  void begin();
  void stop();
  bool is_gone() const { return gone_; }

  io::Go on_head(int call, const io::HttpHead& head) override;
  io::Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const io::HttpEnd& end) override;

 private:
  struct Wanted {
    std::string address;
    std::string key;  // Of its item.
  };

  void tell(What what);
  void list_more();
  void list_feed();
  void next();  // Looks up the next file or page.
  void ask();   // Sends the request as soon as the gate lets it pass.
  void hop(bool came_from_public);
  void read_links();
  void break_off(const char* why);
  void found(std::vector<FoundItem> items);
  // Why the filters skip a file, or `exists` if only files whose name is free are wanted.
  std::string skip_reason(const std::string& key, const engine::Known& known) const;
  void fail(Fault fault, std::int64_t wait_ms = 0);
  void look_failed(const Fault& fault);

  HttpEnv env_;
  std::shared_ptr<GetJob> job_;
  Order order_;
  Inbox& inbox_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);

  std::size_t listed_ = 0;         // Given addresses listed so far, if none needs a lookup.
  std::size_t fed_ = 0;            // The same of those that came after the request.
  Steady told_;                    // When it reported last.
  std::deque<std::string> pages_;  // Still to be read.
  std::set<std::string> known_;    // Pages already read.
  std::deque<Wanted> files_;       // Files whose size or date a filter needs.
  std::optional<Fault> broken_;    // Why the listing is not complete: the first page that was cut.
  bool is_page_ = false;           // Whether the current address is a page.
  std::string at_;                 // The current address, as given.
  std::string key_;                // Of its item.
  Url url_;                        // Where its redirects have led.
  bool other_origin_ = false;      // A redirect has left the first origin, so no secrets are sent.
  io::Reach reach_;
  int call_ = 0;
  int hops_ = 0;
  int pages_read_ = 0;
  Reply reply_;
  std::string date_;
  std::string body_;
  bool gone_ = false;
};

}  // namespace haul::http
