#pragma once
// The body of a request that sends a file: a head, the bytes of the file as they come through a
// pipe, and a tail. Telegram acts on a request only when it has the whole body. The tail is given
// last and alone, so a body whose tail was not given had no effect. Lives on the loop's thread.

#include <memory>
#include <string>

#include "io/web/http.h"
#include "seam/streams.h"
#include "sink/telegram/form.h"

namespace haul::telegram {

class FramedSource final : public io::HttpSource {
 public:
  // Without a stream, the body is the form alone.
  FramedSource(SendForm form, std::shared_ptr<FileStream> stream);

  Given read(std::span<std::byte> into) override;

  // The length of the whole body.
  std::int64_t size() const;
  // Bytes of the file that were given.
  std::int64_t have() const { return have_; }
  // All bytes were given: from now on, the request may have its effect.
  bool is_given() const { return is_given_; }

 private:
  Given read_file(std::span<std::byte> into);
  // All bytes of the file were given: the tail follows if no more come.
  Given read_end(std::span<std::byte> into);
  Given wait_or_end(Given at_end) const;

  const SendForm form_;
  const std::shared_ptr<FileStream> stream_;
  std::size_t head_given_ = 0;
  std::size_t tail_given_ = 0;
  std::int64_t have_ = 0;
  bool is_file_whole_ = false;
  bool is_given_ = false;
};

}  // namespace haul::telegram
