#include "server/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "server/content.h"

namespace haul::server {
namespace {

constexpr std::uint64_t kSizeMax = std::uint64_t{1} << 30U;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 16U;

using Hash = std::array<unsigned char, EVP_MAX_MD_SIZE>;

unsigned int hash_content(const Representation& of, Hash& hash) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free};
  bool good = EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::vector<char> piece;
  for (std::uint64_t first = 0; first < of.size; first += kPiece) {
    piece.resize(std::min(kPiece, of.size - first));
    fill_content(piece, of.seed, first);
    good = good && EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1;
  }
  unsigned int size = 0;
  good = good && EVP_DigestFinal_ex(context.get(), hash.data(), &size) == 1;
  if (!good) throw std::runtime_error{"sha256 is not available"};
  return size;
}

}  // namespace

std::string digest(const Representation& of, Digest which) {
  if (of.size > kSizeMax) throw BadSwitch{"digest: the file is over 1 GiB"};
  Hash hash{};
  const unsigned int size = hash_content(of, hash);
  if (which == Digest::bad) hash[0] ^= 1U;
  std::array<unsigned char, EVP_MAX_MD_SIZE * 2> text{};
  const int length = EVP_EncodeBlock(text.data(), hash.data(), static_cast<int>(size));
  return {reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(length)};
}

}  // namespace haul::server
