#pragma once
// How haul reaches the Bot API, and how large files may be.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/fault.h"
#include "base/time.h"

namespace haul::telegram {

inline constexpr std::size_t kUploadsMax = 100;  // Telegram refuses more of one bot at a time.

struct ChatSettings {
  std::string url;                     // "https://api.telegram.org" or "http://127.0.0.1:8081"
  std::string token;                   // In the path of each request to `url`, and nowhere else.
  std::int64_t max_size = 50'000'000;  // A larger file is refused (A3-6).
  Millis connect_timeout{5'000};
  Millis stall_timeout{30'000};  // No byte of an upload for this long is a fault.
  std::string ca_file{};
  std::string user_agent = "haul";
  // Called when the fault of the bot itself changes, such as a refused token, and with null when a
  // send shows that it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble{};
};

}  // namespace haul::telegram
