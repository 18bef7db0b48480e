// `haul trash`: lists removed downloads, restores or deletes them.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/draw/bytes.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"
#include "cli/remote/json_body.h"

namespace haul::cli {
namespace {

constexpr const char* kTrash = "/api/v1/trash";
constexpr int kTurnsMax = 10'000;  // The daemon deletes a bounded number of files at a time.

std::string body_of(const TrashOptions& options) {
  JsonBody body;
  if (options.job > 0) body.json("job", std::to_string(options.job));
  body.text("path", options.path).text("older_than", options.older_than);
  return body.str();
}

std::string files_text(std::int64_t files) {
  return files == 1 ? "1 file" : count_text(files) + " files";
}

// Prints why files stay, or why some are not listed. The exit code: 1 if there are any.
int tell_kept(const std::vector<std::string>& kept, Remote remote) {
  for (const std::string& why : kept) remote.terminal.err << "haul: " << printable(why) << "\n";
  return kept.empty() ? 0 : 1;
}

int list_trash(const TrashOptions& options, Remote remote) {
  const Walk what{.path = kTrash, .page = options.page, .items = "entries"};
  if (remote.is_json()) return print_list(remote, what);
  Table table{{{.title = "JOB", .align = Align::right, .least = 3},
               {.title = "SIZE", .align = Align::right, .least = 8},
               {.title = "TRASHED", .least = 19, .spare = 2},
               {.title = "STAYS UNTIL", .least = 19, .spare = 1},
               {.title = "FILE", .least = 12}},
              remote.columns,
              remote.colour};
  bool any = false;
  int code = 0;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items)
      if (const auto entry = JsonView::read(item))
        table.add({{entry->text("job")},
                   {bytes_text(entry->number("size").value_or(0))},
                   {time_of(*entry, "trashed_at"), Ink::dim},
                   {time_of(*entry, "leaves_at"), Ink::dim},
                   {entry->text("path")}});
    any = any || !page.items.empty();
    if (!page.items.empty()) remote.terminal.out << table.text();
    if (tell_kept(page.problems, remote) != 0) code = 1;
  });
  if (!next) return tell(next.error(), remote);
  if (!next->empty())
    remote.terminal.out << "There are more: --all shows them\n";
  else if (!any && code == 0)
    remote.terminal.out << "The trash is empty.\n";
  return code;
}

int restore_trash(const TrashOptions& options, Remote remote) {
  const auto answer = ask(remote, ApiRequest{.method = "POST",
                                             .path = std::string{kTrash} + "/restore",
                                             .body = body_of(options)});
  if (!answer) return tell(answer.error(), remote);
  const JsonView reply = JsonView::read(answer->body).value_or(JsonView{});
  const std::vector<std::string> kept = reply.list("kept");
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return kept.empty() ? 0 : 1;
  }
  for (const std::string& path : reply.list("restored"))
    remote.terminal.out << "Restored " << printable(path) << "\n";
  return tell_kept(kept, remote);
}

struct TrashTurns {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::vector<std::string> kept{};  // Of the last turn, which names all that are left.
  bool more = false;
};

// Asks until nothing is left that can be deleted.
OrFailure<TrashTurns> empty_all(const TrashOptions& options, Remote remote) {
  TrashTurns all;
  for (int turn = 0; turn < kTurnsMax; ++turn) {
    const auto answer = ask(remote, ApiRequest{.method = "POST",
                                               .path = std::string{kTrash} + "/empty",
                                               .body = body_of(options)});
    if (!answer) return std::unexpected{answer.error()};
    const JsonView reply = JsonView::read(answer->body).value_or(JsonView{});
    const std::int64_t files = reply.number("files").value_or(0);
    all.files += files;
    all.bytes += reply.number("bytes").value_or(0);
    all.kept = reply.list("kept");
    all.more = reply.flag("more");
    if (!all.more || files == 0) break;
  }
  return all;
}

int empty_trash(const TrashOptions& options, Remote remote) {
  const auto all = empty_all(options, remote);
  if (!all) return tell(all.error(), remote);
  if (remote.is_json()) {
    std::string kept;
    for (const std::string& why : all->kept) kept += (kept.empty() ? "" : ",") + json_quoted(why);
    remote.terminal.out << safe_json(
                               fmt::format(R"({{"files":{},"bytes":{},"kept":[{}],"more":{}}})",
                                           all->files, all->bytes, kept, all->more))
                        << "\n";
    return all->kept.empty() ? 0 : 1;
  }
  remote.terminal.out << fmt::format("Deleted {}, {}\n", files_text(all->files),
                                     bytes_text(all->bytes));
  return tell_kept(all->kept, remote);
}

}  // namespace

int run_trash(const TrashOptions& options, Remote remote) {
  switch (options.act) {
    case TrashAct::list:
      return list_trash(options, remote);
    case TrashAct::restore:
      return restore_trash(options, remote);
    case TrashAct::empty:
      return empty_trash(options, remote);
  }
  return 2;
}

}  // namespace haul::cli
