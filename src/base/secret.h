#pragma once
// Secrets: random ones are made here, the store keeps hashes only, and a comparison does not reveal
// where two secrets differ.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"

namespace haul {

// Random bytes as base64url text without padding: 32 bytes give 43 characters.
std::string random_token(std::size_t bytes);
// Random characters from 0-9, A-Z and a-z, so that a double click selects them all.
std::string random_base62(std::size_t characters);

// SHA-256 in hexadecimal digits. For random tokens only: it is too fast for passwords.
std::string hash_token(std::string_view token);

inline constexpr std::size_t kPasswordMin = 8;  // Characters.
inline constexpr std::size_t kPasswordMax = 1'024;

// Empty: it may be a new password. Older ones are verified whatever their length is.
std::string why_no_password(std::string_view password);

// Argon2id with its parameters in the text; 19 MiB and some 20 ms each. Refused: a password of less
// than 8 characters or more than 1,024 bytes.
Result<std::string> hash_password(std::string_view password);
// As slow as hashing. Also false if `hash` is not a password hash.
bool verify_password(std::string_view hash, std::string_view password);
// Always false, and as slow as verify_password. For a user name that does not exist or has no
// password, so that the time of the refusal does not reveal which names exist.
bool verify_no_password(std::string_view password);

// Whether both are equal. The time depends on their lengths only.
bool is_same_secret(std::string_view a, std::string_view b);

// "haul_", 8 random characters that identify the key, "_", 32 random characters that are secret.
std::string make_api_key();
// The 8 characters that identify the key; nothing if the text does not have the form of a key.
std::optional<std::string> api_key_prefix(std::string_view key);

}  // namespace haul
