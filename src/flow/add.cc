// Adds jobs: checks the request, builds its keys and slot, and stores it in canonical form.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "base/plant.h"
#include "base/url.h"
#include "flow/lanes.h"
#include "flow/request_check.h"
#include "flow/user.h"

namespace haul {
namespace {

using Fields = std::vector<JsonField>;

std::unexpected<Refusal> refuse(std::string_view code, std::string detail) {
  return std::unexpected{Refusal{RefusalKind::guarded, std::string{code}, std::move(detail)}};
}

std::string value_of(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? std::string{} : found->text;
}

std::string slot_of(const AddAsk& ask, const Fields& fields) {
  std::string slot;
  for (const std::string_view part : ask.lifecycle->slot) {
    const std::string text =
        part == "owner" ? std::to_string(ask.owner.value) : value_of(fields, part);
    slot += (slot.empty() ? "" : "\x1f") + text;
  }
  return slot;
}

// Z-15: the canonical array [user, prompt, params, minute], hashed.
std::string image_key(const AddAsk& ask, const Fields& fields, std::int64_t minute) {
  const std::string params = value_of(fields, "params");
  return sha256_hex(fmt::format("[{},{},{},{}]", ask.owner.value,
                                json_quoted(value_of(fields, "prompt")),
                                params.empty() ? "{}" : params, minute));
}

NewJob::Key key_of(const AddAsk& ask, const Fields& fields, Time now) {
  const std::string_view lifecycle = ask.lifecycle->name;
  if (lifecycle == "relay")  // 003 §3
    return {.value = sha256_hex(value_of(fields, "user_id") + ":" + value_of(fields, "file_id") +
                                ":" + value_of(fields, "nonce")),
            .scope = KeyScope::forever};
  if (lifecycle == "media")
    return {
        .value = sha256_hex(value_of(fields, "title") + "\x1f" + value_of(fields, "release_name")),
        .scope = KeyScope::while_open};
  if (lifecycle == "image") {
    const auto minute = std::chrono::floor<std::chrono::minutes>(now).time_since_epoch().count();
    return {.value = image_key(ask, fields, minute),
            .scope = KeyScope::window,
            .earlier = planted(Plant::window_key_off) ? "" : image_key(ask, fields, minute - 1)};
  }
  return {};
}

// Z-15: a request without params is the same as one with empty params, so both get the same text.
std::string image_with_defaults(const Fields& fields, const std::string& request) {
  if (!value_of(fields, "params").empty()) return request;
  return fmt::format(R"({{"prompt":{},"params":{{}}}})", json_quoted(value_of(fields, "prompt")));
}

// Logins by origin.
using Logins = std::map<std::string, std::string>;

std::string without_login(const std::string& address, Logins& logins) {
  const auto url = address.find('@') == std::string::npos ? parse_url("") : parse_url(address);
  if (!url || url->user.empty()) return address;
  logins[url->origin()] = url->user + ":" + url->password;
  return url->text;
}

std::string without_logins(const JsonField& urls, Logins& logins) {
  if (urls.name == "url") return json_quoted(without_login(urls.text, logins));
  const auto list = read_array(urls.json);
  if (!list) return urls.json;
  std::string out;
  for (const std::string& address : *list)
    out += (out.empty() ? "" : ",") + json_quoted(without_login(address, logins));
  return "[" + out + "]";
}

std::string batch_with_logins_apart(const Fields& fields, const std::string& request) {
  if (request.find('@') == std::string::npos) return request;
  Logins logins;
  std::string out;
  for (const JsonField& field : fields) {
    if (field.name == "logins") continue;
    const bool is_address = field.name == "url" || field.name == "urls";
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(field.name),
                       is_address ? without_logins(field, logins) : field.json);
  }
  if (logins.empty()) return request;
  std::string apart;
  for (const auto& [origin, login] : logins)
    apart +=
        fmt::format("{}{}:{}", apart.empty() ? "" : ",", json_quoted(origin), json_quoted(login));
  return fmt::format("{{{},\"logins\":{{{}}}}}", out, apart);
}

std::string kept(const Lifecycle& lifecycle, const Fields& fields, const std::string& request) {
  if (lifecycle.name == "image") return image_with_defaults(fields, request);
  if (lifecycle.name == "batch") return batch_with_logins_apart(fields, request);
  return request;
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
  const std::string wanted = kept(lifecycle, fields, request);
  if (wanted == request) return put_together(fields);
  const auto body = canonical(wanted);
  if (!body) return refuse(body.error().code, body.error().detail);
  return *body;
}

}  // namespace

std::expected<std::string, Refusal> as_kept(const Lifecycle& lifecycle,
                                            const std::string& request) {
  const auto fields = read_object(request);
  if (!fields) return refuse(fields.error().code, fields.error().detail);
  return as_kept(lifecycle, *fields, request);
}

std::expected<NewJob, Refusal> as_job(const AddAsk& ask, Time now) {
  const auto fields = read_object(ask.request);
  if (!fields) return refuse(fields.error().code, fields.error().detail);
  if (auto refusal = check_request(*ask.lifecycle, *fields))
    return std::unexpected{*std::move(refusal)};
  const auto body = as_kept(*ask.lifecycle, *fields, ask.request);
  if (!body) return std::unexpected{body.error()};
  return NewJob{.lifecycle = ask.lifecycle,
                .owner = ask.owner,
                .request = *body,
                .lane = lane_of(*ask.lifecycle, *fields),
                .expires_at = ask.expires_at,
                .slot = slot_of(ask, *fields),
                .key = key_of(ask, *fields, now),
                .client_key = ask.key,
                .price = ask.price,
                .paused = ask.paused};
}

std::vector<AddAnswer> add_jobs(Store& store, std::span<const NewJob> jobs, Time now,
                                Hands* hands) {
  if (jobs.empty()) return {};
  const bool any_runs = !std::ranges::all_of(jobs, &NewJob::paused);
  const auto lent =
      hands && any_runs ? hands->lend(*jobs.front().lifecycle, jobs.size()) : std::nullopt;
  if (!lent) return store.jobs().add(jobs, now);
  AddedAndClaimed both;
  try {
    both = store.jobs().add_and_claim(jobs, *lent, now);
  } catch (...) {
    hands->give_back(*lent, {});
    throw;
  }
  hands->give_back(*lent, std::move(both.claimed));
  return std::move(both.added);
}

std::expected<Added, Refusal> add(Store& store, const AddAsk& ask, Time now, Hands* hands) {
  const auto job = as_job(ask, now);
  if (!job) return std::unexpected{job.error()};
  return add_jobs(store, {&*job, 1}, now, hands).front();
}

}  // namespace haul
