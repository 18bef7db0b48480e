#include "base/query.h"

#include "base/ascii.h"

namespace haul {

std::string query_text(const QueryFields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text.append(text.empty() ? "" : "&")
        .append(percent_encoded(name))
        .append("=")
        .append(percent_encoded(value));
  return text;
}

std::string with_query(std::string_view path, const QueryFields& fields) {
  std::string target{path};
  if (!fields.empty()) target.append("?").append(query_text(fields));
  return target;
}

}  // namespace haul
