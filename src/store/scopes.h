#pragma once
// Scopes: what an API key or session may be used for, within what its user may do.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace haul {

enum class Scope : std::uint8_t { read, add, operate, admin };

std::string_view name(Scope scope);
std::optional<Scope> find_scope(std::string_view name);

class Scopes {
 public:
  constexpr Scopes() = default;
  constexpr Scopes(std::initializer_list<Scope> scopes) {
    for (const Scope scope : scopes) bits_ |= bit(scope);
  }
  static constexpr Scopes all() { return {Scope::read, Scope::add, Scope::operate, Scope::admin}; }

  constexpr bool has(Scope scope) const { return (bits_ & bit(scope)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void insert(Scope scope) { bits_ |= bit(scope); }
  bool operator==(const Scopes&) const = default;

 private:
  static constexpr unsigned bit(Scope scope) { return 1U << static_cast<unsigned>(scope); }
  unsigned bits_ = 0;
};

// "read,add": the stored form, in the order of the enum.
std::string to_text(Scopes scopes);
// Parses the stored form; ignores words that are no scope of this version.
Scopes read_scopes(std::string_view list);

}  // namespace haul
