#include "app/log.h"

#include <array>
#include <iostream>

#include "base/json.h"
#include "base/redact.h"

namespace haul::app {
namespace {

constexpr std::array<std::string_view, 4> kNames{"debug", "info", "warning", "error"};

}  // namespace

void Log::say_fields(Level level, std::string_view what, std::span<const Field> fields) const {
  if (level < least_) return;
  std::string line = "{\"at\":\"" + to_iso(clock_.now()) + "\",\"level\":\"" +
                     std::string{kNames.at(static_cast<std::size_t>(level))} +
                     "\",\"event\":" + json_quoted(what);
  for (const auto& [name, value] : fields)
    line += "," + json_quoted(name) + ":" + json_quoted(safe_detail(value));
  line += "}\n";
  const Lock lock{mutex_};
  std::cerr.clear();  // A line that failed on a full disk must not silence later ones.
  std::cerr << line << std::flush;
}

Level level_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames.at(i) == name) return static_cast<Level>(i);
  return Level::info;
}

}  // namespace haul::app
