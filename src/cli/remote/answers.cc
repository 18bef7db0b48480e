#include "cli/remote/answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <vector>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/draw/bytes.h"

namespace haul::cli {
namespace {

constexpr int kPagesMax = 100'000;
constexpr int kPageMax = 100;  // The daemon's limit.

std::string body_of(const std::string& code, const std::string& detail) {
  return fmt::format(R"({{"code":{},"detail":{}}})", json_quoted(code), json_quoted(detail));
}

Failure made(const std::string& code, const std::string& detail) {
  return {.line = fmt::format("{} ({})", printable(detail), printable(code)),
          .json = body_of(code, detail)};
}

std::string unauthorised(const ApiClient& client) {
  const std::string from = client.key_from();
  if (from.empty())
    return "the daemon requires a key: set HAUL_KEY, or give the daemon's data folder with --data";
  return fmt::format("the daemon at {} does not accept the key in {}", client.address(), from);
}

// "possible now: cancel, pause".
std::string possible(const JsonView& error) {
  if (error.json("allowed").empty()) return {};
  std::string words;
  for (const std::string& move : error.list("allowed"))
    words += (words.empty() ? "" : ", ") + printable(move);
  return words.empty() ? "; no action is possible now" : "; possible now: " + words;
}

// "; url: required", unless the detail says so already.
std::string wrong_fields(const JsonView& error) {
  const JsonView fields = error.object("fields");
  const std::string detail = error.text("detail");
  std::string words;
  for (const std::string& name : fields.names())
    if (detail.find(fields.text(name)) == std::string::npos)
      words += fmt::format("; {}: {}", printable(name), printable(fields.text(name)));
  return words;
}

int limit_of(const Walk& what) {
  return what.page.all ? kPageMax : what.page.limit.value_or(what.default_limit);
}

// A page after a short one asks only for what is still missing.
std::string page_path(const Walk& what, const std::string& cursor, std::int64_t shown) {
  const std::int64_t limit = what.page.all ? kPageMax : limit_of(what) - shown;
  const char first = what.path.find('?') == std::string::npos ? '?' : '&';
  std::string path = fmt::format("{}{}limit={}", what.path, first, limit);
  if (!cursor.empty()) path += fmt::format("&{}={}", what.cursor, url_encoded(cursor));
  return path;
}

}  // namespace

Failure failure_of(const Fault& fault, const ApiClient& client) {
  if (fault.code != "cannot_connect") {
    return made(fault.code, fmt::format("{}: {}", client.address(), fault.detail));
  }
  return made(
      fault.code,
      fmt::format("no daemon answers at {}; start one with haul serve, or set HAUL_URL to its URL",
                  client.address()));
}

Failure failure_of(const ApiAnswer& answer, const ApiClient& client) {
  const auto error = JsonView::read(answer.body);
  if (!error || error->text("code").empty())
    return made("bad_answer",
                fmt::format("{} answers {} without haul's JSON; is it another server?",
                            client.address(), answer.status));
  const std::string detail = answer.status == 401 ? unauthorised(client) : error->text("detail");
  return {.line = fmt::format("{} ({}){}{}", printable(detail), printable(error->text("code")),
                              possible(*error), wrong_fields(*error)),
          .json = answer.body};
}

Failure wrong_usage(const std::string& detail) {
  return {.line = printable(detail), .json = body_of("bad_usage", detail), .exit_code = 2};
}

OrFailure<ApiAnswer> ask(Remote remote, const ApiRequest& what) {
  auto answer = remote.client.ask(what);
  if (!answer) return std::unexpected{failure_of(answer.error(), remote.client)};
  if (!answer->is_good()) return std::unexpected{failure_of(*answer, remote.client)};
  return *std::move(answer);
}

OrFailure<ApiAnswer> ask(Remote remote, const std::string& path) {
  return ask(remote, ApiRequest{.path = path});
}

OrFailure<JsonView> ask_object(Remote remote, const std::string& path) {
  const auto answer = ask(remote, path);
  if (!answer) return std::unexpected{answer.error()};
  auto view = JsonView::read(answer->body);
  if (!view) return std::unexpected{failure_of(view.error(), remote.client)};
  return *std::move(view);
}

int tell(const Failure& failure, Remote remote, std::string_view about) {
  if (remote.is_json())
    remote.terminal.out << safe_json(failure.json) << "\n";
  else
    remote.terminal.err << "haul: " << about << failure.line << "\n";
  return failure.exit_code;
}

std::string url_encoded(std::string_view text) { return percent_encoded(text); }

std::string job_path(std::int64_t id, std::string_view rest) {
  return fmt::format("/api/v1/jobs/{}{}", id, rest);
}

OrFailure<std::string> walk(Remote remote, const Walk& what, const OnPage& each) {
  std::string cursor;
  ShownItems listed;
  const int pages_max = what.page.all ? kPagesMax : kSearchPagesMax;
  for (int pages = 0; pages < pages_max; ++pages) {
    const auto answer = ask(remote, page_path(what, cursor, listed.shown));
    if (!answer) return std::unexpected{answer.error()};
    const auto list = read_list(answer->body, what.items);
    if (!list) return std::unexpected{failure_of(list.error(), remote.client)};
    each(*list);
    listed.add(*list);
    // If the cursor does not move, stop instead of asking forever.
    if (list->next.empty() || list->next == cursor) return list->next;
    if (!what.page.all && listed.shown >= limit_of(what)) return list->next;
    cursor = list->next;
  }
  return cursor;
}

void ShownItems::add(const ListView& page) {
  shown += std::ssize(page.items);
  searched += page.searched;
}

std::string more_line(const Walk& what, const ShownItems& listed, std::string_view things) {
  if (!what.page.all && listed.shown < limit_of(what)) {  // walk() has stopped at its bound.
    const std::string found = listed.shown == 0 ? "none" : std::to_string(listed.shown);
    if (listed.searched == 0) return fmt::format("Found {} so far: --all goes on\n", found);
    return fmt::format("Searched {} {} so far and found {}: --all searches on\n",
                       count_text(listed.searched), things, found);
  }
  // A full page of a search has a next page wherever there are rows that were not searched yet.
  return listed.searched > 0 ? "There may be more: --all searches on\n"
                             : "There are more: --all shows them\n";
}

namespace {

// Several pages as one, in the daemon's shape.
std::string joined(const Walk& what, const std::vector<ListView>& pages) {
  std::string items;
  std::string problems;
  ShownItems listed;
  for (const ListView& page : pages) {
    for (const std::string& item : page.items) items += (items.empty() ? "" : ",") + item;
    for (const std::string& problem : page.problems)
      problems += (problems.empty() ? "" : ",") + json_quoted(problem);
    listed.add(page);
  }
  const std::string& next = pages.back().next;
  std::string body = fmt::format(R"({{"{}":[{}],"next":{})", what.items, items,
                                 next.empty() ? "null" : json_quoted(next));
  if (!problems.empty()) body += fmt::format(R"(,"problems":[{}])", problems);
  if (listed.searched > 0) body += fmt::format(R"(,"searched":{})", listed.searched);
  return body + "}";
}

// As many as the options ask for. A single page is printed as the daemon sent it.
int print_page(Remote remote, const Walk& what) {
  std::vector<ListView> pages;
  const auto next = walk(remote, what, [&pages](const ListView& page) { pages.push_back(page); });
  if (!next) return tell(next.error(), remote);
  remote.terminal.out << safe_json(pages.size() == 1 ? pages.front().body : joined(what, pages))
                      << "\n";
  return 0;
}

}  // namespace

int print_list(Remote remote, const Walk& what) {
  if (!what.page.all) return print_page(remote, what);
  std::ostream& out = remote.terminal.out;
  bool begun = false;
  const std::string open = fmt::format("{{\"{}\":[", what.items);
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const std::string& item : page.items) {
      out << (begun ? ",\n" : open) << safe_json(item);
      begun = true;
    }
  });
  // A list that broke off must not look complete.
  if (!next) {
    out << (begun ? "\n" : "");
    return tell(next.error(), remote);
  }
  out << (begun ? "" : open) << "],\"next\":null}\n";
  return 0;
}

}  // namespace haul::cli
