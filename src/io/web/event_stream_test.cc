// Parsing of server-sent events, and their limit.

#include "io/web/event_stream.h"

#include <doctest/doctest.h>

#include <vector>

namespace haul::io {
namespace {

std::vector<StreamEvent> read(std::string_view text, std::size_t at_once) {
  EventStream stream;
  std::vector<StreamEvent> events;
  while (!text.empty()) {
    REQUIRE(stream.take(text.substr(0, at_once)));
    text.remove_prefix(std::min(at_once, text.size()));
    while (auto event = stream.next()) events.push_back(*event);
  }
  return events;
}

TEST_CASE("events are the same however their bytes are cut") {
  constexpr std::string_view kText =
      ":\n\nid: 7\nevent: moved\ndata: {\"a\":1}\n\nevent: progress\r\ndata: {}\r\n\r\n"
      "data: one\ndata: two\n\nevent: empty\n\ndata: half";
  const std::vector<StreamEvent> wanted{{"moved", "7", "{\"a\":1}"},
                                        {"progress", "7", "{}"},  // It has the last id seen.
                                        {"message", "7", "one\ntwo"}};

  for (std::size_t at_once = 1; at_once <= kText.size(); ++at_once)
    CHECK(read(kText, at_once) == wanted);
}

TEST_CASE("an event of eight MiB is taken, and one byte more is not") {
  EventStream stream;
  const std::string start = "data: ";
  const std::string most((std::size_t{8} << 20U) - start.size(), 'x');

  CHECK(stream.take(start + most));
  CHECK(!stream.take("x"));
}

}  // namespace
}  // namespace haul::io
