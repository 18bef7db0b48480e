// Handlers for the web page: its files, and its event stream.

#include <fmt/core.h>

#include <algorithm>

#include "api/handlers/handlers.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "base/json.h"

namespace haul::api {
namespace {

const WebFile* file_named(const ApiParts& parts, std::string_view path) {
  const auto found = std::ranges::find(parts.files, path, &WebFile::path);
  return found == parts.files.end() ? nullptr : &*found;
}

}  // namespace

namespace handle {

ApiReply listen(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"job"})) return std::unexpected{*error};
  const auto job = job_in_query(parts, call);
  if (!job) return std::unexpected{job.error()};
  ListenRequest wanted{
      .after = {}, .job = job->value_or(JobId{}), .owner = call.who.scope(), .by = call.who.by};
  if (const auto last = call.request.header("last-event-id"); !last.empty())
    wanted.after = std::string{last};
  return WebReply{.status = 200,
                  .headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
                  .body = {},
                  .stream = parts.live.listen(wanted)};
}

// Returns a file of the page, or index.html for a view, which the page's own router shows.
ApiReply page(const ApiParts& parts, const Call& call) {
  std::string path;
  for (const std::string& segment : call.request.target.segments)
    path += (path.empty() ? "" : "/") + segment;
  const WebFile* file = file_named(parts, path.empty() ? "index.html" : path);
  const bool is_book = path.starts_with("library/");  // A book's id may have dots.
  const bool is_view = is_book || (path.find('.') == std::string::npos && !path.starts_with("api"));
  if (!file && is_view) file = file_named(parts, "index.html");
  if (!file) return std::unexpected{ApiError{404, "no_such_path", "no such path"}};
  const bool never_changes = path.starts_with("assets/");  // Their names carry their hash.
  return WebReply{.status = 200,
                  .headers = {{"Content-Type", std::string{file->type}},
                              {"Cache-Control",
                               never_changes ? "public, max-age=31536000, immutable" : "no-cache"}},
                  .body = std::string{file->bytes},
                  .stream = {}};
}

}  // namespace handle
}  // namespace haul::api
