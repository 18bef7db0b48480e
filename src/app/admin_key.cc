#include "app/admin_key.h"

#include <fstream>
#include <limits>
#include <stdexcept>

#include "app/secret_file.h"
#include "base/secret.h"

namespace haul::app {
namespace {

// The daemon must start however many keys user 1 has.
constexpr std::size_t kAllKeys = std::numeric_limits<std::int32_t>::max();

std::string read_line(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::string line;
  std::getline(in, line);
  return line;
}

bool opens(Store& store, const std::string& key, Time now) {
  const auto prefix = api_key_prefix(key);
  const auto live = prefix ? store.access().keys().live(*prefix, now) : std::nullopt;
  return live && live->user.id == kAdmin && is_same_secret(live->hash, hash_token(key));
}

// Revokes those of user 1's live keys that `meant` selects.
template <class Meant>
void revoke_keys(Store& store, Time now, const Meant& meant) {
  ApiKeys& keys = store.access().keys();
  for (ApiKeyFilter filter{.user = kAdmin, .limit = 100};;) {
    const std::vector<ApiKey> page = keys.list(filter);
    for (const ApiKey& key : page)
      if (!key.revoked_at && meant(key)) keys.revoke(key.id, now);
    if (page.size() < filter.limit) return;
    filter.before = page.back().id;
  }
}

// Earlier versions let another admin block user 1, and then the daemon could not start. User 1 may
// have been blocked because an old key or password leaked, so all of them end.
void restore_admin(Store& store, Time now) {
  const auto admin = store.users().find(kAdmin);
  if (admin && admin->status == UserStatus::active && admin->role == Role::admin) return;
  revoke_keys(store, now, [](const ApiKey&) { return true; });
  store.access().logins().set_password(kAdmin, "", now);
  const auto restored = store.users().set(kAdmin, UserStatus::active, Role::admin);
  if (!restored)
    throw std::runtime_error{"user 1 cannot be made an admin: " + restored.error().detail};
  store.ledger().audit(kAdmin, {}, "ADMIN_RESTORED",
                       "user 1 was not an active admin when the daemon started", now);
}

}  // namespace

AdminKey ensure_admin_key(Store& store, const std::filesystem::path& data, Time now) {
  AdminKey key{.file = data / "admin.key", .text = {}};
  restore_admin(store, now);
  key.text = read_line(key.file);
  if (!opens(store, key.text, now)) {
    key.text = make_api_key();
    const auto added = store.access().keys().add({.user = kAdmin,
                                                  .name = std::string{kAdminKeyName},
                                                  .scopes = Scopes::all(),
                                                  .prefix = api_key_prefix(key.text).value_or(""),
                                                  .hash = hash_token(key.text),
                                                  .expires_at = {},
                                                  .keys_max = kAllKeys},
                                                 now);
    if (!added) throw std::runtime_error{"no admin key could be made: " + added.error().detail};
    write_secret(key.file, key.text);
  }
  // After a crash between add and write, too, only the key in the file may be called admin.key.
  const std::string prefix = api_key_prefix(key.text).value_or("");
  revoke_keys(store, now, [&](const ApiKey& each) {
    return each.name == kAdminKeyName && each.prefix != prefix;
  });
  return key;
}

}  // namespace haul::app
