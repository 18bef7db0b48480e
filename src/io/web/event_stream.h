#pragma once
// Parses a stream of server-sent events as its bytes arrive.

#include <optional>
#include <string>
#include <string_view>

namespace haul::io {

struct StreamEvent {
  std::string name;  // "message" if the stream gives none.
  std::string id;    // The last id in the stream, of this event or an earlier one.
  std::string data;

  bool operator==(const StreamEvent&) const = default;
};

class EventStream {
 public:
  // Adds bytes. False if an event is longer than 8 MiB: the stream cannot be used any more.
  [[nodiscard]] bool take(std::string_view bytes);
  // The next complete event, in stream order. Skips comments and events without data.
  std::optional<StreamEvent> next();

 private:
  std::optional<StreamEvent> take_line(std::string_view line);

  std::string rest_;
  std::size_t at_ = 0;  // How far `rest_` has been read.
  std::string name_;
  std::string id_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace haul::io
