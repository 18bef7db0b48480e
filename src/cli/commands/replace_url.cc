// `haul replace-url`: another link for a file of a job whose own link has expired.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "base/redact.h"
#include "base/request_value.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

// The number of the item. Its URL is looked for among those that have not landed.
OrFailure<std::int64_t> number_of(const LinkOptions& options, Remote remote) {
  if (const auto number = read_whole(options.item)) return *number;
  std::optional<std::int64_t> found;
  const auto walked = walk(remote, {.path = job_path(options.id, "/items"), .page = {.all = true}},
                           [&](const ListView& page) {
                             for (const std::string& json : page.items) {
                               const auto item = JsonView::read(json);
                               if (item && !found && item->text("url") == options.item)
                                 found = item->number("n");
                             }
                           });
  if (!walked) return std::unexpected{walked.error()};
  if (found) return *found;
  return std::unexpected{
      wrong_usage(fmt::format("ITEM: job {} has no item with the URL {}; haul show {} lists them, "
                              "and their numbers do, too",
                              options.id, redacted(options.item), options.id))};
}

}  // namespace

int run_replace_url(const LinkOptions& options, Remote remote) {
  const auto item = number_of(options, remote);
  if (!item) return tell(item.error(), remote);
  const auto answer =
      ask(remote, {.method = "POST",
                   .path = job_path(options.id, fmt::format("/items/{}/url", *item)),
                   .body = fmt::format(R"({{"url":{}}})", json_quoted(options.url))});
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const auto job = JsonView::read(answer->body);
  const auto id = job ? job->number("id") : std::nullopt;
  if (!id) return tell(failure_of(*answer, remote.client), remote);
  remote.terminal.out << fmt::format("Job {} fetches item {} from the new link: haul watch {}\n",
                                     *id, *item, *id);
  return 0;
}

}  // namespace haul::cli
