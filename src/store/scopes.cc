#include "store/scopes.h"

#include <algorithm>
#include <array>

namespace haul {
namespace {

constexpr std::array<std::string_view, 4> kNames{"read", "add", "operate", "admin"};

}  // namespace

std::string_view name(Scope scope) { return kNames.at(static_cast<std::size_t>(scope)); }

std::optional<Scope> find_scope(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Scope>(found - kNames.begin());
}

std::string to_text(Scopes scopes) {
  std::string text;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (scopes.has(static_cast<Scope>(i)))
      text.append(text.empty() ? "" : ",").append(kNames.at(i));
  return text;
}

Scopes read_scopes(std::string_view list) {
  Scopes scopes;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (const auto scope = find_scope(list.substr(0, end))) scopes.insert(*scope);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return scopes;
}

}  // namespace haul
