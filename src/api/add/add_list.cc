#include "api/add/add_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "api/handlers/ask.h"
#include "api/handlers/views.h"
#include "flow/user.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

const Lifecycle* lifecycle_named(std::string_view name) {
  return name == kItem.name ? nullptr : find_lifecycle(name);
}

std::expected<UserId, ApiError> owner_of(const Body& body, const Who& who) {
  const auto owner = body.number("owner");
  if (!owner) return std::unexpected{owner.error()};
  const UserId wanted{owner->value_or(who.user.id.value)};
  if (wanted == who.user.id) return wanted;
  if (!who.scopes.has(Scope::operate))
    return std::unexpected{ApiError{403, "not_allowed", "only for yourself"}};
  return wanted;
}

std::expected<AddAsk, ApiError> read_fields(const Call& call, std::string_view text) {
  const auto body = Body::read(text, {"lifecycle", "request", "owner", "paused"});
  if (!body) return std::unexpected{body.error()};
  const auto lifecycle = body->text("lifecycle");
  if (!lifecycle) return std::unexpected{lifecycle.error()};
  const Lifecycle* table = lifecycle_named(*lifecycle);
  if (!table)
    return std::unexpected{
        wrong_field("lifecycle", "book, media, batch, relay or image is wanted")};
  const JsonField* request = body->find("request");
  if (!request || !request->json.starts_with('{'))
    return std::unexpected{wrong_field("request", "an object is wanted")};
  const auto owner = owner_of(*body, call.who);
  if (!owner) return std::unexpected{owner.error()};
  const auto paused = body->flag("paused");
  if (!paused) return std::unexpected{paused.error()};
  return AddAsk{.lifecycle = table, .owner = *owner, .request = request->json, .paused = *paused};
}

using Fields = std::vector<JsonField>;

const JsonField* find_field(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? nullptr : &*found;
}

std::string put_together(const Fields& fields) {
  std::string out = "{";
  for (const JsonField& field : fields)
    out.append(out.size() == 1 ? "" : ",").append(json_quoted(field.name) + ":").append(field.json);
  return out + "}";
}

// J19: a batch writes below haul's own folder, whatever its request says.
std::expected<std::string, ApiError> with_folder(const Fields& fields, const std::string& given) {
  namespace fs = std::filesystem;
  const JsonField* folder = find_field(fields, "folder");
  fs::path wanted{given};
  if (folder && !folder->json.starts_with('"')) return put_together(fields);  // as_job refuses it.
  if (folder) {
    const fs::path root = wanted.lexically_normal();
    wanted = (root / folder->text).lexically_normal();
    const auto [end, at] = std::mismatch(root.begin(), root.end(), wanted.begin(), wanted.end());
    if (end != root.end())
      return std::unexpected{ApiError{
          422, "bad_folder", "files go into haul's own folder", {{"folder", "outside of it"}}}};
  }
  std::string out = "{";
  for (const JsonField& field : fields)
    if (field.name != "folder")
      out.append(json_quoted(field.name)).append(":").append(field.json).append(",");
  return out + "\"folder\":" + json_quoted(wanted.string()) + "}";
}

// These fields name files on this machine's disk, so only admins may set them.
std::optional<ApiError> check_files(const Fields& fields, const Who& who) {
  if (who.scopes.has(Scope::admin)) return std::nullopt;
  for (const JsonField& field : fields)
    if (field.name == "cookies" || field.name == "netrc")
      return ApiError{403, "not_allowed", field.name + " names a file of the server"};
  return std::nullopt;
}

// Z-30: refuse now, because without this configuration the job would wait forever.
std::optional<ApiError> check_configured(const ApiParts& parts, const Lifecycle& lifecycle,
                                         const Fields& fields) {
  if (!parts.not_configured) return std::nullopt;
  const JsonField* engine = find_field(fields, "engine");
  const std::string missing = parts.not_configured(lifecycle, engine ? engine->text : "");
  if (missing.empty()) return std::nullopt;
  return ApiError{422, "not_configured",
                  fmt::format("this daemon cannot run this {} job: {}", lifecycle.name, missing)};
}

std::optional<User> user_named(Store& store, const JsonField& field) {
  const auto number = read_number(field.text);
  return number ? store.users().find(UserId{*number}) : store.users().find(field.text);
}

