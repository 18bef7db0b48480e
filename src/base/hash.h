#pragma once
// Hashes: SHA-256 for keys that must not be guessed or read back (idempotency keys, user hashes),
// and the algorithms that file checksums use.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace haul {

// Sixty-four lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

// Hashes data that arrives in pieces.
class Hasher {
 public:
  // `algorithm` is sha256, sha512, sha1 or md5. Nothing for any other.
  static std::optional<Hasher> of(std::string_view algorithm);
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;
  ~Hasher();

  void add(std::span<const std::byte> bytes);
  std::string hex();  // Call once, at the end.

 private:
  struct State;
  explicit Hasher(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// HMAC with SHA-256: 32 bytes.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// Two lower-case hexadecimal digits per byte, and back. No bytes if the text has anything else.
std::string hex_of(std::string_view bytes);
std::string bytes_of_hex(std::string_view hex);

// Base64 with padding.
std::string base64_of(std::string_view bytes);

// The bytes of Base64 that is padded and has no blanks; no value if it is no Base64.
std::optional<std::string> base64_bytes(std::string_view base64);

// Base64, padded and without blanks, as lower-case hexadecimal digits; empty if it is no Base64.
std::string base64_to_hex(std::string_view base64);

}  // namespace haul
