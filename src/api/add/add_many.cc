// The handler that adds many jobs of one body.

#include <fmt/core.h>

#include "api/add/new_jobs.h"
#include "api/handlers/handlers.h"
#include "api/handlers/read_request.h"
#include "base/hash.h"

namespace haul::api {
namespace {

constexpr std::size_t kBatchMax = 1'000;
constexpr std::size_t kKeyMax = 200;  // For a whole list; each job's key is this one and its index.

int status_of(const AddedView& shown) { return shown.added.replayed ? 200 : 201; }

// Z-15: says that the job was there before.
std::string json_of(const AddedView& shown) {
  std::string json = to_json(shown.view);
  if (shown.added.replayed) json.insert(json.size() - 1, ",\"replayed\":true");
  return json;
}

std::string as_element(const AddShown& shown) {
  if (!shown)
    return fmt::format("{{\"status\":{},\"error\":{}}}", shown.error().status,
                       error_reply(shown.error()).body);
  return fmt::format("{{\"status\":{},\"job\":{}}}", status_of(*shown), json_of(*shown));
}

// A repeated list finds its jobs by key and index. Jobs that were refused are checked again, as if
// they were sent alone. A different list with the same key is refused as a whole.
std::optional<ApiError> take_key(const ApiParts& parts, const Call& call, const std::string& key,
                                 const std::vector<std::string>& bodies) {
  if (key.empty()) return std::nullopt;
  if (key.size() > kKeyMax)
    return ApiError{400, "bad_key", fmt::format("Idempotency-Key has at most {} bytes", kKeyMax)};
  std::string all;
  for (const std::string& body : bodies) all += body + "\n";  // Each is canonical.
  if (parts.store.jobs().take_key(call.who.user.id, key, sha256_hex(all), call.now))
    return std::nullopt;
  return ApiError{409, "key_reused", "this Idempotency-Key was used for another list"};
}

}  // namespace

ApiReply reply_of(const AddShown& shown) {
  if (!shown) return std::unexpected{shown.error()};
  WebReply reply = json_reply(status_of(*shown), json_of(*shown));
  if (!shown->added.replayed)
    reply.headers.emplace_back("Location", fmt::format("/api/v1/jobs/{}", shown->added.id.value));
  return reply;
}

namespace handle {

ApiReply add_jobs(const ApiParts& parts, const Call& call) {
  const auto bodies = read_array(call.request.body);
  if (!bodies) return std::unexpected{ApiError{400, bodies.error().code, bodies.error().detail}};
  if (bodies->size() > kBatchMax)
    return std::unexpected{ApiError{413, "too_many", "at most 1,000 jobs at once"}};
  const std::string key{call.request.header("idempotency-key")};
  if (auto error = take_key(parts, call, key, *bodies)) return std::unexpected{*error};
  NewJobs list{parts, call.now};
  for (std::size_t i = 0; i < bodies->size(); ++i)
    list.read(call, (*bodies)[i], key.empty() ? "" : fmt::format("{}\x1f{}", key, i));
  list.add();
  std::string out = "[";
  list.show([&](const AddShown& shown) {
    out += out.size() == 1 ? "" : ",";
    out += as_element(shown);
  });
  return json_reply(200, out + "]");
}

}  // namespace handle
}  // namespace haul::api
