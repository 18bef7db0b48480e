#pragma once
// Authentication: API keys, passwords, sessions, and the limit on login attempts per name. The
// store keeps only the hash of each secret. Every lookup that lets a user in also checks that the
// user's row is active, so blocking a user takes one write.

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/scopes.h"
#include "store/users.h"

namespace haul {

// The name of the key that the daemon makes for user 1 and keeps in a file beside the store.
inline constexpr std::string_view kAdminKeyName = "admin.key";

struct NewApiKey {
  UserId user;
  std::string name;  // Chosen by the user: 1 to 200 bytes of UTF-8.
  Scopes scopes;     // At least one.
  std::string prefix;
  std::string hash;  // hash_token of the whole key.
  std::optional<Time> expires_at;
  std::size_t keys_max = 100;  // How many its user may have that are not revoked.
  ApiKeyId maker{};            // The key that makes it, itself or by its session; zero: none.
};

struct ApiKey {
  ApiKeyId id;
  UserId user;
  std::string name;
  Scopes scopes;
  std::string prefix;
  Time created_at;
  std::optional<Time> expires_at;
  std::optional<Time> used_at;  // Updated at most once a minute.
  std::optional<Time> revoked_at;
  ApiKeyId maker{};  // Zero: none, or from before makers were kept.

  bool operator==(const ApiKey&) const = default;
};

// A usable key: not revoked, not expired, and its user is active.
struct LiveApiKey {
  ApiKey key;
  std::string hash;
  User user;
};

struct ApiKeyFilter {
  UserId user;      // Zero for all users.
  ApiKeyId before;  // Keyset: only ids below this; zero starts at the newest.
  std::size_t limit = 20;
};

class ApiKeys {
 public:
  virtual ~ApiKeys() = default;

  // Of an active user, by a key that is not revoked. Refused with prefix_taken: make another key.
  virtual std::expected<ApiKey, Refusal> add(const NewApiKey& key, Time now) = 0;
  // Finds a usable key by its prefix. The caller compares the hash.
  virtual std::optional<LiveApiKey> live(const std::string& prefix, Time now) = 0;
  virtual std::optional<ApiKey> find(ApiKeyId id) = 0;
  // Newest first, including revoked keys.
  virtual std::vector<ApiKey> list(const ApiKeyFilter& filter) = 0;
  // Revokes a key for ever; a second call changes nothing. False if there is no such key.
  virtual bool revoke(ApiKeyId id, Time now) = 0;
  // Revokes this key, the keys made with it, and so on. Returns how many it revoked.
  virtual std::size_t revoke_with_made(ApiKeyId id, Time now) = 0;
  // It was used. Written at most once a minute; nearly always only a look.
  virtual void touch(ApiKeyId id, Time now) = 0;
};

struct Session {
  std::string token_hash;
  UserId user;
  Time created_at;
  Time expires_at;
  Scopes scopes = Scopes::all();  // Limit the session further than its user's role does.
  ApiKeyId key{};                 // The key that opened it; zero if a password did.
};

struct LiveSession {
  Session session;
  User user;
};

class Sessions {
 public:
  virtual ~Sessions() = default;

  // The user must be active. A user has at most 100 sessions; opening one more closes the oldest.
  virtual std::expected<void, Refusal> open(const Session& session) = 0;
  // Nothing if the session has expired, its user is not active, or the key that opened it is
  // revoked or has expired.
  virtual std::optional<LiveSession> find(const std::string& token_hash, Time now) = 0;
  // Extends a session that find() returns, and never shortens it. False if find() returns nothing.
  virtual bool extend(const std::string& token_hash, Time expires_at, Time now) = 0;
  virtual bool close(const std::string& token_hash) = 0;
  virtual std::size_t close_all(UserId user) = 0;
  // Removes up to `limit` expired sessions (at most 4,000); returns how many.
  virtual std::size_t prune(Time now, std::size_t limit) = 0;
};

class Logins {
 public:
  virtual ~Logins() = default;

  // `hash` comes from hash_password; an empty one disables login by password. Closes all sessions
  // of the user, because a person who knew the old password may have opened them. False if there is
  // no such user.
  virtual bool set_password(UserId user, const std::string& hash, Time now) = 0;
  // The password hash; nothing if the user has no password or is not active.
  virtual std::optional<std::string> password(UserId user) = 0;

  // Counts a login attempt for this name, whether or not a user has it, and returns the failures so
  // far. The attempt itself counts as a failure until `succeeded`. If the name is locked, counts
  // nothing and returns when to retry. The caller counts the attempt before it checks the password,
  // so that parallel attempts get no more tries than sequential ones. The store keeps names as
  // hashes, because people type passwords there: all names of users, and the 10,000 other names
  // tried last.
  virtual std::expected<int, Time> take_try(std::string_view name, Time now) = 0;
  // Forgets the failures of this name.
  virtual void succeeded(std::string_view name) = 0;
  // The try that was taken failed. Where a user has the name, the audit log gets LOGIN_FAILED, and
  // LOCKED_OUT if the name has to wait now. For an unknown name haul writes a row of the same cost.
  // So the time of an answer does not tell which names exist.
  virtual void failed(std::string_view name, Time now) = 0;
};

class Access {
 public:
  virtual ~Access() = default;

  virtual ApiKeys& keys() = 0;
  virtual Sessions& sessions() = 0;
  virtual Logins& logins() = 0;
};

}  // namespace haul
