#pragma once
// All routes of the API and who may call them. Dispatch, permissions, body limits and the OpenAPI
// page come from this one table.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"

namespace haul::api {

// Who may call a route. It has no default, so a route that does not set it does not compile.
enum class Need : std::uint8_t {
  none,  // No key required: the page's files, login, health checks.
  key,   // Any valid key or session.
  read,
  add,
  operate,
  admin,
};
std::string_view name(Need need);

// Which changes go into the audit log (Z-16).
enum class Audit : std::uint8_t {
  none,
  of_others,  // Only changes to objects of another user.
  always,
  by_store,  // The store writes the entry, in the transaction of the change.
};

struct Route {
  constexpr Route(std::string_view m, std::string_view p, Need n, RouteHandler h,
                  std::string_view a, std::size_t b = 0)
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

  constexpr Route grouped() const {
    Route route = *this;
    route.groups = true;
    return route;
  }

  std::string_view method;
  std::string_view pattern;  // "/api/v1/jobs/{id}"
  Need need;
  RouteHandler handler;    // Null if the route groups.
  std::string_view about;  // A sentence for the OpenAPI page.
  std::size_t body_max;
  Audit audit = Audit::none;
  std::string_view action;  // "JOB_CANCELLED"
  bool hashes = false;      // May hash a password, which takes long and much memory.
  bool groups = false;      // An AddTransaction answers its requests, many at once.
};

std::span<const Route> routes();

struct Found {
  const Route* route = nullptr;    // Null if the path is unknown or lacks this method.
  std::vector<std::string> words;  // The path segments that matched {}.
  std::string allow;               // The methods of this path; empty if it is unknown.
};
// HEAD finds the GET route.
Found find_route(std::string_view method, const WebTarget& target);

// The largest body that this request may have. Needs no other check of the request.
std::size_t body_max(std::string_view method, std::string_view target);

}  // namespace haul::api
