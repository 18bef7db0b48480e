#pragma once
// Every way into haul, and who may take it: the one table that requests, permissions, body limits
// and the OpenAPI page are drawn from.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace haul {

// There is no default: a route that does not say who may ask for it does not compile.
enum class Need : std::uint8_t {
  nobody,  // Anybody, without a key: the page's own files, login, whether it lives.
  key,     // Anybody with one.
  read,
  add,
  operate,
  admin,
};
std::string_view name(Need need);

// Which changes go into the audit log (Z-16).
enum class Audit : std::uint8_t {
  none,
  of_others,  // Of objects that belong to somebody else than who asks.
  always,
  by_store,  // The store writes the entry, in the transaction of the change.
};

struct Route {
  constexpr Route(std::string_view m, std::string_view p, Need n, Handler h, std::string_view a,
                  std::size_t b = 0)
      : method{m}, pattern{p}, need{n}, handler{h}, about{a}, body_max{b} {}

  constexpr Route audited(Audit which, std::string_view as) const {
    Route route = *this;
    route.audit = which;
    route.action = as;
    return route;
  }
  constexpr Route hashing() const {
    Route route = *this;
    route.hashes = true;
    return route;
  }

  std::string_view method;
  std::string_view pattern;  // "/api/v1/jobs/{id}"
  Need need;
  Handler handler;
  std::string_view about;  // A sentence for the OpenAPI page.
  std::size_t body_max;
  Audit audit = Audit::none;
  std::string_view action;  // "JOB_CANCELLED"
  bool hashes = false;      // It may hash a password, which takes long and much memory.
};

std::span<const Route> routes();

struct Found {
  const Route* route = nullptr;    // Nothing: no such path, or not by this method.
  std::vector<std::string> words;  // What stood for its {}.
  std::string allow;               // The methods this path has; empty: no such path.
};
// HEAD is GET without the body.
Found find_route(std::string_view method, const WebTarget& target);

// How much body what is asked may have, before anybody has looked closer.
std::size_t body_max(std::string_view method, std::string_view target);

}  // namespace haul
