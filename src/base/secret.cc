#include "base/secret.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/ascii.h"
#include "base/hash.h"

namespace haul {
namespace {

constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kKeyStart = "haul_";
constexpr std::size_t kKeyPrefix = 8;
constexpr std::size_t kKeySecret = 32;

// libsodium's number of passes for interactive logins. Its memory for those, 64 MiB, would be most
// of what a small daemon uses; OWASP recommends 19 MiB for two passes.
constexpr unsigned long long kPasses = crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE;
constexpr std::size_t kMemory = std::size_t{19} << 20U;

// The hash of 32 random bytes that were not kept, so no known password matches it.
constexpr std::string_view kNobodys =
    "$argon2id$v=19$m=19456,t=2,p=1$/Qd5QCIgP4xBdDnjNbD39Q$jywxZf8D1XC0RRf4opDbAP/"
    "yJCybXWL84sauXnkTyR0";

// Safe to call more than once.
void need_sodium() {
  if (sodium_init() < 0) throw std::runtime_error{"there is no source of random numbers"};
}

bool is_base62(char c) { return is_digit(c) || is_letter(c); }

}  // namespace

std::string random_token(std::size_t bytes) {
  need_sodium();
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::string raw(bytes, '\0');
  randombytes_buf(raw.data(), raw.size());
  std::string text(sodium_base64_encoded_len(bytes, kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(raw.data()),
                    raw.size(), kVariant);
  text.pop_back();  // The NUL that sodium_bin2base64 appends.
  return text;
}

std::string random_base62(std::size_t characters) {
  need_sodium();
  std::string text;
  text.reserve(characters);
  std::array<unsigned char, 64> random{};  // Many at once: each call asks the system.
  while (text.size() < characters) {
    randombytes_buf(random.data(), random.size());
    for (const unsigned char byte : random) {
      constexpr unsigned kFair = 256 / kBase62.size() * kBase62.size();
      if (byte >= kFair || text.size() == characters) continue;  // Keeps all 62 equally likely.
      text.push_back(kBase62[byte % kBase62.size()]);
    }
  }
  sodium_memzero(random.data(), random.size());
  return text;
}

std::string hash_token(std::string_view token) { return sha256_hex(token); }

std::string why_no_password(std::string_view password) {
  const auto begins_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  };
  if (std::ranges::count_if(password, begins_character) < std::ptrdiff_t{kPasswordMin})
    return "a password has at least 8 characters";
  return password.size() > kPasswordMax ? "a password has at most 1024 bytes" : "";
}

Result<std::string> hash_password(std::string_view password) {
  need_sodium();
  if (std::string why = why_no_password(password); !why.empty())
    return std::unexpected{Fault{FaultKind::rejected, "bad_password", std::move(why)}};
  std::array<char, crypto_pwhash_STRBYTES> hash{};
  if (crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), kPasses, kMemory,
                            crypto_pwhash_ALG_ARGON2ID13) != 0)
    return std::unexpected{
        Fault{FaultKind::environment, "no_memory", "19 MiB are needed to hash a password"}};
  return std::string{hash.data()};
}

bool verify_password(std::string_view hash, std::string_view password) {
  need_sodium();
  std::array<char, crypto_pwhash_STRBYTES> kept{};
  if (hash.size() >= kept.size() || password.size() > kPasswordMax) return false;
  std::ranges::copy(hash, kept.begin());
  return crypto_pwhash_str_verify(kept.data(), password.data(), password.size()) == 0;
}

bool verify_no_password(std::string_view password) { return verify_password(kNobodys, password); }

bool is_same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string make_api_key() {
  return std::string{kKeyStart} + random_base62(kKeyPrefix) + "_" + random_base62(kKeySecret);
}

std::optional<std::string> api_key_prefix(std::string_view key) {
  if (key.size() != kKeyStart.size() + kKeyPrefix + 1 + kKeySecret) return std::nullopt;
  if (!key.starts_with(kKeyStart)) return std::nullopt;
  key.remove_prefix(kKeyStart.size());
  const std::string_view prefix = key.substr(0, kKeyPrefix);
  const std::string_view secret = key.substr(kKeyPrefix + 1);
  if (key[kKeyPrefix] != '_' || !std::ranges::all_of(prefix, is_base62) ||
      !std::ranges::all_of(secret, is_base62))
    return std::nullopt;
  return std::string{prefix};
}

}  // namespace haul
