#include "api/json/answer_json.h"

#include <nlohmann/json.hpp>

namespace haul::api {

std::string to_json(const Answered& answer) {
  nlohmann::ordered_json json;
  json["ok"] = answer.ok;
  if (!answer.code.empty()) json["code"] = answer.code;
  if (!answer.detail.empty()) json["detail"] = answer.detail;
  if (!answer.file.empty()) json["file"] = answer.file;
  if (!answer.replaced.empty()) json["replaced"] = answer.replaced;
  if (answer.keys_revoked) json["keys_revoked"] = *answer.keys_revoked;
  if (answer.users_blocked) json["users_blocked"] = *answer.users_blocked;
  // Paths may hold any bytes; what is not UTF-8 is replaced rather than thrown at the user.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace haul::api
