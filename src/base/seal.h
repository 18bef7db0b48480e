#pragma once
// Seals text with a secret key, so that the store can keep secrets which its reader cannot read.
// libsodium's secretbox: a changed byte makes the text unreadable.

#include <optional>
#include <string>
#include <string_view>

namespace haul {

class SealKey {
 public:
  // A random one.
  static SealKey make();
  // From text(). Nothing if the text is not a key.
  static std::optional<SealKey> read(std::string_view text);
  SealKey(const SealKey&) = default;
  SealKey& operator=(const SealKey&) = default;
  ~SealKey();

  // 43 characters of base64url.
  std::string text() const;

  // Base64url text, other at each call.
  std::string seal(std::string_view plain) const;
  // Nothing if this key did not seal it.
  std::optional<std::string> open(std::string_view sealed) const;

 private:
  explicit SealKey(std::string bytes) : bytes_{std::move(bytes)} {}
  std::string bytes_;
};

}  // namespace haul
