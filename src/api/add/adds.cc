// Handlers that add jobs: one, or many in one body.

#include <fmt/core.h>

#include "api/add/add_list.h"
#include "api/handlers/ask.h"
#include "api/handlers/handlers.h"
#include "base/hash.h"

namespace haul {
namespace {

constexpr std::size_t kBatchMax = 1'000;
constexpr std::size_t kKeyMax = 200;  // For a whole list; each job's key is this one and its index.

int status_of(const AddedView& shown) { return shown.added.replayed ? 200 : 201; }

std::string as_element(const AddShown& shown) {
  if (!shown)
    return fmt::format("{{\"status\":{},\"error\":{}}}", shown.error().status,
                       error_reply(shown.error()).body);
  return fmt::format("{{\"status\":{},\"job\":{}}}", status_of(*shown), to_json(shown->view));
}

// A list that is sent again with its key finds the jobs it made, each by its index. Jobs that were
// refused are judged again, as if they were sent alone. A different list with the same key is
// refused as a whole.
std::optional<ApiError> take_key(const ApiParts& parts, const Call& call, const std::string& key,
                                 const std::vector<std::string>& bodies) {
  if (key.empty()) return std::nullopt;
  if (key.size() > kKeyMax)
    return ApiError{400, "bad_key", fmt::format("a key has at most {} bytes", kKeyMax)};
  std::string all;
  for (const std::string& body : bodies) all += body + "\n";  // Each is canonical.
  if (parts.store.jobs().take_key(call.who.user.id, key, sha256_hex(all), call.now))
    return std::nullopt;
  return ApiError{409, "key_reused", "another list came with this key"};
}

}  // namespace

ApiReply reply_of(const AddShown& shown) {
  if (!shown) return std::unexpected{shown.error()};
  WebReply reply = json_reply(status_of(*shown), to_json(shown->view));
  if (!shown->added.replayed)
    reply.headers.emplace_back("Location", fmt::format("/api/v1/jobs/{}", shown->added.id.value));
  return reply;
}

namespace handle {

ApiReply add_job(const ApiParts& parts, const Call& call) {
  AddList list{parts, call.now};
  list.read(call, call.request.body, std::string{call.request.header("idempotency-key")});
  list.add();
  ApiReply only;
  list.show([&](const AddShown& shown) { only = reply_of(shown); });
  return only;
}

ApiReply add_jobs(const ApiParts& parts, const Call& call) {
  const auto bodies = read_array(call.request.body);
  if (!bodies) return std::unexpected{ApiError{400, bodies.error().code, bodies.error().detail}};
  if (bodies->size() > kBatchMax)
    return std::unexpected{ApiError{413, "too_many", "at most 1,000 at once"}};
  const std::string key{call.request.header("idempotency-key")};
  if (auto error = take_key(parts, call, key, *bodies)) return std::unexpected{*error};
  AddList list{parts, call.now};
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
}  // namespace haul
