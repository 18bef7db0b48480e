#include "api/live/event_frames.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::api {
namespace {

Event item_done(std::int64_t id, std::int64_t job, bool success) {
  return {.id = EventId{id},
          .job = JobId{job},
          .type = "ITEM_DONE",
          .data = fmt::format(R"({{"file_id":"k","file_path":null,"success":{}}})", success)};
}

Event job_progress(std::int64_t id, std::int64_t job, int completed, int total) {
  return {.id = EventId{id},
          .job = JobId{job},
          .type = "JOB_PROGRESS",
          .data = fmt::format(R"({{"completed_items":{},"total_items":{}}})", completed, total)};
}

// What a stream receives: "1 note, job_progress 3/9, 2 note".
std::string told(const std::vector<Event>& events) {
  std::string text;
  for (const std::string& frame : event_frames(events))
    for (std::size_t at = 0; at < frame.size();) {
      const std::size_t end = frame.find("\n\n", at) + 2;
      const std::string one = frame.substr(at, end - at);
      const std::size_t completed = one.find("\"completed_items\":");
      const std::string data =
          completed == std::string::npos ? "" : one.substr(completed, one.find('}') - completed);
      text += fmt::format("{}\n", one.substr(0, one.find("data: ")) + data);
      at = end;
    }
  return text;
}

}  // namespace

TEST_CASE("S2-16, Z-6: live, each item is followed by a JOB_PROGRESS, though one is stored") {
  CHECK(told({item_done(1, 7, true), item_done(2, 7, false), item_done(3, 7, true),
              job_progress(4, 7, 5, 9)}) ==
        "id: 1\nevent: note\n\nevent: job_progress\n\"completed_items\":4,\"total_items\":9\n"
        "id: 2\nevent: note\n\nevent: job_progress\n\"completed_items\":4,\"total_items\":9\n"
        "id: 3\nevent: note\n\n"
        "id: 4\nevent: note\n\"completed_items\":5,\"total_items\":9\n");
}

TEST_CASE("S2-16: an item that ends alone gets the stored JOB_PROGRESS only, of its own job") {
  CHECK(told({item_done(1, 7, true), item_done(2, 8, true), job_progress(3, 7, 1, 2),
              job_progress(4, 8, 1, 2)}) ==
        "id: 1\nevent: note\n\nid: 2\nevent: note\n\n"
        "id: 3\nevent: note\n\"completed_items\":1,\"total_items\":2\n"
        "id: 4\nevent: note\n\"completed_items\":1,\"total_items\":2\n");
  CHECK(event_frames({}).empty());
}

}  // namespace haul::api
