#pragma once
// Who may come in: API keys, passwords, sessions, and how often a name may be tried. Of every
// secret the store has the hash only. A user who is not active has no way in: each answer that lets
// somebody in looks at the user's row, so that blocking one is one write.

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/scopes.h"
#include "store/users.h"

namespace haul {

// The name of the key that the daemon makes for user 1 and keeps beside the store.
inline constexpr std::string_view kAdminKeyName = "admin.key";

struct NewApiKey {
  UserId user;
  std::string name;  // What its owner calls it: 1 to 200 bytes of UTF-8.
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
  std::optional<Time> used_at;  // To the minute.
  std::optional<Time> revoked_at;
  ApiKeyId maker{};  // Zero: none, or from before makers were kept.

  bool operator==(const ApiKey&) const = default;
};

// A key that opens: not revoked, not expired, of an active user.
struct LiveApiKey {
  ApiKey key;
  std::string hash;
  User user;
};

struct ApiKeyFilter {
  UserId user;      // Zero: of all.
  ApiKeyId before;  // Keyset: ids smaller than this; zero: from the newest.
  std::size_t limit = 20;
};

class ApiKeys {
 public:
  virtual ~ApiKeys() = default;

  // Of an active user, by a key that is not revoked. Refused with prefix_taken: make another key.
  virtual std::expected<ApiKey, Refusal> add(const NewApiKey& key, Time now) = 0;
  // By prefix; the caller compares the hash.
  virtual std::optional<LiveApiKey> live(const std::string& prefix, Time now) = 0;
  virtual std::optional<ApiKey> find(ApiKeyId id) = 0;
  // Newest first, revoked ones too.
  virtual std::vector<ApiKey> list(const ApiKeyFilter& filter) = 0;
  // For ever; again changes nothing. False: there is no such key.
  virtual bool revoke(ApiKeyId id, Time now) = 0;
  // With all keys that it made, and those that they made. How many were not revoked yet.
  virtual std::size_t revoke_with_made(ApiKeyId id, Time now) = 0;
  // It was used. Written at most once a minute; nearly always only a look.
  virtual void touch(ApiKeyId id, Time now) = 0;
};

struct Session {
  std::string token_hash;
  UserId user;
  Time created_at;
  Time expires_at;
  Scopes scopes = Scopes::all();  // Beside what its user may do.
  ApiKeyId key{};                 // The key it was opened with; zero: a password.
};

struct LiveSession {
  Session session;
  User user;
};

class Sessions {
 public:
  virtual ~Sessions() = default;

  // For an active user; the oldest of more than 100 of one user is closed for it.
  virtual std::expected<void, Refusal> open(const Session& session) = 0;
  // Not expired, of an active user. A session ends with the key it was opened with.
  virtual std::optional<LiveSession> find(const std::string& token_hash, Time now) = 0;
  // Only while it can be found, and never to an earlier time. False: it cannot.
  virtual bool extend(const std::string& token_hash, Time expires_at, Time now) = 0;
  virtual bool close(const std::string& token_hash) = 0;
  virtual std::size_t close_all(UserId user) = 0;
  // Removes up to `limit` that have expired; says how many.
  virtual std::size_t prune(Time now, std::size_t limit) = 0;
};

class Logins {
 public:
  virtual ~Logins() = default;

  // A hash by hash_password; empty: no login by password any more. Ends all sessions of the user,
  // because whoever knew the old password may have opened them. False: there is no such user.
  virtual bool set_password(UserId user, const std::string& hash, Time now) = 0;
  // The hash; nothing if the user has none or is not active.
  virtual std::optional<std::string> password(UserId user) = 0;

  // Takes a try for this name, whether or not it exists: the failures so far with this one, which
  // counts as one until `succeeded`; or when to come back, and then nothing is counted. Taken
  // before the password is looked at, so that many at once have no more tries than one after the
  // other. Names are kept as hashes, because people type passwords there: those of users, and of
  // others the 10,000 tried last.
  virtual std::expected<int, Time> take_try(std::string_view name, Time now) = 0;
  virtual void succeeded(std::string_view name) = 0;
  // The try that was taken failed. Where a user has the name, the audit log gets LOGIN_FAILED, and
  // LOCKED_OUT if the name has to wait now. For a made-up name as much is written elsewhere, so
  // that the time it takes does not tell which names exist.
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
