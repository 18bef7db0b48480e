#pragma once
// A key of the configuration: its kind, what values it takes, its default, and what it is for. The
// keys of one area are in one file. haul reads, checks, shows and documents them by these rows.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "base/time.h"

namespace haul::app {

class Config;

enum class ConfigKind : std::uint8_t { text, number, duration, list, path, size, boolean };

// The least and the most of a number. For a duration, in milliseconds.
struct ConfigRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

constexpr ConfigRange between(Millis least, Millis most) { return {least.count(), most.count()}; }

struct ConfigKey {
  // What is wrong with a value, and what was expected. Empty if it is valid.
  using Check = std::string (*)(const std::string& value);

  std::string_view name;  // "transfer.folder", or "category.NAME.folder" if users name the section.
  ConfigKind kind = ConfigKind::text;
  std::string_view default_value;
  std::string_view about;
  std::span<const std::string_view> words{};  // The values of a text. Empty: any.
  std::optional<ConfigRange> range{};         // Of a number or a duration. Nothing: any.
  Check check = nullptr;  // Of a value of the right kind; for a list, of each element.
  bool is_secret = false;
};

// The keys of one area, in the order of docs/config.md.
struct ConfigArea {
  std::span<const ConfigKey> keys;
  // The rule between values of different keys. Nullptr if there is none.
  Result<void> (*check)(const Config& config) = nullptr;
};

}  // namespace haul::app
