#include "sink/telegram/framed_source.h"

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul::telegram {
namespace {

using Given = io::HttpSource::Given;

Given failed(FaultKind kind, std::string code, std::string detail) {
  return {.is = Given::Is::failed, .fault = {kind, std::move(code), std::move(detail)}};
}

// Gives the next bytes of a text, from `at` on.
Given give(std::string_view text, std::size_t& at, std::span<std::byte> into) {
  const std::size_t size = std::min(text.size() - at, into.size());
  std::ranges::copy(std::as_bytes(std::span{text}.subspan(at, size)), into.begin());
  at += size;
  return {.is = Given::Is::more, .size = size};
}

}  // namespace

FramedSource::FramedSource(SendForm form, std::shared_ptr<FileStream> stream)
    : form_{std::move(form)}, stream_{std::move(stream)}, is_file_whole_{stream_ == nullptr} {
  ensure(!form_.head.empty() && !form_.tail.empty(), "a form has a head and a tail");
}

std::int64_t FramedSource::size() const {
  return std::ssize(form_.head) + (stream_ ? stream_->about.size : 0) + std::ssize(form_.tail);
}

Given FramedSource::read(std::span<std::byte> into) {
  if (head_given_ < form_.head.size()) return give(form_.head, head_given_, into);
  if (stream_ && have_ < stream_->about.size) return read_file(into);
  if (!is_file_whole_) return read_end(into);
  if (is_given_) return {.is = Given::Is::end};
  const Given given = give(form_.tail, tail_given_, into);
  is_given_ = tail_given_ == form_.tail.size();
  return given;
}

Given FramedSource::read_file(std::span<std::byte> into) {
  const auto left = static_cast<std::size_t>(stream_->about.size - have_);
  const std::size_t size = stream_->pipe.read(into.first(std::min(into.size(), left)));
  have_ += static_cast<std::int64_t>(size);
  if (size > 0) return {.is = Given::Is::more, .size = size};
  return wait_or_end(failed(FaultKind::retryable, "source_short",
                            "the file ended before the length that the disk stated"));
}

Given FramedSource::read_end(std::span<std::byte> into) {
  if (stream_->pipe.read(into.first(1)) > 0)
    return failed(FaultKind::retryable, "source_long",
                  "the file is longer than the length that the disk stated");
  Given ended = wait_or_end({.is = Given::Is::end});
  if (ended.is != Given::Is::end) return ended;
  is_file_whole_ = true;
  return read(into);
}

Given FramedSource::wait_or_end(Given at_end) const {
  // The fault first: the pipe may break between the two questions.
  if (const auto fault = stream_->pipe.fault()) return {.is = Given::Is::failed, .fault = *fault};
  return stream_->pipe.is() == Pipe::Is::ended ? std::move(at_end) : Given{.is = Given::Is::none};
}

}  // namespace haul::telegram
