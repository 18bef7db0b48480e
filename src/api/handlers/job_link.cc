// Gives an item of a job another link.

#include <fmt/core.h>

#include "api/handlers/handlers.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "flow/user/user.h"

namespace haul::api {
namespace {

// A refusal of the request is one of the URL: nothing else in it is new.
ApiError refused(const Refusal& refusal) {
  ApiError error = error_of(refusal);
  if (refusal.code == "no_such_item") error.status = 404;
  if (refusal.field.empty()) return error;
  const std::string why =
      refusal.detail.substr(std::min(refusal.field.size() + 2, refusal.detail.size()));
  error.fields = {{"url", why}};
  error.detail = "url: " + why;
  return error;
}

}  // namespace

namespace handle {

ApiReply replace_link(const ApiParts& parts, const Call& call) {
  const auto job = find_job(parts, call);
  if (!job) return std::unexpected{job.error()};
  const auto item = read_number(call.words.at(1));
  if (!item || *item < 1)
    return std::unexpected{ApiError{404, "no_such_item", "an item has a number from 1"}};
  const auto body = Body::read(call.request.body, {"url"});
  if (!body) return std::unexpected{body.error()};
  const auto url = body->text("url");
  if (!url) return std::unexpected{url.error()};
  if (url->empty()) return std::unexpected{wrong_field("url", "required")};
  const auto added =
      flow::replace_link(parts.store, *job, {.item = *item, .url = *url, .asker = call.who.user.id},
                         call.now, parts.work);
  if (!added) return std::unexpected{refused(added.error())};
  tell_worker(parts);
  const auto next = parts.store.reader().find(added->id);
  if (!next) return std::unexpected{ApiError{404, "no_such_job", "the job no longer exists"}};
  WebReply reply = json_reply(added->replayed ? 200 : 201,
                              to_json(view_of(parts, *next, call.now, call.who.user.id)));
  if (!added->replayed)
    reply.headers.emplace_back("Location", fmt::format("/api/v1/jobs/{}", added->id.value));
  return reply;
}

}  // namespace handle
}  // namespace haul::api
