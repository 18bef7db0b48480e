#pragma once
// Asks a server for the content type of an address. Reads only the head of the reply. Lives on the
// HTTP loop's thread.

#include <functional>
#include <memory>
#include <string>

#include "engine/get_request.h"
#include "engine/http/http.h"
#include "io/web/http.h"
#include "seam/gate.h"

namespace haul::choose {

class Look final : public io::HttpUser {
 public:
  // Gets the content type, or empty text if it is unknown. Runs once, on the loop's thread.
  using Tell = std::function<void(std::string)>;
  Look(io::HttpLoop& loop, Gate& gate, const http::HttpSettings& settings,
       engine::GetRequest request, std::int64_t start, Tell tell);
  ~Look() override;

  void begin(const std::string& url);

  io::Go on_head(int call, const io::HttpHead& head) override;
  io::Go on_body(int call, std::span<const std::byte> bytes) override;
  void on_end(int call, const io::HttpEnd& end) override;

 private:
  void ask();
  void leave();
  void done(std::string type);

  io::HttpLoop& loop_;
  Gate& gate_;
  const http::HttpSettings& settings_;
  const engine::GetRequest request_;
  const std::int64_t start_;
  Tell tell_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  Url url_;
  io::Reach reach_;
  bool other_origin_ = false;
  std::optional<std::int64_t> door_;
  int call_ = 0;
  int hops_ = 0;
  std::string type_;
  std::string location_;
};

}  // namespace haul::choose
