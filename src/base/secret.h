#pragma once
// Secrets: made at random, kept as hashes only, compared without telling where they differ.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul {

// So many random bytes as base64url text without padding: 32 bytes are 43 characters.
std::string random_token(std::size_t bytes);
// So many random characters out of 0-9, A-Z and a-z: what a person can select with a double click.
std::string random_base62(std::size_t characters);

// SHA-256 in hexadecimal digits. For what was made at random only: it is too quick for passwords.
std::string hash_token(std::string_view token);

inline constexpr std::size_t kPasswordMin = 8;  // Characters.
inline constexpr std::size_t kPasswordMax = 1'024;

// Empty: it may be a new password. Older ones are verified whatever their length is.
std::string why_no_password(std::string_view password);

// Argon2id with its parameters in the text; 19 MiB and some 20 ms each. Refused: a password of less
// than 8 characters or more than 1,024 bytes.
Result<std::string> hash_password(std::string_view password);
// As slow as hashing. False also where the hash is none.
bool verify_password(std::string_view hash, std::string_view password);
// As slow as verify_password, and false: for a name that does not exist or has no password, so that
// nobody can tell which names do by the time it takes to refuse them.
bool verify_no_password(std::string_view password);

// Equal, found out in a time that depends on the lengths only.
bool is_same_secret(std::string_view a, std::string_view b);

// "haul_", 8 characters to find it by, "_", 32 random characters that are the secret.
std::string make_api_key();
// The 8 characters to find a key by; nothing if the text has not the form of a key.
std::optional<std::string> api_key_prefix(std::string_view key);

}  // namespace haul
