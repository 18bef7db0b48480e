#include "api/add/new_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "base/ensure.h"
#include "flow/user/not_before.h"
#include "flow/user/user.h"
#include "lifecycle/tables.h"

namespace haul::api {
namespace {

// So many jobs are read and shown together: few reads, and few views in memory at once.
constexpr std::size_t kShownTogether = 100;

const Lifecycle* lifecycle_named(std::string_view name) {
  const Lifecycle* found = find_lifecycle(name);
  return found && is_item(*found) ? nullptr : found;
}

std::expected<UserId, ApiError> owner_of(const Body& body, const Who& who) {
  const auto owner = body.number("owner");
  if (!owner) return std::unexpected{owner.error()};
  const UserId wanted{owner->value_or(who.user.id.value)};
  if (wanted == who.user.id) return wanted;
  if (!who.scopes.has(Scope::operate))
    return std::unexpected{
        ApiError{403, "not_allowed", "only an operator may add jobs for other users"}};
  return wanted;
}

std::expected<std::optional<Time>, ApiError> read_not_before(const Body& body, Time now) {
  const auto text = body.text("not_before");
  if (!text) return std::unexpected{text.error()};
  if (text->empty()) return std::nullopt;
  const auto at = flow::read_not_before(*text, now);
  if (!at) return std::unexpected{wrong_field("not_before", at.error())};
  return *at;
}

std::expected<flow::AddRequest, ApiError> read_fields(const Call& call, std::string_view text) {
  // rules::check_request knows which strings of a request may have newlines.
  const auto body = Body::read(
      text, {"lifecycle", "request", "owner", "paused", "not_before", "priority"}, {"request"});
  if (!body) return std::unexpected{body.error()};
  const auto lifecycle = body->text("lifecycle");
  if (!lifecycle) return std::unexpected{lifecycle.error()};
  const Lifecycle* table = lifecycle_named(*lifecycle);
  if (!table)
    return std::unexpected{wrong_field("lifecycle", "expected " + lifecycle_names(NamesOf::jobs))};
  const JsonField* request = body->find("request");
  if (!request || !request->json.starts_with('{'))
    return std::unexpected{wrong_field("request", "expected an object")};
  const auto owner = owner_of(*body, call.who);
  if (!owner) return std::unexpected{owner.error()};
  const auto paused = body->flag("paused");
  if (!paused) return std::unexpected{paused.error()};
  const auto not_before = read_not_before(*body, call.now);
  if (!not_before) return std::unexpected{not_before.error()};
  const auto priority = read_priority(*body);
  if (!priority) return std::unexpected{priority.error()};
  return flow::AddRequest{.lifecycle = table,
                          .owner = *owner,
                          .request = request->json,
                          .paused = *paused,
                          .not_before = *not_before,
                          .priority = priority->value_or(0)};
}

using Fields = std::vector<JsonField>;

std::string put_together(const Fields& fields) {
  std::string out = "{";
  for (const JsonField& field : fields)
    out.append(out.size() == 1 ? "" : ",").append(json_quoted(field.name) + ":").append(field.json);
  return out + "}";
}

// J19: a batch writes only inside the daemon's download folder.
std::expected<std::string, ApiError> with_folder(const Fields& fields, const RequestField& field,
                                                 const std::string& given) {
  namespace fs = std::filesystem;
  const JsonField* folder = find_field(fields, field.name);
  fs::path wanted{given};
  if (folder && !folder->json.starts_with('"')) return put_together(fields);  // as_job refuses it.
  if (folder) {
    const fs::path root = wanted.lexically_normal();
    wanted = (root / folder->text).lexically_normal();
    const auto [end, at] = std::mismatch(root.begin(), root.end(), wanted.begin(), wanted.end());
    const std::string path{field.name};
    if (end != root.end())
      return std::unexpected{ApiError{422,
                                      "bad_folder",
                                      path + " must be inside the daemon's download folder",
                                      {{path, "must be inside the daemon's download folder"}}}};
  }
  std::string out = "{";
  for (const JsonField& each : fields)
    if (each.name != field.name)
      out.append(json_quoted(each.name)).append(":").append(each.json).append(",");
  return out + json_quoted(field.name) + ":" + json_quoted(wanted.string()) + "}";
}

std::optional<ApiError> check_files(const Lifecycle& lifecycle, const Fields& fields,
                                    const Who& who) {
  if (who.scopes.has(Scope::admin)) return std::nullopt;
  for (const RequestField& field : lifecycle.request.fields) {
    if (!find_field(fields, field.name)) continue;
    if (field.use == FieldUse::server_file)
      return ApiError{403, "not_allowed", std::string{field.name} + " names a file of the server"};
    if (field.use == FieldUse::trust)
      return ApiError{403, "not_allowed", std::string{field.name} + " is for administrators"};
  }
  return std::nullopt;
}

// Z-30: refuses the job now, because it would wait until an operator changes the configuration. A
// repeated request gets its job even so (A4-9).
std::optional<Refusal> check_ready(const ApiParts& parts, const flow::AddRequest& add) {
  const Lifecycle& lifecycle = *add.lifecycle;
  const std::string engine = flow::engine_in(lifecycle, add.request);
  std::string missing = flow::not_ready(parts.work, lifecycle, engine);
  if (missing.empty()) missing = flow::lacks_for(parts.work, lifecycle, add.request);
  if (missing.empty()) return std::nullopt;
  return Refusal{RefusalKind::guarded, "not_configured",
                 fmt::format("this daemon cannot run this {} job: {}", lifecycle.name, missing)};
}

std::optional<User> user_named(Store& store, const JsonField& field) {
  const auto number = read_number(field.text);
  return number ? store.users().find(UserId{*number}) : store.users().find(field.text);
}

// Z-26: a job belongs to the user that this field names. The request keeps the number, so that a
// name and a number are the same request and the same key.
std::optional<ApiError> settle_owner(const ApiParts& parts, const Call& call,
                                     const RequestField& owner, Fields& fields,
                                     flow::AddRequest& add) {
  const std::string path = fmt::format("request.{}", owner.name);
  const auto field = std::ranges::find(fields, owner.name, &JsonField::name);
  if (field == fields.end() || field->is_null || field->text.empty()) return std::nullopt;
  const auto user = user_named(parts.store, *field);
  if (!user)
    return ApiError{404, "no_such_user", path + ": no such user", {{path, "no such user"}}};
  const bool is_other = user->id != call.who.user.id;
  if (is_other && !call.who.scopes.has(Scope::operate))
    return ApiError{403, "not_allowed", path + ": only an operator may add jobs for other users"};
  if (add.owner != call.who.user.id && add.owner != user->id)
    return ApiError{
        422,
        "bad_request",
        fmt::format("owner: a {} job belongs to the user that {} names", add.lifecycle->name, path),
        {{"owner", "not the user of " + path}}};
  add.owner = user->id;
  field->text = field->json = std::to_string(user->id.value);
  add.request = put_together(fields);
  return std::nullopt;
}

// The job keeps the folder and the limits of its category as they are now.
std::optional<ApiError> settle_category(const ApiParts& parts, const Lifecycle& lifecycle,
                                        Fields& fields) {
  auto filled = with_category(lifecycle.request, std::move(fields), parts.categories);
  if (!filled) {
    const std::string path = "request." + filled.error().field;
    return ApiError{
        422, filled.error().code, path + ": " + filled.error().why, {{path, filled.error().why}}};
  }
  fields = *std::move(filled);
  return std::nullopt;
}

std::expected<flow::AddRequest, ApiError> settled(const ApiParts& parts, const Call& call,
                                                  flow::AddRequest add) {
  const Lifecycle& lifecycle = *add.lifecycle;
  const RequestField* owner = field_with(lifecycle.request, FieldUse::owner);
  const RequestField* folder = field_with(lifecycle.request, FieldUse::folder);
  const bool names_files = field_with(lifecycle.request, FieldUse::server_file) != nullptr;
  const bool has_category = field_with(lifecycle.request, FieldUse::category) != nullptr;
  if (!owner && !folder && !names_files && !has_category) return add;
  auto fields = read_object(add.request);
  if (!fields) return std::unexpected{ApiError{400, fields.error().code, fields.error().detail}};
  if (auto error = owner ? settle_owner(parts, call, *owner, *fields, add) : std::nullopt)
    return std::unexpected{*error};
  if (auto error = check_files(lifecycle, *fields, call.who)) return std::unexpected{*error};
  if (auto error = settle_category(parts, lifecycle, *fields)) return std::unexpected{*error};
  if (!folder) {
    if (has_category) add.request = put_together(*fields);
    return add;
  }
  auto request = with_folder(*fields, *folder, parts.folder);
  if (!request) return std::unexpected{request.error()};
  add.request = *std::move(request);
  return add;
}

ApiError as_error(const Refusal& refusal) {
  ApiError error = error_of(refusal);
  if (refusal.field.empty()) return error;
  const std::string path = "request." + refusal.field;
  error.fields[path] =
      refusal.detail.substr(std::min(refusal.field.size() + 2, refusal.detail.size()));
  error.detail = path + ": " + error.fields[path];
  return error;
}

std::expected<NewJob, ApiError> read_job(const ApiParts& parts, const Call& call,
                                         std::string_view body, std::string key, Time now) {
  auto read = read_fields(call, body);
  auto add = read ? settled(parts, call, *std::move(read)) : std::move(read);
  if (!add) return std::unexpected{std::move(add.error())};
  add->key = std::move(key);
  add->asker = call.who.user.id;
  auto job = flow::as_job(*add, now, parts.work);
  if (!job) return std::unexpected{as_error(job.error())};
  if (auto refusal = check_ready(parts, *add)) job->refused = std::move(refusal);
  if (auto refusal = flow::check_not_before(*add, now)) job->refused = std::move(refusal);
  return *std::move(job);
}

}  // namespace

void NewJobs::read(const Call& call, std::string_view body, std::string key) {
  auto job = read_job(parts_, call, body, std::move(key), now_);
  errors_.push_back(job ? std::nullopt : std::optional{std::move(job.error())});
  if (!job) return;
  jobs_.push_back(*std::move(job));
}

void NewJobs::add() {
  added_ = add_jobs(parts_.store, jobs_, now_, parts_.spare);
  ensure(added_.size() == jobs_.size(), "the store answers each new job");
  if (!std::ranges::all_of(jobs_, &NewJob::paused)) tell_worker(parts_);
}

void NewJobs::show(const std::function<void(AddShown)>& each) const {
  Views views;
  std::size_t next = 0;
  for (const auto& error : errors_) {
    if (error) {
      each(std::unexpected{*error});
      continue;
    }
    if (next % kShownTogether == 0) views = read_views(next);
    each(shown(next++, views));
  }
}

NewJobs::Views NewJobs::read_views(std::size_t from) const {
  const std::size_t end = std::min(from + kShownTogether, added_.size());
  std::vector<JobId> ids;
  for (std::size_t i = from; i < end; ++i)
    if (added_[i] && added_[i]->replayed) ids.push_back(added_[i]->id);
  std::vector<Loaded> loaded;
  if (!ids.empty()) loaded = parts_.store.reader().load(ids);
  const std::size_t existing = loaded.size();
  for (std::size_t i = from; i < end; ++i)
    if (added_[i] && !added_[i]->replayed)
      loaded.push_back({as_added(jobs_[i], added_[i]->id, now_), jobs_[i].request});
  Views views;
  std::size_t next = 0;
  for (JobView& view : views_of(parts_, std::move(loaded), now_)) {
    const JobId id = view.job.version.id;
    (next++ < existing ? views.existing : views.added).emplace(id, std::move(view));
  }
  return views;
}

AddShown NewJobs::shown(std::size_t which, const Views& views) const {
  const AddAnswer& answer = added_[which];
  if (!answer) return std::unexpected{as_error(answer.error())};
  const auto& among = answer->replayed ? views.existing : views.added;
  const auto found = among.find(answer->id);
  if (found == among.end())
    return std::unexpected{ApiError{404, "no_such_job", "the job no longer exists"}};
  AddedView answered{*answer, found->second};
  answered.view.viewer = viewer_of(answered.view.job, jobs_[which].asker);
  return answered;
}

}  // namespace haul::api
