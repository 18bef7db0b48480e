#include "io/web/event_stream.h"

#include <utility>

namespace haul::io {
namespace {

constexpr std::size_t kEventMax = std::size_t{8} << 20U;

}  // namespace

bool EventStream::take(std::string_view bytes) {
  rest_.erase(0, std::exchange(at_, 0));
  if (rest_.size() + bytes.size() + data_.size() > kEventMax) return false;
  rest_ += bytes;
  return true;
}

std::optional<StreamEvent> EventStream::next() {
  for (std::size_t end = rest_.find('\n', at_); end != std::string::npos;
       end = rest_.find('\n', at_)) {
    std::string_view line{rest_.data() + at_, end - at_};
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    if (auto event = take_line(line)) return event;
  }
  return std::nullopt;
}

std::optional<StreamEvent> EventStream::take_line(std::string_view line) {
  if (line.empty()) {
    StreamEvent event{std::exchange(name_, {}), id_, std::exchange(data_, {})};
    if (!std::exchange(has_data_, false)) return std::nullopt;
    if (event.name.empty()) event.name = "message";
    return event;
  }
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") name_ = value;
  if (field == "id" && value.find('\0') == std::string_view::npos) id_ = value;
  if (field == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  }
  return std::nullopt;
}

}  // namespace haul::io
