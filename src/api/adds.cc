// Asking for jobs: one, many in a body, or many that come at once.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "api/ask.h"
#include "api/handlers.h"
#include "api/views.h"
#include "base/hash.h"
#include "flow/request.h"
#include "flow/user.h"
#include "lifecycle/tables.h"

namespace haul {
namespace {

constexpr std::size_t kBatchMax = 1'000;
constexpr std::size_t kKeyMax = 200;  // Of many; each of them has its place beside it.

const Lifecycle* lifecycle_named(std::string_view name) {
  return name == kItem.name ? nullptr : find_lifecycle(name);
}

std::expected<UserId, ApiError> owner_of(const Body& body, const Who& who) {
  const auto owner = body.number("owner");
  if (!owner) return std::unexpected{owner.error()};
  if (!*owner || **owner == who.user.id.value) return who.user.id;
  if (!who.scopes.has(Scope::operate))
    return std::unexpected{ApiError{403, "not_allowed", "only for yourself"}};
  return UserId{**owner};
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

// J19: what a batch fills lies in the folder that haul was given, whatever its request says.
std::expected<std::string, ApiError> with_folder(const Fields& fields, const std::string& given) {
  namespace fs = std::filesystem;
  const JsonField* folder = find_field(fields, "folder");
  const fs::path root = fs::path{given}.lexically_normal();
  const fs::path wanted = (root / (folder ? folder->text : "")).lexically_normal();
  const auto [end, at] = std::mismatch(root.begin(), root.end(), wanted.begin(), wanted.end());
  if (end != root.end())
    return std::unexpected{ApiError{
        422, "bad_folder", "files go into haul's own folder", {{"folder", "outside of it"}}}};
  std::string out = "{";
  for (const JsonField& field : fields)
    if (field.name != "folder")
      out.append(json_quoted(field.name)).append(":").append(field.json).append(",");
  return out + "\"folder\":" + json_quoted(wanted.string()) + "}";
}

// What would be read from this machine's disk is for those who run it.
std::optional<ApiError> check_files(const Fields& fields, const Who& who) {
  if (who.scopes.has(Scope::admin)) return std::nullopt;
  for (const JsonField& field : fields)
    if (field.name == "cookies" || field.name == "netrc")
      return ApiError{403, "not_allowed", field.name + " names a file of the server"};
  return std::nullopt;
}

// Who does not exist fetches nothing, and says so only when it is tried.
std::optional<ApiError> check_engine(const Fields& fields) {
  const JsonField* engine = find_field(fields, "engine");
  if (!engine) return std::nullopt;
  const auto known = request_fields(kBatch);
  const auto field = std::ranges::find(known, "engine", &RequestField::name);
  if (std::ranges::find(field->values, engine->text) != field->values.end()) return std::nullopt;
  return ApiError{422,
                  "unknown_engine",
                  "there is no such engine",
                  {{"engine", "auto, http, yt-dlp or gallery-dl is wanted"}}};
}

std::expected<AddAsk, ApiError> settled(const ApiParts& parts, const Call& call, AddAsk ask) {
  if (ask.lifecycle == &kBook && !parts.has_client)
    return std::unexpected{ApiError{
        422, "not_configured", "this daemon has no torrent client: set engine.qbittorrent.url"}};
  if (ask.lifecycle != &kBatch) return ask;
  const auto fields = read_object(ask.request);
  if (!fields) return std::unexpected{ApiError{400, fields.error().code, fields.error().detail}};
  if (auto error = check_files(*fields, call.who)) return std::unexpected{*error};
  if (auto error = check_engine(*fields)) return std::unexpected{*error};
  auto request = with_folder(*fields, parts.folder);
  if (!request) return std::unexpected{request.error()};
  ask.request = *std::move(request);
  return ask;
}

ApiError as_error(const Refusal& refusal) {
  ApiError error = error_of(refusal);
  if (refusal.code == "missing_field") error.fields[refusal.detail] = "it is wanted";
  if (refusal.code == "unknown_field") error.fields["request"] = refusal.detail;
  return error;
}

std::expected<AddAsk, ApiError> read_ask(const ApiParts& parts, const Call& call,
                                         std::string_view text) {
  auto ask = read_fields(call, text);
  return ask ? settled(parts, call, *std::move(ask)) : ask;
}

using Read = std::expected<AddAsk, ApiError>;
using Answers = std::vector<std::expected<Added, ApiError>>;

// One answer each, in order; what could be read is added in one transaction.
Answers add_each(const ApiParts& parts, std::vector<Read> read, Time now) {
  Answers answers(read.size());
  std::vector<AddAsk> asks;
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i])
      asks.push_back(*std::move(read[i]));
    else
      answers[i] = std::unexpected{read[i].error()};
  }
  const std::vector<AddAnswer> added = add_all(parts.store, asks, now, parts.hands);
  auto next = added.begin();
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i]) continue;
    if (*next)
      answers[i] = **next;
    else
      answers[i] = std::unexpected{as_error(next->error())};
    ++next;
  }
  tell_worker(parts);
  return answers;
}

