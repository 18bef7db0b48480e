#include "cli/remote/answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"

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

std::string page_path(const Walk& what, const std::string& cursor) {
  const int limit = what.page.all ? kPageMax : what.page.limit.value_or(what.default_limit);
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
  const int pages_max = what.page.all ? kPagesMax : kEmptyPagesMax;
  for (int pages = 0; pages < pages_max; ++pages) {
    const auto answer = ask(remote, page_path(what, cursor));
    if (!answer) return std::unexpected{answer.error()};
    const auto list = read_list(answer->body, what.items);
    if (!list) return std::unexpected{failure_of(list.error(), remote.client)};
    each(*list);
    // If the cursor does not move, stop instead of asking forever.
    if (list->next.empty() || list->next == cursor) return list->next;
    if (!what.page.all && !list->items.empty()) return list->next;
    cursor = list->next;
  }
  return cursor;
}

namespace {

// The first page that has something, as the daemon sent it.
int print_page(Remote remote, const Walk& what) {
  std::string cursor;
  for (int pages = 1;; ++pages) {
    const auto answer = ask(remote, page_path(what, cursor));
    if (!answer) return tell(answer.error(), remote);
    const auto list = read_list(answer->body, what.items);
    const bool goes_on = list && list->items.empty() && !list->next.empty() &&
                         list->next != cursor && pages < kEmptyPagesMax;
    if (!goes_on) {
      remote.terminal.out << safe_json(answer->body) << "\n";
      return 0;
    }
    cursor = list->next;
  }
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
