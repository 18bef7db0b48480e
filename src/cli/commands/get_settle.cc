// The options of `haul get` as the rest of it needs them, and the lines of --dry-run.

#include <fmt/core.h>

#include <utility>

#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "base/url.h"
#include "cli/commands/get.h"
#include "cli/draw/bytes.h"

namespace haul::cli {

namespace {

// What --replace-url cannot go with. Empty: nothing.
std::string wrong_with_replaced(const GetOptions& options) {
  const GetMore& more = options.more;
  if (more.replaces.empty()) return {};
  if (!parse_url(more.replaces)) return "the expired link is no http or https URL";
  if (options.urls.size() != 1) return "expected one URL, the new link: --replace-url OLD NEW";
  if (!options.input.empty()) return "not with -i";
  if (more.metalink) return "not with a Metalink";
  if (options.discover) return "not with --discover";
  if (options.name == "-") return "not with -o -";
  if (more.dry_run) return "not with --dry-run";
  if (more.compressed) return "not with --compressed, whose bytes cannot be resumed";
  if (options.engine != "auto" && options.engine != "http") return "is for the http engine";
  return {};
}

}  // namespace

Result<GetOptions> settled(GetOptions options) {
  options.urls.insert(options.urls.end(), options.more.urls.begin(), options.more.urls.end());
  if (const std::string why = wrong_with_replaced(options); !why.empty())
    return std::unexpected{
        Fault{FaultKind::rejected, "bad_usage", fmt::format("--replace-url: {}", why)}};
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
