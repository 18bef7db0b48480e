// Handlers for the trash. Users see and change the files of their own jobs; operators of all.

#include "flow/user/trash.h"

#include <fmt/core.h>

#include <utility>

#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "api/json/json_object.h"
#include "base/json.h"
#include "base/text.h"

namespace haul::api {
namespace {

constexpr std::size_t kPathMax = 4'096;
constexpr std::int64_t kSkipMax = 1'000'000;
constexpr Millis kEmptyFor{10'000};  // Clients wait 30 s.

std::string array_of(const std::vector<std::string>& texts) {
  std::string json;
  for (const std::string& text : texts) json += (json.empty() ? "" : ",") + json_quoted(text);
  return "[" + json + "]";
}

std::string form(const flow::TrashEntry& entry) {
  JsonObject json;
  json.number("job", entry.job.value);
  json.text("path", entry.file.path);
  json.number("size", entry.file.size);
  json.time("trashed_at", entry.file.trashed_at);
  json.time_or_null("leaves_at", entry.leaves_at);
  return json.take();
}

ApiError error_of_disk(const Fault& fault) {
  if (fault.code == "not_found") return {404, fault.code, fault.detail};
  return {fault.code == "trash_busy" ? 409 : 503, fault.code, printable(fault.detail)};
}

// "7.120": from job 7 down, without its first 120 files.
std::expected<flow::TrashCursor, ApiError> read_cursor(const WebRequest& request) {
  const std::string_view text = request.query("cursor");
  if (text.empty()) return flow::TrashCursor{};
  const std::size_t dot = text.find('.');
  const auto job = read_number(text.substr(0, dot));
  const auto skip =
      dot == std::string_view::npos ? std::nullopt : read_number(text.substr(dot + 1));
  if (!job || *job < 1 || *job == INT64_MAX || !skip || *skip < 0 || *skip > kSkipMax)
    return std::unexpected{wrong_field("cursor", "expected the value of `next`")};
  return flow::TrashCursor{.job = JobId{*job}, .skip = static_cast<std::size_t>(*skip)};
}

// A job's number, as a number or as text. Zero if the body has none.
std::expected<JobId, ApiError> read_job(const Body& body) {
  const JsonField* field = body.find("job");
  if (!field) return JobId{};
  const auto id = read_number(field->text);
  if (!id || *id < 1) return std::unexpected{wrong_field("job", "expected a job's number")};
  return JobId{*id};
}

// The file of a torrent may have control characters in its name and must be restorable, so a path
// may have them, which no other text of a request may. NUL is in no name: it would end the path
// early for the operating system, which then finds another file.
std::expected<std::string, ApiError> read_path(const Body& body) {
  const JsonField* field = body.find("path");
  if (!field) return std::string{};
  const bool is_path = field->json.starts_with('"') && !field->text.empty() &&
                       field->text.size() <= kPathMax && !field->text.contains('\0');
  if (!is_path)
    return std::unexpected{
        wrong_field("path", fmt::format("expected a text of 1 to {} bytes without NUL", kPathMax))};
  return field->text;
}

// A filter without a value would delete everything. Who wants that leaves it out.
std::optional<ApiError> wrong_filter(std::string_view body) {
  const auto fields = read_object(body.empty() ? "{}" : body);
  if (!fields) return std::nullopt;
  for (const JsonField& field : *fields)
    if (field.is_null || field.json == R"("")")
      return wrong_field(field.name, "expected a value; leave the field out for all files");
  return std::nullopt;
}

void touch(const Call& call, const Job& job) {
  call.touch({.owner = job.owner,
              .job = job.version.id,
              .detail = fmt::format("job of user {}", job.owner.value)});
}

// The audit log refers only to jobs that the store has.
void touch_unknown(const Call& call, JobId id) {
  call.touch(
      {.owner = {}, .detail = fmt::format("job {}, which the store does not have", id.value)});
}

// Since when the job's files are the user's, if the user may act on them. Operators may also if the
// store does not have the job.
std::expected<Time, ApiError> check_job(const ApiParts& parts, const Call& call, JobId id) {
  const auto job = parts.store.reader().find(id);
  const bool is_ours = !call.who.scope() || (job && job->owner == call.who.user.id);
  if (!is_ours) return std::unexpected{ApiError{404, "no_such_job", "there is no such job"}};
  if (job)
    touch(call, *job);
  else
    touch_unknown(call, id);
  return flow::trash_since(call.who.scope(), job);
}

}  // namespace

namespace handle {

ApiReply list_trash(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto limit = read_limit(call.request);
  if (!limit) return std::unexpected{limit.error()};
  const auto cursor = read_cursor(call.request);
  if (!cursor) return std::unexpected{cursor.error()};
  const auto page = flow::list_trash(parts.store, flow::find_trash(parts.work),
                                     {.owner = call.who.scope(), .from = *cursor, .limit = *limit});
  if (!page) return std::unexpected{error_of_disk(page.error())};
  std::string entries;
  for (const flow::TrashEntry& entry : page->entries)
    entries += (entries.empty() ? "" : ",") + form(entry);
  std::string next = "null";
  if (const auto& from = page->next) next = fmt::format(R"("{}.{}")", from->job.value, from->skip);
  return json_reply(200, fmt::format(R"({{"entries":[{}],"next":{},"problems":{}}})", entries, next,
                                     array_of(page->problems)));
}

ApiReply restore_trash(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"job", "path"}, {"path"});
  if (!body) return std::unexpected{body.error()};
  const auto job = read_job(*body);
  if (!job) return std::unexpected{job.error()};
  if (!*job) return std::unexpected{ApiError{400, "missing_field", "job", {{"job", "required"}}}};
  const auto path = read_path(*body);
  if (!path) return std::unexpected{path.error()};
  const auto since = check_job(parts, call, *job);
  if (!since) return std::unexpected{since.error()};
  Trash* const trash = flow::find_trash(parts.work);
  if (!trash) return std::unexpected{ApiError{404, "not_found", "this haul has no trash"}};
  const auto done = trash->restore({.job = *job, .path = *path, .since = *since});
  if (!done) return std::unexpected{error_of_disk(done.error())};
  return json_reply(200, fmt::format(R"({{"restored":{},"kept":{}}})", array_of(done->restored),
                                     array_of(done->kept)));
}

ApiReply empty_trash(const ApiParts& parts, const Call& call) {
  const auto body =
      Body::read(call.request.body.empty() ? "{}" : call.request.body, {"job", "older_than"});
  if (!body) return std::unexpected{body.error()};
  if (auto error = wrong_filter(call.request.body)) return std::unexpected{*std::move(error)};
  const auto job = read_job(*body);
  if (!job) return std::unexpected{job.error()};
  const auto older = body->text("older_than");
  if (!older) return std::unexpected{older.error()};
  const auto age = older->empty() ? Millis{0} : read_duration(*older);
  if (!age) return std::unexpected{wrong_field("older_than", "expected a duration such as 7d")};
  if (*job) {
    Call unaudited = call;  // The jobs that lose files are audited below.
    unaudited.touched = nullptr;
    if (const auto may = check_job(parts, unaudited, *job); !may)
      return std::unexpected{may.error()};
  }
  const Steady end = parts.clock.steady() + kEmptyFor;
  const auto done = flow::empty_trash(
      parts.store, flow::find_trash(parts.work),
      {.owner = call.who.scope(), .job = *job, .until = call.now - *age, .may_go_on = [&] {
         return parts.clock.steady() < end;
       }});
  if (!done) return std::unexpected{error_of(done.error())};
  for (const Job& each : done->jobs) touch(call, each);
  for (const JobId each : done->unknown) touch_unknown(call, each);
  return json_reply(200,
                    fmt::format(R"({{"files":{},"bytes":{},"kept":{},"more":{}}})", done->all.files,
                                done->all.bytes, array_of(done->all.kept), done->all.has_more));
}

}  // namespace handle
}  // namespace haul::api
