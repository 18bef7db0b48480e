#include "flow/worker/by_hand_json.h"

#include <fmt/core.h>

#include "base/json.h"

namespace haul::flow {

std::string by_hand_json(std::span<const ByHand> said) {
  std::string as = "null";
  std::string files;
  for (const ByHand& each : said)
    if (each.path.empty())
      as = json_quoted(each.as);
    else
      files += fmt::format("{}{}:{}", files.empty() ? "" : ",", json_quoted(each.path),
                           json_quoted(each.as));
  return fmt::format(R"({{"as":{},"files":{{{}}}}})", as, files);
}

std::vector<ByHand> read_by_hand(std::string_view json) {
  std::vector<ByHand> said;
  const auto members = read_object(json);
  if (!members) return said;
  for (const JsonField& member : *members) {
    if (member.name == "as" && !member.is_null) said.push_back({.path = {}, .as = member.text});
    const auto files =
        member.name == "files" ? read_object(member.json) : Result<std::vector<JsonField>>{};
    if (files)
      for (const JsonField& file : *files) said.push_back({.path = file.name, .as = file.text});
  }
  return said;
}

std::vector<ByHand> last_said(Intents& intents, JobId job) {
  const auto newest = intents.newest(job, kImportIntent);
  return newest ? read_by_hand(newest->data) : std::vector<ByHand>{};
}

}  // namespace haul::flow
