#pragma once
// A file that is made while it is read, so that it may have any size. It fills a pipe as a disk
// engine does: whenever there is room, on the thread of the reader.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "seam/streams.h"

namespace haul::testing {

class GeneratedFile {
 public:
  // Gives `available` bytes at most, and ends the pipe after the last one.
  GeneratedFile(FileStream::About about, std::int64_t available, std::size_t capacity)
      : available_{available}, stream_{std::make_shared<FileStream>(std::move(about), capacity)} {
    for (std::size_t i = 0; i < block_.size(); ++i)
      block_[i] = static_cast<std::byte>((i * 31 + i / 251) & 0xffU);
    stream_->pipe.on_room([this] { fill(); });
  }
  ~GeneratedFile() { stream_->pipe.fail({FaultKind::cancelled, "gone", "the test is over"}); }
  GeneratedFile(const GeneratedFile&) = delete;
  GeneratedFile& operator=(const GeneratedFile&) = delete;

  const std::shared_ptr<FileStream>& stream() const { return stream_; }
  std::int64_t written() const { return written_; }

  void fill() {
    while (written_ < std::min(available_, stream_->about.size)) {
      const auto at = static_cast<std::size_t>(written_ % std::ssize(block_));
      const auto left = static_cast<std::size_t>(available_ - written_);
      const auto piece = std::span{block_}.subspan(at, std::min(block_.size() - at, left));
      const std::size_t taken = stream_->pipe.write(piece);
      hasher_->add(piece.first(taken));
      written_ += static_cast<std::int64_t>(taken);
      if (taken < piece.size()) return;
    }
    if (written_ == stream_->about.size) stream_->pipe.end();
  }
  // Lets the rest come. Call it on the thread of the reader.
  void go_on() {
    available_ = stream_->about.size;
    fill();
  }
  // Of all bytes that were written. Call once.
  std::string sha256() { return hasher_->hex(); }

 private:
  std::int64_t available_;
  const std::shared_ptr<FileStream> stream_;
  std::vector<std::byte> block_ = std::vector<std::byte>(std::size_t{256} << 10U);
  std::int64_t written_ = 0;
  std::optional<Hasher> hasher_ = Hasher::of("sha256");
};

}  // namespace haul::testing
