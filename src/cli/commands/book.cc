// `haul book`: lists books, shows or adds one.

#include <fmt/core.h>

#include <ostream>

#include "base/json.h"
#include "cli/draw/bytes.h"
#include "cli/draw/job_lines.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

constexpr const char* kBooks = "/api/v1/books";

std::string book_path(const std::string& id) { return kBooks + ("/" + url_encoded(id)); }

std::string list_path(const BookOptions& options) {
  std::string query;
  const auto filter = [&query](std::string_view name, const std::string& value) {
    if (!value.empty())
      query += fmt::format("{}{}={}", query.empty() ? '?' : '&', name, url_encoded(value));
  };
  filter("shelf", options.shelf);
  filter("q", options.search);
  return kBooks + query;
}

std::vector<JsonView> views(const std::vector<std::string>& items) {
  std::vector<JsonView> out;
  for (const std::string& item : items)
    if (const auto view = JsonView::read(item)) out.push_back(*view);
  return out;
}

Ink shelf_ink(const std::string& shelf) { return shelf == "library" ? Ink::green : Ink::dim; }

Ink status_ink(const std::string& status) {
  if (status == "available") return Ink::green;
  return status == "missing" ? Ink::red : Ink::dim;
}

// "audio, text missing": the book's assets, with the status of those not available.
std::string holdings(const JsonView& book) {
  std::string out;
  for (const JsonView& asset : views(book.list("assets"))) {
    const std::string status = asset.text("status");
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", asset.text("media_type"),
                       status == "available" ? "" : " " + status);
  }
  return out;
}

// "text queued, audio downloading 58% of 1.2 GiB": the book's open jobs.
std::string arrivals(const JsonView& book) {
  std::string out;
  for (const JsonView& job : views(book.list("open_jobs"))) {
    const std::string progress = progress_of(job);
    out += fmt::format("{}{} {}{}{}", out.empty() ? "" : ", ",
                       job.object("request").text("media_type"), state_of(job),
                       progress.empty() ? "" : " ", progress);
  }
  return out;
}

int list_books(const BookOptions& options, Remote remote) {
  const Walk what{.path = list_path(options), .page = options.page};
  if (remote.is_json()) return print_list(remote, what);
  Table table{{{.title = "ID", .least = 8},
               {.title = "SHELF", .least = 7},
               {.title = "TITLE", .least = 12},
               {.title = "FILES", .least = 6, .spare = 1},
               {.title = "OPEN JOBS", .least = 10, .spare = 2}},
              remote.columns,
              remote.colour};
  ShownItems listed;
  const auto next = walk(remote, what, [&](const ListView& page) {
    for (const JsonView& book : views(page.items)) {
      const std::string shelf = book.text("shelf");
      table.add({{book.text("id")},
                 {shelf, shelf_ink(shelf)},
                 {book.text("title")},
                 {holdings(book)},
                 {arrivals(book), Ink::cyan}});
    }
    listed.add(page);
    if (!page.items.empty()) remote.terminal.out << table.text();
  });
  if (!next) return tell(next.error(), remote);
  if (!next->empty())
    remote.terminal.out << more_line(what, listed, "books");
  else if (listed.shown == 0)
    remote.terminal.out << "No books found.\n";
  return 0;
}

int add_book(const BookOptions& options, Remote remote) {
  std::string body = "\"id\":" + json_quoted(options.id);
  if (!options.title.empty()) body += ",\"title\":" + json_quoted(options.title);
  const auto answer =
      ask(remote, ApiRequest{.method = "POST", .path = kBooks, .body = "{" + body + "}"});
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const JsonView book = JsonView::read(answer->body).value_or(JsonView{});
  remote.terminal.out << cell_text(fmt::format(
                             "Book {} ({}) {} in the {}", book.text("id"), book.text("title"),
                             answer->status == 201 ? "is new," : "already exists,",
                             book.text("shelf")))
                      << "\n";
  return 0;
}

std::string assets_text(const JsonView& book, Remote remote) {
  Table table{{{.title = "TYPE", .least = 5},
               {.title = "STATUS", .least = 9},
               {.title = "SIZE", .align = Align::right, .least = 8, .spare = 1},
               {.title = "SINCE", .least = 19, .spare = 2},
               {.title = "FILE", .least = 12},
               {.title = "FROM", .least = 12, .spare = 3}},
              remote.columns,
              remote.colour};
  const std::vector<JsonView> assets = views(book.list("assets"));
  for (const JsonView& asset : assets) {
    const std::string status = asset.text("status");
    const auto size = asset.number("size");
    const bool is_gone = !asset.text("removed_at").empty();
    table.add({{asset.text("media_type")},
               {status, status_ink(status)},
               {size ? bytes_text(*size) : ""},
               {time_of(asset, is_gone ? "removed_at" : "created_at"), Ink::dim},
               {asset.text("path")},
               {asset.text("source_url"), Ink::dim}});
  }
  return assets.empty() ? "" : "\n" + table.text();
}

std::string jobs_text(const JsonView& book, Remote remote) {
  Table table = jobs_table(remote);
  const std::vector<JsonView> jobs = views(book.list("jobs"));
  for (const JsonView& job : jobs) add_job(table, job);
  return jobs.empty() ? "" : "\n" + table.text();
}

int show_book(const BookOptions& options, Remote remote) {
  const auto answer = ask(remote, book_path(options.id));
  if (!answer) return tell(answer.error(), remote);
  if (remote.is_json()) {
    remote.terminal.out << safe_json(answer->body) << "\n";
    return 0;
  }
  const JsonView book = JsonView::read(answer->body).value_or(JsonView{});
  const std::string shelf = book.text("shelf");
  remote.terminal.out << fact_lines({{"book", book.text("id")},
                                     {"title", book.text("title")},
                                     {"shelf", shelf, shelf_ink(shelf)}},
                                    remote.colour)
                      << assets_text(book, remote) << jobs_text(book, remote);
  return 0;
}

}  // namespace

int run_book(const BookOptions& options, Remote remote) {
  switch (options.act) {
    case BookAct::list:
      return list_books(options, remote);
    case BookAct::add:
      return add_book(options, remote);
    case BookAct::show:
      return show_book(options, remote);
  }
  return 2;
}

}  // namespace haul::cli
