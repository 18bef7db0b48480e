#pragma once
// Replies in JSON, and the one shape that every error has.

#include <map>
#include <string>
#include <string_view>

#include "base/web.h"
#include "store/refusal.h"

namespace haul {

struct ApiError {
  int status = 400;
  std::string code;                             // Stable word.
  std::string detail;                           // Prose.
  std::map<std::string, std::string> fields{};  // What is wrong with which.
  std::string more{};     // Further members, as they stand in a JSON object: "\"state\":\"x\"".
  int retry_after_s = 0;  // When to come back; zero: not said.
  std::string cause{};    // What was thrown: for the log, never for the client.
};

WebReply json_reply(int status, std::string body);
WebReply error_reply(const ApiError& error);

// Maps a refusal of the store or the flow to an HTTP error.
ApiError error_of(const Refusal& refusal);

}  // namespace haul
