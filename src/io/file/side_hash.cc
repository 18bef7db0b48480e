#include "io/file/side_hash.h"

#include <optional>

#include "base/ensure.h"

namespace haul::io {
namespace {

Hasher hasher_of(std::string_view algorithm) {
  auto hasher = Hasher::of(algorithm);
  Hasher* made = hasher ? &*hasher : nullptr;
  ensure(made, "OpenSSL has the algorithm");
  return std::move(*made);
}

}  // namespace

SideHash::SideHash(std::string_view algorithm)
    : hasher_{hasher_of(algorithm)}, thread_{[this] { run(); }} {}

SideHash::~SideHash() {
  {
    const Lock lock{mutex_};
    is_over_ = true;
  }
  came_.notify_one();
  thread_.join();
}

void SideHash::add(std::span<const std::byte> piece) {
  {
    const Lock lock{mutex_};
    pieces_.push_back(piece);
  }
  came_.notify_one();
}

void SideHash::wait(std::size_t waiting_max) {
  const Lock lock{mutex_};
  went_.wait(mutex_, [&]() REQUIRES(mutex_) { return pieces_.size() <= waiting_max; });
}

std::string SideHash::hex() {
  wait(0);
  return hasher_.hex();
}

void SideHash::run() {
  for (;;) {
    std::span<const std::byte> piece;
    {
      const Lock lock{mutex_};
      came_.wait(mutex_, [this]() REQUIRES(mutex_) { return is_over_ || !pieces_.empty(); });
      if (is_over_) return;
      piece = pieces_.front();
    }
    hasher_.add(piece);
    {
      const Lock lock{mutex_};
      pieces_.pop_front();
    }
    went_.notify_one();
  }
}

}  // namespace haul::io
