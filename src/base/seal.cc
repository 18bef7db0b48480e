#include "base/seal.h"

#include <sodium.h>

#include <stdexcept>

namespace haul {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::size_t kNonce = crypto_secretbox_NONCEBYTES;
constexpr std::size_t kMac = crypto_secretbox_MACBYTES;

// Safe to call more than once.
void need_sodium() {
  if (sodium_init() < 0) throw std::runtime_error{"there is no source of random numbers"};
}

unsigned char* raw(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string to_base64(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), raw(bytes), bytes.size(), kVariant);
  text.pop_back();  // The NUL that sodium_bin2base64 appends.
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');  // More than it needs.
  std::size_t size = 0;
  const char* end = nullptr;
  if (sodium_base642bin(raw(bytes), bytes.size(), text.data(), text.size(), nullptr, &size, &end,
                        kVariant) != 0 ||
      end != text.data() + text.size())
    return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace

SealKey SealKey::make() {
  need_sodium();
  std::string bytes(crypto_secretbox_KEYBYTES, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return SealKey{std::move(bytes)};
}

std::optional<SealKey> SealKey::read(std::string_view text) {
  need_sodium();
  auto bytes = from_base64(text);
  if (!bytes || bytes->size() != crypto_secretbox_KEYBYTES) return std::nullopt;
  return SealKey{*std::move(bytes)};
}

SealKey::~SealKey() { sodium_memzero(bytes_.data(), bytes_.size()); }

std::string SealKey::text() const { return to_base64(bytes_); }

std::string SealKey::seal(std::string_view plain) const {
  std::string sealed(kNonce + kMac + plain.size(), '\0');
  randombytes_buf(sealed.data(), kNonce);
  crypto_secretbox_easy(raw(sealed) + kNonce, raw(plain), plain.size(), raw(sealed),
                        raw(std::string_view{bytes_}));
  return to_base64(sealed);
}

std::optional<std::string> SealKey::open(std::string_view sealed) const {
  const auto bytes = from_base64(sealed);
  if (!bytes || bytes->size() < kNonce + kMac) return std::nullopt;
  const std::string_view all{*bytes};
  std::string plain(all.size() - kNonce - kMac, '\0');
  if (crypto_secretbox_open_easy(raw(plain), raw(all) + kNonce, all.size() - kNonce, raw(all),
                                 raw(std::string_view{bytes_})) != 0)
    return std::nullopt;
  return plain;
}

}  // namespace haul
