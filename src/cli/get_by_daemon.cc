// `haul get --daemon`: adds the request as a batch job of the daemon and follows it to its end.

#include <fmt/core.h>

#include <istream>
#include <ostream>

#include "base/json.h"
#include "cli/answers.h"

namespace haul {
namespace {

// The daemon has its own folder. Files go there by default; -d names a folder inside it.
Result<std::string> request_for_daemon(const GetOptions& options, std::istream& standard_input) {
  const auto request = to_request(options, standard_input);
  if (!request) return request;
  const auto fields = read_object(*request);
  if (!fields) return std::unexpected{fields.error()};
  std::string out;
  const auto add = [&out](const std::string& name, const std::string& json) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(name), json);
  };
  for (const JsonField& field : *fields)
    if (field.name != "folder") add(field.name, field.json);
  if (const std::string folder = options.folder.string(); folder != ".")
    add("folder", json_quoted(folder));
  return "{" + out + "}";
}

}  // namespace

int run_get_by_daemon(const GetOptions& options, std::istream& standard_input, Remote remote,
                      Screen& screen) {
  const auto request = request_for_daemon(options, standard_input);
  if (!request) return tell(wrong_usage(request.error().detail), remote);
  const auto answer =
      ask(remote, ApiAsk{.method = "POST",
                         .path = "/api/v1/jobs",
                         .body = fmt::format(R"({{"lifecycle":"batch","request":{}}})", *request)});
  if (!answer) return tell(answer.error(), remote);
  const auto job = JsonView::read(answer->body);
  const auto id = job ? job->number("id") : std::nullopt;
  if (!id) return tell(failure_of(*answer, remote.client), remote);
  return run_watch({.id = id}, remote, options.around, screen);
}

}  // namespace haul
