#include "api/live/event_frames.h"

#include <fmt/core.h>

#include <charconv>
#include <map>
#include <optional>

#include "api/json/job_json.h"
#include "base/json.h"

namespace haul::api {
namespace {

std::string frame_of(const Event& event) {
  return "id: " + std::to_string(event.id.value) +
         "\nevent: " + (event.type == "MOVED" ? "moved" : "note") + "\ndata: " + to_json(event) +
         "\n\n";
}

std::optional<std::int64_t> number(const std::string& json, std::string_view name) {
  const auto fields = read_object(json);
  if (!fields) return std::nullopt;
  for (const JsonField& field : *fields) {
    std::int64_t value = 0;
    const char* end = field.text.data() + field.text.size();
    if (field.name == name && std::from_chars(field.text.data(), end, value).ptr == end)
      return value;
  }
  return std::nullopt;
}

bool is_success(const Event& done) {
  return done.data.find(R"("success":true)") != std::string::npos;
}

// `done` are the ITEM_DONE events that `progress` counts, oldest first. The stored event itself
// follows the last of them; this adds a frame after each of the others.
void add_progress(std::span<const Event> events, const std::vector<std::size_t>& done,
                  const Event& progress, std::vector<std::string>& frames) {
  auto completed = number(progress.data, "completed_items");
  const auto total = number(progress.data, "total_items");
  if (!completed || !total) return;
  for (std::size_t i = done.size(); i-- > 1;) {
    *completed -= is_success(events[done[i]]) ? 1 : 0;
    frames[done[i - 1]] += fmt::format(
        "event: job_progress\ndata: {{\"job\":{},\"type\":\"JOB_PROGRESS\",\"data\":"
        "{{\"completed_items\":{},\"total_items\":{}}}}}\n\n",
        progress.job.value, *completed, *total);
  }
}

}  // namespace

std::vector<std::string> event_frames(std::span<const Event> events) {
  std::vector<std::string> frames;
  std::map<JobId, std::vector<std::size_t>> done;  // Indexes since the last JOB_PROGRESS.
  for (std::size_t i = 0; i < events.size(); ++i) {
    frames.push_back(frame_of(events[i]));
    if (events[i].type == "ITEM_DONE") done[events[i].job].push_back(i);
    if (events[i].type != "JOB_PROGRESS") continue;
    add_progress(events, done[events[i].job], events[i], frames);
    done.erase(events[i].job);
  }
  return frames;
}

}  // namespace haul::api
