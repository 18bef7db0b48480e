#include "base/hash.h"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace haul {

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_hex(std::span<const unsigned char> bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error{"sha256 is not available"};
  return to_hex({digest.data(), size});
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(),
           digest.data(), &size) == nullptr)
    throw std::runtime_error{"sha256 is not available"};
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string hex_of(std::string_view bytes) {
  return to_hex({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

std::string bytes_of_hex(std::string_view hex) {
  const bool is_hex =
      hex.size() % 2 == 0 && hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  std::string bytes;
  for (std::size_t at = 0; is_hex && at < hex.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string{hex.substr(at, 2)}, nullptr, 16));
  return bytes;
}

struct Hasher::State {
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context;
};

Hasher::Hasher(std::unique_ptr<State> state) : state_{std::move(state)} {}
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

std::optional<Hasher> Hasher::of(std::string_view algorithm) {
  constexpr std::string_view kKnown[] = {"sha256", "sha512", "sha1", "md5"};
  if (std::ranges::find(kKnown, algorithm) == std::end(kKnown)) return std::nullopt;
  auto state = std::make_unique<State>();
  state->context.reset(EVP_MD_CTX_new());
  const EVP_MD* kind = EVP_get_digestbyname(std::string{algorithm}.c_str());
  if (kind == nullptr || EVP_DigestInit_ex(state->context.get(), kind, nullptr) != 1)
    return std::nullopt;
  return Hasher{std::move(state)};
}

void Hasher::add(std::span<const std::byte> bytes) {
  if (EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) != 1)
    throw std::runtime_error{"a hash could not go on"};
}

std::string Hasher::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size) != 1)
    throw std::runtime_error{"a hash could not end"};
  return to_hex({digest.data(), size});
}

std::string base64_of(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    unsigned int bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = (bits << 8U) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= group.size() ? kBase64[(bits >> (18 - 6 * i)) & 63U] : '=';
  }
  return text;
}

std::optional<std::string> base64_bytes(std::string_view base64) {
  constexpr std::size_t kBase64Max = std::size_t{1} << 30U;  // OpenSSL counts in an int.
  if (base64.empty() || base64.size() % 4 != 0 || base64.size() > kBase64Max) return std::nullopt;
  std::string bytes(base64.size() / 4 * 3, '\0');
  auto* out = reinterpret_cast<unsigned char*>(bytes.data());
  const auto* in = reinterpret_cast<const unsigned char*>(base64.data());
  const std::size_t padding = base64.ends_with("==") ? 2 : base64.ends_with('=') ? 1 : 0;
  // OpenSSL passes over blanks at either end, and then gives fewer bytes.
  const std::string_view digits = base64.substr(0, base64.size() - padding);
  if (digits.find_first_not_of(kBase64) != std::string_view::npos) return std::nullopt;
  if (EVP_DecodeBlock(out, in, static_cast<int>(base64.size())) != std::ssize(bytes))
    return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

std::string base64_to_hex(std::string_view base64) {
  if (base64.size() > 1'000) return {};
  const auto bytes = base64_bytes(base64);
  if (!bytes) return {};
  return to_hex({reinterpret_cast<const unsigned char*>(bytes->data()), bytes->size()});
}

}  // namespace haul