// Z-26: a relay job belongs to the user that user_id names. The request keeps the number, so that a
// name and a number are the same request and the same key.
std::optional<ApiError> settle_relay(const ApiParts& parts, const Call& call, Fields& fields,
                                     AddAsk& ask) {
  const auto field = std::ranges::find(fields, "user_id", &JsonField::name);
  if (field == fields.end() || field->is_null || field->text.empty()) return std::nullopt;
  const auto user = user_named(parts.store, *field);
  if (!user)
    return ApiError{404,
                    "no_such_user",
                    "request.user_id: no such user",
                    {{"request.user_id", "no such user"}}};
  const bool is_other = user->id != call.who.user.id;
  if (is_other && !call.who.scopes.has(Scope::operate))
    return ApiError{403, "not_allowed", "request.user_id: only for yourself"};
  if (ask.owner != call.who.user.id && ask.owner != user->id)
    return ApiError{422,
                    "bad_request",
                    "owner: a relay job belongs to the user that request.user_id names",
                    {{"owner", "not the user of request.user_id"}}};
  ask.owner = user->id;
  field->text = field->json = std::to_string(user->id.value);
  ask.request = put_together(fields);
  return std::nullopt;
}

std::expected<AddAsk, ApiError> settled(const ApiParts& parts, const Call& call, AddAsk ask) {
  if (ask.lifecycle != &kBatch && ask.lifecycle != &kRelay && !parts.not_configured) return ask;
  auto fields = read_object(ask.request);
  if (!fields) return std::unexpected{ApiError{400, fields.error().code, fields.error().detail}};
  if (auto error = check_configured(parts, *ask.lifecycle, *fields)) return std::unexpected{*error};
  if (ask.lifecycle == &kRelay)
    if (auto error = settle_relay(parts, call, *fields, ask)) return std::unexpected{*error};
  if (ask.lifecycle != &kBatch) return ask;
  if (auto error = check_files(*fields, call.who)) return std::unexpected{*error};
  auto request = with_folder(*fields, parts.folder);
  if (!request) return std::unexpected{request.error()};
  ask.request = *std::move(request);
  return ask;
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
  auto ask = read ? settled(parts, call, *std::move(read)) : std::move(read);
  if (!ask) return std::unexpected{std::move(ask.error())};
  ask->key = std::move(key);
  auto job = as_job(*ask, now);
  if (!job) return std::unexpected{as_error(job.error())};
  return *std::move(job);
}

}  // namespace

void AddList::read(const Call& call, std::string_view body, std::string key) {
  auto job = read_job(parts_, call, body, std::move(key), now_);
  errors_.push_back(job ? std::nullopt : std::optional{std::move(job.error())});
  if (!job) return;
  jobs_.push_back(*std::move(job));
  askers_.push_back(call.who.user.id);
}

void AddList::add() {
  added_ = add_jobs(parts_.store, jobs_, now_, parts_.hands);
  if (!std::ranges::all_of(jobs_, &NewJob::paused)) tell_worker(parts_);
  audit();
}

// Z-26: audits jobs that were added for another user.
void AddList::audit() const {
  std::vector<NewAudit> entries;
  for (std::size_t i = 0; i < jobs_.size(); ++i)
    if (jobs_[i].owner != askers_[i] && added_[i] && !added_[i]->replayed)
      entries.push_back({.user = askers_[i],
                         .job = added_[i]->id,
                         .action = "JOB_ADDED",
                         .detail = fmt::format("job of user {}", jobs_[i].owner.value)});
  if (!entries.empty()) parts_.store.ledger().audit(entries, now_);
}

void AddList::show(const std::function<void(AddShown)>& each) const {
  std::size_t next = 0;
  for (const auto& error : errors_) each(error ? std::unexpected{*error} : shown(next++));
}

// A new job is shown as it was just written. An existing one may have moved since, so it is read.
AddShown AddList::shown(std::size_t which) const {
  const NewJob& job = jobs_[which];
  const AddAnswer& answer = added_[which];
  if (!answer) return std::unexpected{as_error(answer.error())};
  if (!answer->replayed)
    return AddedView{*answer, view_of(parts_, {as_added(job, answer->id, now_), job.request}, now_,
                                      askers_[which])};
  const auto older = parts_.store.reader().find(answer->id);
  if (!older) return std::unexpected{ApiError{404, "no_such_job", "it is gone"}};
  return AddedView{*answer, view_of(parts_, *older, now_, askers_[which])};
}

}  // namespace haul
