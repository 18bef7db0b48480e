#pragma once
// Replies in JSON, and the shape of every error.

#include <map>
#include <string>
#include <string_view>

#include "base/web.h"
#include "store/refusal.h"

namespace haul::api {

struct ApiError {
  int status = 400;
  std::string code;                             // Stable word.
  std::string detail;                           // Prose.
  std::map<std::string, std::string> fields{};  // What is wrong, by field.
  std::string more{};     // Further members of the JSON object: "\"state\":\"x\"".
  int retry_after_s = 0;  // For the Retry-After header; zero: unknown.
  std::string cause{};    // The exception, for the log and never for the client.
};

WebReply json_reply(int status, std::string body);
WebReply error_reply(const ApiError& error);
WebReply text_reply(std::string body, const char* type = "text/plain; charset=utf-8");

// Maps a refusal of the store or the flow to an HTTP error.
ApiError error_of(const Refusal& refusal);

}  // namespace haul::api
