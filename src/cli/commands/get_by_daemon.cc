// `haul get --daemon`: adds the request as a batch job of the daemon and follows it to its end.

#include <fmt/core.h>

#include <istream>
#include <ostream>

#include "base/json.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

// The error for an option that a job cannot have. Empty: there is none.
std::string wrong_for_daemon(const GetOptions& options) {
  constexpr const char* kSetting = "{} is a setting of the daemon ({}); leave it out with --daemon";
  if (options.keep_free) return fmt::format(kSetting, "--keep-free", "transfer.keep_free");
  if (options.max_unknown_size)
    return fmt::format(kSetting, "--max-unknown-size", "transfer.max_size");
  if (options.discard) return "--discard is for haul get without --daemon: use haul cancel";
  if (!options.more.replaces.empty())
    return "--replace-url is for haul get without --daemon: use haul replace-url JOB ITEM URL";
  if (options.clean) return "--clean is for haul get without --daemon";
  const auto here = [](const char* option) {
    return fmt::format("{} works only without --daemon", option);
  };
  const GetMore& more = options.more;
  if (options.name == "-") return here("-o -");
  if (more.stream) return here("--stream");
  if (more.dry_run) return here("--dry-run");
  if (more.quiet) return here("-q");
  if (more.verbose) return here("-v");
  if (!more.log.empty()) return here("--log");
  if (!more.save_failed.empty()) return here("--save-failed");
  if (more.at_once) return here("-j");
  if (!more.browser.empty()) return here("--cookies-from-browser");
  return {};
}

// The daemon downloads into its own folder. -d names a folder inside it; without -d the request
// names none.
Result<std::string> with_folder(const std::string& request, const std::filesystem::path& given) {
  const auto fields = read_object(request);
  if (!fields) return std::unexpected{fields.error()};
  std::string out;
  const auto add = [&out](const std::string& name, const std::string& json) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(name), json);
  };
  for (const JsonField& field : *fields)
    if (field.name != "folder") add(field.name, field.json);
  if (const std::string folder = given.string(); folder != ".") add("folder", json_quoted(folder));
  return "{" + out + "}";
}

}  // namespace

int run_get_by_daemon(const GetOptions& given, std::istream& standard_input, Remote remote,
                      Screen& screen) {
  if (const std::string why = wrong_for_daemon(given); !why.empty())
    return tell(wrong_usage(why), remote);
  auto settled_options = settled(given);
  if (settled_options) settled_options = with_metalinks(*std::move(settled_options));
  if (!settled_options) return tell(wrong_usage(settled_options.error().detail), remote);
  const GetOptions& options = *settled_options;
  const auto asked = to_request(options, GetBy::daemon, standard_input);
  if (!asked) return tell(wrong_usage(asked.error().detail), remote);
  const auto request = with_folder(asked->request, options.folder);
  if (!request) return tell(wrong_usage(request.error().detail), remote);
  std::string body = fmt::format(R"({{"lifecycle":"batch","request":{})", *request);
  if (!options.more.not_before.empty())
    body += fmt::format(R"(,"not_before":{})", json_quoted(options.more.not_before));
  auto answer =
      ask(remote, ApiRequest{.method = "POST", .path = "/api/v1/jobs", .body = body + "}"});
  if (!answer) {
    answer.error().line = in_words_of_get(*asked, answer.error().line);
    return tell(answer.error(), remote);
  }
  const auto job = JsonView::read(answer->body);
  const auto id = job ? job->number("id") : std::nullopt;
  if (!id) return tell(failure_of(*answer, remote.client), remote);
  return run_watch({.id = id}, remote, options.around, screen);
}

}  // namespace haul::cli
