// The options of `haul get` as the rest of it needs them, and the lines of --dry-run.

#include <fmt/core.h>

#include <utility>

#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "cli/commands/get.h"
#include "cli/draw/bytes.h"

namespace haul::cli {

Result<GetOptions> settled(GetOptions options) {
  options.urls.insert(options.urls.end(), options.more.urls.begin(), options.more.urls.end());
  if (!options.name.empty() && options.name != "-") {
    auto output = split_output(options.folder, options.name);
    if (!output) return std::unexpected{output.error()};
    options.folder = std::move(output->folder);
    options.name = std::move(output->name);
  }
  if (!options.more.referer.empty()) options.headers.push_back("Referer: " + options.more.referer);
  std::error_code ignored;
  // As in curl, a text with "=" is the cookies themselves.
  if (options.cookies.find('=') != std::string::npos &&
      !std::filesystem::exists(options.cookies, ignored))
    options.headers.push_back("Cookie: " + std::exchange(options.cookies, {}));
  return options;
}

std::string plan_line(const GetPlanned& file, LineForm form) {
  if (form == LineForm::json)
    return fmt::format(R"({{"type":"plan","url":{},"path":{},"size_bytes":{},"reason":{}}})",
                       json_quoted(redacted(file.url)), json_quoted(file.path),
                       file.size ? std::to_string(*file.size) : "null",
                       file.reason.empty() ? "null" : json_quoted(file.reason));
  const std::string size = file.size ? bytes_text(*file.size) : "unknown size";
  if (!file.reason.empty())
    return fmt::format("{}  {}", printable(redacted(file.url)), printable(file.reason));
  return fmt::format("{} -> {}, {}", printable(redacted(file.url)), printable(file.path), size);
}

}  // namespace haul::cli
