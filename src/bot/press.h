#pragma once
// What a button of the bot asks for. It travels as the button's data, which has at most 64 bytes,
// so it has ids and no names.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace haul::bot {

struct Press {
  enum class Verb : std::uint8_t {
    ask_access,
    home,
    open,      // A folder or a file: entry, page.
    found,     // The guest's last search: page.
    download,  // An entry.
    cancel,    // A job.
    approve,   // A guest.
    deny,      // A guest.
  };
  Verb verb = Verb::home;
  std::int64_t id = 0;
  std::size_t page = 0;

  bool operator==(const Press&) const = default;
};

inline constexpr std::size_t kPressMax = 64;  // Bytes; Telegram's limit.

std::string to_data(const Press& press);
// Nothing if haul made no such data.
std::optional<Press> read_press(std::string_view data);

}  // namespace haul::bot
