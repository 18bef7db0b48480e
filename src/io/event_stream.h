#pragma once
// A stream of server-sent events, taken apart as its bytes come.

#include <optional>
#include <string>
#include <string_view>

namespace haul {

struct StreamEvent {
  std::string name;  // "message" where the stream gives none.
  std::string id;    // Of this event or the last before it that had one.
  std::string data;

  bool operator==(const StreamEvent&) const = default;
};

class EventStream {
 public:
  // False: an event is longer than anybody takes, and the stream is of no more use.
  [[nodiscard]] bool take(std::string_view bytes);
  // The next whole event, in their order; comments and events without data are passed over.
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

}  // namespace haul
