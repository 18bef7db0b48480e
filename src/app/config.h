#pragma once
// The configuration: one table of keys. A file, then the environment, then flags set their values.
// The same table checks them and generates docs/config.md.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/time.h"

namespace haul {

enum class ConfigKind : std::uint8_t { text, number, duration, list, path, size };

struct ConfigKey {
  std::string_view name;  // "transfer.folder"
  ConfigKind kind;
  std::string_view usual;
  std::string_view about;
  bool is_secret = false;
};
std::span<const ConfigKey> config_keys();

class Config {
 public:
  using Environment = std::map<std::string, std::string>;

  // Refuses, with file and line, an unknown key (and suggests the nearest one) and a value of the
  // wrong kind. `file` may be empty.
  static Result<Config> read(const std::filesystem::path& file, const Environment& environment);
  // A flag's value overrides all others.
  Result<void> set(std::string_view name, std::string value, std::string from);

  std::string text(std::string_view name) const;
  std::int64_t number(std::string_view name) const;
  Millis duration(std::string_view name) const;
  // In bytes. Nullopt if the value is empty.
  std::optional<std::int64_t> size(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;

  struct Value {
    std::string text;
    std::string from;  // "haul.toml:3", "HAUL__SERVER__LISTEN", "--listen", or "usual".
  };
  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

 private:
  Result<void> read_file(const std::filesystem::path& file);
  Result<void> read_environment(const Environment& environment);
  Result<void> check_together() const;

  std::map<std::string, Value, std::less<>> values_;
};

// The output of `haul config show`: secrets are masked.
std::string shown(const Config& config);
// The text of docs/config.md.
std::string config_page();

}  // namespace haul
