#include "seam/former_link.h"

#include <algorithm>

#include "base/json.h"

namespace haul {

std::string at_new_link(std::string_view checkpoint, std::string_view former) {
  const auto members =
      checkpoint.empty() ? Result<std::vector<JsonField>>{} : read_object(checkpoint);
  if (!members || members->empty()) return {};
  std::string out = R"({"replaced":true)";
  for (const JsonField& member : *members)
    if (member.name != "replaced")
      out.append(",").append(json_quoted(member.name)).append(":").append(member.json);
  if (std::ranges::find(*members, "source", &JsonField::name) == members->end())
    out.append(R"(,"source":)").append(json_quoted(former));
  return out + "}";
}

}  // namespace haul
