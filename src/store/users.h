#pragma once
// Users: who owns jobs and may do what. User 1 is the admin that every store starts with.

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "store/refusal.h"

namespace haul {

inline constexpr UserId kAdmin{1};

enum class UserStatus : std::uint8_t { active, blocked, deleted };
enum class Role : std::uint8_t { viewer, adder, operating, admin };  // "operator" is a keyword.

struct User {
  UserId id;
  std::string name;
  UserStatus status = UserStatus::active;
  Role role = Role::adder;
  Time created_at;

  bool operator==(const User&) const = default;
};

class Users {
 public:
  virtual ~Users() = default;

  // A name has 1 to 200 bytes of UTF-8, none of them 0. Blanks at its ends are dropped, and it must
  // differ from every other name by more than blanks and the case of ASCII letters.
  virtual std::expected<User, Refusal> add(const std::string& name, Role role, Time now) = 0;
  virtual std::optional<User> find(UserId id) = 0;
  virtual std::optional<User> find(const std::string& name) = 0;
  virtual std::vector<User> list(UserId after, std::size_t limit) = 0;
  // The same rules. A name is taken once: a deleted user keeps it.
  virtual std::expected<User, Refusal> rename(UserId id, const std::string& name) = 0;
  // The last active admin cannot be blocked or demoted, and neither can user 1, whose key the
  // daemon keeps beside the store. Blocking or deleting a user ends the user's sessions for good.
  virtual std::expected<User, Refusal> set(UserId id, UserStatus status, Role role) = 0;
};

}  // namespace haul
