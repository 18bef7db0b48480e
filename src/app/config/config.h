#pragma once
// The configuration of the daemon. A file, then the environment, then flags set its values.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/config/key.h"
#include "base/fault.h"
#include "base/time.h"

namespace haul::app {

// The source of a value that neither the file, the environment nor a flag sets.
inline constexpr std::string_view kDefault = "default";

class Config {
 public:
  using Environment = std::map<std::string, std::string>;

  // Refuses, with file and line, an unknown key (and suggests the nearest one) and a value of the
  // wrong kind. `file` may be empty.
  static Result<Config> read(const std::filesystem::path& file, const Environment& environment);
  // The variables that set one of these keys. For commands that read no other keys.
  static Environment variables_of(std::span<const ConfigKey> keys, const Environment& environment);
  // A flag's value overrides all others.
  Result<void> set(std::string_view name, std::string value, std::string from);

  // The value of a key, which must exist.
  std::string text(std::string_view name) const;
  std::int64_t number(std::string_view name) const;
  bool is_on(std::string_view name) const;
  Millis duration(std::string_view name) const;
  // In bytes. Nullopt if the value is empty.
  std::optional<std::int64_t> size(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;
  // The sections that users have named in this one, by name: "films" for category.films.
  std::vector<std::string> names_in(std::string_view section) const;
  // Where it comes from: "haul.toml:3", "HAUL__SERVER__LISTEN", "--listen", or kDefault.
  const std::string& from(std::string_view name) const;

 private:
  struct Value {
    std::string text;
    std::string from;
  };

  Result<void> read_file(const std::filesystem::path& file);
  Result<void> read_environment(const Environment& environment);
  void add_section(std::string_view key_in_it);
  const Value& value(std::string_view name) const;

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace haul::app
