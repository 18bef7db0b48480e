#include "app/admin_key.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "base/secret.h"
#include "io/folder.h"

namespace haul {
namespace {

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

// Whole or not at all, and never readable by others, not even for a moment.
void write_secret(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path part = file.string() + ".part";
  ::unlink(part.c_str());
  const Descriptor fd{::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  const std::string line = text + "\n";
  const bool written =
      fd && ::write(fd.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(fd.get()) == 0 && ::rename(part.c_str(), file.c_str()) == 0;
  if (!written)
    throw std::system_error{errno, std::generic_category(), "cannot write " + file.string()};
}

}  // namespace

AdminKey ensure_admin_key(Store& store, const std::filesystem::path& data, Time now) {
  AdminKey key{.file = data / "admin.key", .text = {}};
  key.text = read_line(key.file);
  if (opens(store, key.text, now)) return key;
  key.text = make_api_key();
  const auto added = store.access().keys().add({.user = kAdmin,
                                                .name = "admin.key",
                                                .scopes = Scopes::all(),
                                                .prefix = api_key_prefix(key.text).value_or(""),
                                                .hash = hash_token(key.text),
                                                .expires_at = {}},
                                               now);
  if (!added) throw std::runtime_error{"no admin key could be made: " + added.error().detail};
  write_secret(key.file, key.text);
  return key;
}

}  // namespace haul
