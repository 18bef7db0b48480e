// `haul get --clean`.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/commands/get.h"
#include "cli/draw/bytes.h"

namespace haul::cli {
namespace {

std::string json_of(const std::vector<LeftPart>& parts) {
  std::string list;
  for (const LeftPart& part : parts)
    list += fmt::format(R"({}{{"name":{},"size_bytes":{}}})", list.empty() ? "" : ",",
                        json_quoted(part.name), part.size);
  return "[" + list + "]";
}

void print(const CleanedFolder& cleaned, Terminal terminal) {
  for (const LeftPart& part : cleaned.removed)
    terminal.out << fmt::format("removed {}  {}\n", printable(part.name), bytes_text(part.size));
  for (const LeftPart& part : cleaned.others)
    terminal.out << fmt::format("kept    {}  {}  (another haul's, such as the daemon's)\n",
                                printable(part.name), bytes_text(part.size));
  if (cleaned.removed.empty()) terminal.out << "No partial files of haul get here\n";
}

}  // namespace

int run_get_clean(const GetOptions& options, const CleanGet& clean, Terminal terminal) {
  if (!options.urls.empty() || !options.input.empty()) {
    terminal.err << "haul: --clean takes no URLs: it removes the partial files of -d\n";
    return 2;
  }
  const auto cleaned =
      clean({.folder = std::filesystem::absolute(options.folder).lexically_normal(),
             .state = options.state});
  if (!cleaned) {
    terminal.err << "haul: " << printable(cleaned.error().detail) << "\n";
    return 1;
  }
  if (options.json)
    terminal.out << fmt::format("{{\"removed\":{},\"others\":{}}}\n", json_of(cleaned->removed),
                                json_of(cleaned->others));
  else
    print(*cleaned, terminal);
  return 0;
}

}  // namespace haul::cli
