#include "api/reply.h"

#include <algorithm>
#include <array>

#include "base/json.h"

namespace haul::api {
namespace {

// Status by code. Other codes: 422 if a guard refused, 409 for a lost race or a missing move.
struct KnownCode {
  std::string_view code;
  int status;
};
constexpr std::array kKnownCodes{
    KnownCode{"no_such_job", 404},       KnownCode{"no_such_user", 404},
    KnownCode{"bad_json", 400},          KnownCode{"unknown_field", 400},
    KnownCode{"missing_field", 400},     KnownCode{"wrong_type", 400},
    KnownCode{"bad_key", 400},           KnownCode{"key_reused", 409},
    KnownCode{"request_too_large", 413}, KnownCode{"name_taken", 409},
    KnownCode{"already_asked", 409},     KnownCode{"too_fast", 429},
};

}  // namespace

WebReply json_reply(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = std::move(body),
          .stream = {}};
}

WebReply text_reply(std::string body, const char* type) {
  return {.status = 200,
          .headers = {{"Content-Type", type}, {"Cache-Control", "no-store"}},
          .body = std::move(body),
          .stream = {}};
}

WebReply error_reply(const ApiError& error) {
  std::string body =
      "{\"code\":" + json_quoted(error.code) + ",\"detail\":" + json_quoted(error.detail);
  std::string fields;
  for (const auto& [name, why] : error.fields)
    fields += (fields.empty() ? "" : ",") + json_quoted(name) + ":" + json_quoted(why);
  if (!fields.empty()) body += ",\"fields\":{" + fields + "}";
  if (!error.more.empty()) body += "," + error.more;
  return json_reply(error.status, body + "}");
}

ApiError error_of(const Refusal& refusal) {
  const auto* const known = std::ranges::find(kKnownCodes, refusal.code, &KnownCode::code);
  const int other = refusal.kind == RefusalKind::guarded ? 422 : 409;
  ApiError error{known == kKnownCodes.end() ? other : known->status, refusal.code, refusal.detail};
  error.retry_after_s = static_cast<int>(refusal.wait_s);
  return error;
}

}  // namespace haul::api
