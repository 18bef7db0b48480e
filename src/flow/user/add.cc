// Adds jobs: checks the request, builds its keys and slot, and stores it in canonical form.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/ensure.h"
#include "base/json.h"
#include "base/url.h"
#include "flow/user/user.h"
#include "flow/worker/lanes.h"
#include "store/rules/key.h"
#include "store/rules/request_check.h"

namespace haul::flow {
namespace {

using Fields = std::vector<JsonField>;

std::unexpected<Refusal> refuse(std::string_view code, std::string detail) {
  return std::unexpected{Refusal{RefusalKind::guarded, std::string{code}, std::move(detail)}};
}

// Logins by origin.
using Logins = std::map<std::string, std::string>;

std::string without_login(const std::string& address, Logins& logins) {
  const auto url = address.find('@') == std::string::npos ? parse_url("") : parse_url(address);
  if (!url || url->user.empty()) return address;
  logins[url->origin()] = url->user + ":" + url->password;
  return url->text;
}

std::string without_logins(const JsonField& given, FieldType type, Logins& logins) {
  if (type != FieldType::list) return json_quoted(without_login(given.text, logins));
  const auto list = read_array(given.json);
  if (!list) return given.json;
  std::string out;
  for (const std::string& address : *list)
    out += (out.empty() ? "" : ",") + json_quoted(without_login(address, logins));
  return "[" + out + "]";
}

// Moves the logins of addresses into the field that the lifecycle has for them.
void part_logins(const Lifecycle& lifecycle, const std::string& request, Fields& fields) {
  const RequestField* apart = field_with(lifecycle.request, FieldUse::logins);
  if (!apart || request.find('@') == std::string::npos) return;
  Logins logins;
  for (const RequestField& field : lifecycle.request.fields) {
    const auto given = std::ranges::find(fields, field.name, &JsonField::name);
    if (field.use != FieldUse::address || given == fields.end() || given->is_null) continue;
    given->json = without_logins(*given, field.type, logins);
  }
  if (logins.empty()) return;
  std::string json;
  for (const auto& [origin, login] : logins)
    json +=
        fmt::format("{}{}:{}", json.empty() ? "" : ",", json_quoted(origin), json_quoted(login));
  std::erase_if(fields, [&](const JsonField& each) { return each.name == apart->name; });
  fields.push_back({.name = std::string{apart->name}, .json = "{" + json + "}"});
}

void set_defaults(const Lifecycle& lifecycle, Fields& fields) {
  for (const RequestField& field : lifecycle.request.fields) {
    if (field.initial.empty() || find_field(fields, field.name)) continue;
    std::erase_if(fields, [&](const JsonField& each) { return each.name == field.name; });
    fields.push_back({.name = std::string{field.name}, .json = std::string{field.initial}});
  }
}

// Builds the canonical JSON from fields that are already parsed.
std::string put_together(const Fields& fields) {
  std::string out = "{";
  for (const JsonField& field : fields)
    out.append(out.size() == 1 ? "" : ",").append(json_quoted(field.name) + ":").append(field.json);
  return out + "}";
}

std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle, const Fields& fields,
                                            const std::string& request) {
  Fields kept = fields;
  set_defaults(lifecycle, kept);
  part_logins(lifecycle, request, kept);
  const bool is_changed = kept != fields;
  if (!is_changed) return put_together(fields);
  const auto body = canonical(put_together(kept));
  if (!body) return refuse(body.error().code, body.error().detail);
  return *body;
}

// Z-26: a job belongs to the user that its request names. The caller has found that user by name or
// number, and has written the number into the request.
std::optional<Refusal> check_owner(const AddRequest& to_add, const Fields& fields) {
  const RequestField* named = field_with(to_add.lifecycle->request, FieldUse::owner);
  const JsonField* given = named ? find_field(fields, named->name) : nullptr;
  if (!given || given->text == std::to_string(to_add.owner.value)) return std::nullopt;
  const std::string path{named->name};
  return Refusal{RefusalKind::guarded, "bad_request",
                 fmt::format("{}: expected {}, the owner of the job", path, to_add.owner.value),
                 path};
}

}  // namespace

std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle,
                                            const std::string& request) {
  const auto fields = read_object(request);
  if (!fields) return refuse(fields.error().code, fields.error().detail);
  return as_kept(lifecycle, *fields, request);
}

std::expected<NewJob, Refusal> as_job(const AddRequest& to_add, Time now,
                                      std::span<const LifecycleWork> work) {
  const auto fields = read_object(to_add.request);
  if (!fields) return refuse(fields.error().code, fields.error().detail);
  if (auto refusal = rules::check_request(*to_add.lifecycle, *fields))
    return std::unexpected{*std::move(refusal)};
  if (auto refusal = check_owner(to_add, *fields)) return std::unexpected{*std::move(refusal)};
  const auto body = as_kept(*to_add.lifecycle, *fields, to_add.request);
  if (!body) return std::unexpected{body.error()};
  const bool is_keyed =
      to_add.lifecycle->key.scope != KeyScope::none || !to_add.lifecycle->slot.empty();
  const auto with_defaults = is_keyed ? read_object(*body) : fields;
  if (!with_defaults) return refuse(with_defaults.error().code, with_defaults.error().detail);
  const LifecycleWork* entry = find_work(work, *to_add.lifecycle);
  const auto expires =
      to_add.expires_at
          ? to_add.expires_at
          : expires_at(work, *to_add.lifecycle, std::max(now, to_add.not_before.value_or(now)));
  return NewJob{.lifecycle = to_add.lifecycle,
                .owner = to_add.owner,
                .request = *body,
                .lane = lane_of(*to_add.lifecycle, *fields),
                .due_at = to_add.not_before,
                .expires_at = expires,
                .slot = rules::slot_of(*to_add.lifecycle, to_add.owner, *with_defaults),
                .key = rules::key_of(*to_add.lifecycle, to_add.owner, *with_defaults, now),
                .caller_key = to_add.key,
                .price = entry ? entry->price.value_or(0) : to_add.price,
                .paused = to_add.paused,
                .refused = refusal_of_new(entry, *body),
                .quota = entry ? entry->quota : Quota{},
                .asker = to_add.asker,
                .priority = to_add.priority};
}

std::vector<AddAnswer> add_jobs(Store& store, std::span<const NewJob> jobs, Time now,
                                SpareCapacity* spare) {
  if (jobs.empty()) return {};
  const bool any_runs = !std::ranges::all_of(jobs, &NewJob::paused);
  const auto lent =
      spare && any_runs ? spare->lend(*jobs.front().lifecycle, jobs.size()) : std::nullopt;
  if (!lent) {
    std::vector<AddAnswer> added = store.jobs().add(jobs, now);
    ensure(added.size() == jobs.size(), "the store answers for every new job");
    return added;
  }
  AddedAndClaimed both;
  try {
    both = store.jobs().add_and_claim(jobs, *lent, now);
  } catch (...) {
    spare->give_back(*lent, {});
    throw;
  }
  spare->give_back(*lent, std::move(both.claimed));
  ensure(both.added.size() == jobs.size(), "the store answers for every new job");
  return std::move(both.added);
}

std::expected<Added, Refusal> add(Store& store, const AddRequest& to_add, Time now,
                                  SpareCapacity* spare, std::span<const LifecycleWork> work) {
  const auto job = as_job(to_add, now, work);
  if (!job) return std::unexpected{job.error()};
  return add_jobs(store, {&*job, 1}, now, spare).front();
}

}  // namespace haul::flow
