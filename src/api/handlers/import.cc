// The handler of imports by hand, and of their dry runs.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "api/json/import_json.h"
#include "base/utf8.h"
#include "flow/user/user.h"

namespace haul::api {
namespace {

constexpr std::size_t kFilesMax = 1'000;
constexpr std::size_t kPathMax = 4'096;
constexpr std::size_t kWordMax = 100;

struct ImportBody {
  std::vector<ByHand> said;
  bool dry_run = false;
};

ApiError wrong_in_files(std::string why) { return wrong_field("files", std::move(why)); }

// What the user says about single files: {"a.mkv": "S01E02"}.
std::expected<std::vector<ByHand>, ApiError> read_files(const JsonField& field) {
  const auto files = read_object(field.json);
  if (!files)
    return std::unexpected{wrong_in_files("expected an object such as {\"a.mkv\": \"S01E02\"}")};
  if (files->size() > kFilesMax)
    return std::unexpected{wrong_in_files(fmt::format("expected at most {} files", kFilesMax))};
  std::vector<ByHand> said;
  for (const JsonField& file : *files) {
    if (file.name.empty() || file.name.size() > kPathMax || file.name.contains('\0'))
      return std::unexpected{
          wrong_in_files(fmt::format("a path has 1 to {} bytes and no NUL", kPathMax))};
    if (!file.json.starts_with('"') || file.text.empty() || file.text.size() > kWordMax)
      return std::unexpected{wrong_in_files("expected a text such as S01E02 for each file")};
    if (has_control(file.text))
      return std::unexpected{wrong_in_files("control characters are not allowed")};
    said.push_back({.path = file.name, .as = file.text});
  }
  return said;
}

std::expected<ImportBody, ApiError> read_import(const Call& call) {
  ImportBody import;
  if (call.request.body.empty()) return import;
  // The names of files may have control characters.
  const auto body = Body::read(call.request.body, {"as", "files", "dry_run"}, {"files"});
  if (!body) return std::unexpected{body.error()};
  const auto dry_run = body->flag("dry_run");
  if (!dry_run) return std::unexpected{dry_run.error()};
  import.dry_run = *dry_run;
  const auto as = body->text("as");
  if (!as) return std::unexpected{as.error()};
  if (as->size() > kWordMax)
    return std::unexpected{wrong_field("as", fmt::format("expected at most {} bytes", kWordMax))};
  if (const JsonField* field = body->find("files")) {
    auto files = read_files(*field);
    if (!files) return std::unexpected{files.error()};
    import.said = *std::move(files);
  }
  if (!as->empty()) import.said.insert(import.said.begin(), {.path = {}, .as = *as});
  return import;
}

}  // namespace

namespace handle {

// A dry run changes nothing, so it is not audited.
ApiReply import_job(const ApiParts& parts, const Call& call) {
  const auto import = read_import(call);
  if (!import) return std::unexpected{import.error()};
  Call asked = call;
  if (import->dry_run) asked.touched = nullptr;
  const auto job = find_job(parts, asked);
  if (!job) return std::unexpected{job.error()};
  const JobId id = job->version.id;
  if (import->dry_run) {
    const auto preview = flow::preview_import(parts.store, id, import->said, parts.work);
    if (!preview) return std::unexpected{error_of(preview.error())};
    return json_reply(200, to_json(*preview));
  }
  const auto kept = flow::import_by_hand(parts.store, id, import->said, call.now, parts.work);
  if (!kept) return std::unexpected{error_of(kept.error())};
  const auto now = parts.store.reader().find(id);
  if (!now) return std::unexpected{ApiError{404, "no_such_job", "the job no longer exists"}};
  WebReply reply = json_reply(202, to_json(view_of(parts, *now, call.now, call.who.user.id)));
  tell_worker(parts);
  return reply;
}

}  // namespace handle
}  // namespace haul::api
