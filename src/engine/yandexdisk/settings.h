#pragma once
// How haul reaches Yandex Disk, and what it may read from it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "io/file/spool.h"

namespace haul::yandexdisk {

// The checkpoint of an order that asks for the whole file before the chat gets its first byte.
inline constexpr const char* kWholeFirst = R"({"whole_first":true})";

struct DiskSettings {
  std::string url;    // "https://cloud-api.yandex.net"
  std::string token;  // Goes into a header to that host only, never into an address or a log.
  // With these, haul gets a new token when the disk no longer accepts the old one (Z-14).
  std::string refresh_token{};
  std::string client_id{};
  std::string client_secret{};
  std::string oauth_url{};                             // "https://oauth.yandex.ru"
  std::int64_t max_size = std::int64_t{2'000} << 20U;  // A3-6: a larger file is refused.
  std::size_t pipe_size = std::size_t{128} * 1'024;    // Bytes between the disk and the chat.
  Millis connect_timeout{5'000};                       // S3-24.
  Millis read_timeout{30'000};                         // S3-24: no byte for this long.
  std::string ca_file{};
  std::string user_agent = "haul";
  // Called when the disk's fault changes, with null when it is over. Runs on the loop's thread.
  std::function<void(const Fault*)> on_trouble{};
  // Where a file is kept that is read whole first. Without it, or if it is full, haul streams.
  std::optional<io::SpoolSettings> spool{};
  // Called with the bytes that the spool has reserved, when they change. Runs on the loop's thread.
  std::function<void(std::int64_t)> on_spool{};
};

}  // namespace haul::yandexdisk
