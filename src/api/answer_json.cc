#include "api/answer_json.h"

#include <nlohmann/json.hpp>

namespace haul {

std::string to_json(const Answered& answer) {
  nlohmann::ordered_json json;
  json["ok"] = answer.ok;
  if (!answer.code.empty()) json["code"] = answer.code;
  if (!answer.detail.empty()) json["detail"] = answer.detail;
  if (!answer.file.empty()) json["file"] = answer.file;
  if (!answer.replaced.empty()) json["replaced"] = answer.replaced;
  // Paths may hold any bytes: replace what is not UTF-8 instead of throwing.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace haul