// The jobs are read together: one look at the store is dearer than one job.
std::vector<Loaded> load(const ApiParts& parts, const Answers& answers) {
  std::vector<JobId> ids;
  for (const auto& answer : answers)
    if (answer) ids.push_back(answer->id);
  return parts.store.reader().load(ids);
}

std::string shown(const ApiParts& parts, const Answers& answers, Time now) {
  const std::vector<Loaded> jobs = load(parts, answers);
  std::size_t next = 0;
  std::string out = "[";
  for (const auto& answer : answers) {
    out += out.size() == 1 ? "{\"status\":" : ",{\"status\":";
    if (!answer) {
      out +=
          fmt::format("{},\"error\":{}}}", answer.error().status, error_reply(answer.error()).body);
      continue;
    }
    const bool found = next < jobs.size() && jobs[next].job.seen.id == answer->id;
    out += answer->replayed ? "200,\"job\":" : "201,\"job\":";
    out += found ? to_json(view_of(parts, jobs[next++], now)) : "null";
    out += "}";
  }
  return out + "]";
}

// What comes again under its key finds the jobs that it made, each by its place; what was refused
// is judged anew, as it is where it comes alone. Something else is refused as a whole.
std::optional<ApiError> take_key(const ApiParts& parts, const Call& call, const std::string& key,
                                 const std::vector<std::string>& bodies) {
  if (key.empty()) return std::nullopt;
  if (key.size() > kKeyMax)
    return ApiError{400, "bad_key", fmt::format("a key has at most {} bytes", kKeyMax)};
  std::string all;
  for (const std::string& body : bodies) all += body + "\n";  // Canonical, each of them.
  if (parts.store.jobs().take_key(call.who.user.id, key, sha256_hex(all), call.now))
    return std::nullopt;
  return ApiError{409, "key_reused", "another list came with this key"};
}

}  // namespace

std::vector<ApiReply> add_together(const ApiParts& parts, std::span<const Call> calls) {
  std::vector<Read> read;
  for (const Call& call : calls) {
    read.push_back(read_ask(parts, call, call.request.body));
    if (read.back()) read.back()->key = call.request.header("idempotency-key");
  }
  const Time now = calls.front().now;
  const Answers answers = add_each(parts, std::move(read), now);
  const std::vector<Loaded> jobs = load(parts, answers);
  std::size_t next = 0;
  std::vector<ApiReply> replies;
  for (const auto& answer : answers) {
    if (!answer) {
      replies.push_back(std::unexpected{answer.error()});
    } else if (next >= jobs.size() || jobs[next].job.seen.id != answer->id) {
      replies.push_back(std::unexpected{ApiError{404, "no_such_job", "it is gone"}});
    } else {
      WebReply reply = json_reply(answer->replayed ? 200 : 201,
                                  to_json(view_of(parts, jobs[next++], now)));
      if (!answer->replayed)
        reply.headers.emplace_back("Location", fmt::format("/api/v1/jobs/{}", answer->id.value));
      replies.push_back(std::move(reply));
    }
  }
  return replies;
}

namespace handle {

ApiReply add_job(const ApiParts& parts, const Call& call) {
  return std::move(add_together(parts, {&call, 1}).front());
}

ApiReply add_jobs(const ApiParts& parts, const Call& call) {
  const auto bodies = read_array(call.request.body);
  if (!bodies) return std::unexpected{ApiError{400, bodies.error().code, bodies.error().detail}};
  if (bodies->size() > kBatchMax)
    return std::unexpected{ApiError{413, "too_many", "at most 1,000 at once"}};
  const std::string key{call.request.header("idempotency-key")};
  if (auto error = take_key(parts, call, key, *bodies)) return std::unexpected{*error};
  std::vector<Read> read;
  for (std::size_t i = 0; i < bodies->size(); ++i) {
    Read ask = read_ask(parts, call, (*bodies)[i]);
    if (ask && !key.empty()) ask->key = fmt::format("{}\x1f{}", key, i);
    read.push_back(std::move(ask));
  }
  return json_reply(200, shown(parts, add_each(parts, std::move(read), call.now), call.now));
}

}  // namespace handle
}  // namespace haul
