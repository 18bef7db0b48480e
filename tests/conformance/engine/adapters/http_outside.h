#pragma once
// A server on loopback, for the http engine and for the engines above it.

#include <atomic>
#include <latch>

#include "conformance/engine/item_engine.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"
#include "support/server/canned_server.h"

namespace haul::conformance {

class HttpOutside : public ItemBench {
 public:
  ~HttpOutside() override { over_.count_down(); }

  bool until(const So& so, Millis within) final { return turn_until(clock, sights, so, within); }
  Order listing(Pace pace) final;
  Order item(Pace pace) final;
  std::int64_t size() const final { return kSize; }
  void await_hold(const Order& order) final;
  void lose_source() final { is_lost_ = true; }
  std::filesystem::path folder() const final { return folder_.path(); }

 protected:
  testing::TurnedClock clock;
  testing::OpenGate gate;

 private:
  // Above 64 KiB, because the http engine gives a smaller file no name before it lands.
  static constexpr std::int64_t kSize = 100 * 1'024;

  std::string answer(std::string_view path);
  std::string request(const std::string& urls, const std::string& more) const;

  testing::TempFolder folder_;
  std::atomic<bool> is_lost_ = false;
  std::atomic<int> held_ = 0;  // Requests that wait for an answer.
  int awaited_ = 0;
  std::latch over_{1};  // Lets the requests go that the server holds.
  testing::CannedServer server_{[this](std::string_view path) { return answer(path); }};
};

}  // namespace haul::conformance
