#pragma once
// Writes Metalink documents for the fault server's files.

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace haul::testing {

struct Meta4File {
  std::string name;
  std::string content;
  std::vector<std::string> urls;  // By priority.
  std::size_t piece = 0;          // Zero: no pieces.
  bool has_hash = true;
};

inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

inline std::string meta4(const std::vector<Meta4File>& files) {
  std::string out = R"(<metalink xmlns="urn:ietf:params:xml:ns:metalink">)";
  for (const Meta4File& file : files) {
    out += fmt::format(R"(<file name="{}"><size>{}</size>)", file.name, file.content.size());
    if (file.has_hash)
      out += fmt::format(R"(<hash type="sha-256">{}</hash>)", sha256_hex(file.content));
    if (file.piece > 0) out += fmt::format(R"(<pieces type="sha-256" length="{}">)", file.piece);
    for (std::size_t at = 0; file.piece > 0 && at < file.content.size(); at += file.piece)
      out += fmt::format("<hash>{}</hash>",
                         sha256_hex(std::string_view{file.content}.substr(at, file.piece)));
    if (file.piece > 0) out += "</pieces>";
    for (std::size_t n = file.urls.size(); n > 0; --n)  // The best comes last.
      out += fmt::format(R"(<url priority="{}">{}</url>)", n, escaped(file.urls[n - 1]));
    out += "</file>";
  }
  return out + "</metalink>";
}

}  // namespace haul::testing
