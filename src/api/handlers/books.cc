// Handlers for books, their shelves and assets. All users who may read see the shelves. Only the
// owner and operators see who fetched a book, from where, and where the file lies.

#include <fmt/core.h>

#include "api/handlers/ask.h"
#include "api/handlers/handlers.h"
#include "api/handlers/views.h"
#include "api/json/book_json.h"
#include "flow/request.h"

namespace haul {
namespace {

constexpr std::size_t kOpenMax = 20;  // Open jobs shown with a book.
constexpr std::size_t kHistory = 20;  // Jobs shown with a single book; its jobs route lists all.

std::vector<std::string> forms(const ApiParts& parts, const Call& call,
                               const std::vector<JobId>& ids) {
  std::vector<std::string> items;
  const std::vector<Loaded> jobs = parts.store.reader().load(ids);
  items.reserve(jobs.size());
  for (const Loaded& job : jobs)
    items.push_back(to_json(view_of(parts, job, call.now, call.who.user.id)));
  return items;
}

std::string form(const Asset& asset, const Who& who) {
  if (who.user.id == asset.owner) return to_json(asset, AssetView::of_owner);
  return to_json(asset, who.scope() ? AssetView::of_another : AssetView::of_operator);
}

std::string members(const ApiParts& parts, const Call& call, const Book& book) {
  BookView view{.book = book, .assets = {}, .open_jobs = {}};
  for (const Asset& asset : parts.store.catalog().assets_of(book.id))
    view.assets.push_back(form(asset, call.who));
  view.open_jobs = forms(parts, call,
                         parts.store.catalog().jobs_of({.book = book.id,
                                                        .owner = call.who.scope(),
                                                        .before = {},
                                                        .open_only = true,
                                                        .limit = kOpenMax}));
  return members_of(view);
}

std::expected<Book, ApiError> book_in_path(const ApiParts& parts, const Call& call) {
  const auto book = parts.store.catalog().book(call.words.front());
  if (!book) return std::unexpected{ApiError{404, "no_such_book", "there is no such book"}};
  return *book;
}

}  // namespace

namespace handle {

ApiReply list_books(const ApiParts& parts, const Call& call) {
  const WebRequest& request = call.request;
  if (auto error = check_query(request, {"shelf", "q", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto limit = read_limit(request);
  if (!limit) return std::unexpected{limit.error()};
  const std::string shelf{request.query("shelf")};
  if (!shelf.empty() && shelf != "archive" && shelf != "library")
    return std::unexpected{wrong_field("shelf", "archive or library is wanted")};
  const BookPage page = parts.store.catalog().books({.shelf = shelf,
                                                     .q = std::string{request.query("q")},
                                                     .after = std::string{request.query("cursor")},
                                                     .limit = *limit});
  std::vector<std::string> items;
  items.reserve(page.books.size());
  for (const Book& book : page.books) items.push_back("{" + members(parts, call, book) + "}");
  return list_reply(items, page.next);
}

ApiReply show_book(const ApiParts& parts, const Call& call) {
  const auto book = book_in_path(parts, call);
  if (!book) return std::unexpected{book.error()};
  std::string jobs;
  for (const std::string& job :
       forms(parts, call,
             parts.store.catalog().jobs_of(
                 {.book = book->id, .owner = call.who.scope(), .before = {}, .limit = kHistory})))
    jobs += (jobs.empty() ? "" : ",") + job;
  return json_reply(200, fmt::format("{{{},\"jobs\":[{}]}}", members(parts, call, *book), jobs));
}

ApiReply list_book_jobs(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"limit", "cursor"})) return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const auto book = book_in_path(parts, call);
  if (!book) return std::unexpected{book.error()};
  const std::vector<JobId> ids = parts.store.catalog().jobs_of({.book = book->id,
                                                                .owner = call.who.scope(),
                                                                .before = JobId{page->cursor},
                                                                .limit = page->limit});
  return list_reply(forms(parts, call, ids), ids.size() == page->limit ? ids.back().value : 0);
}

ApiReply add_book(const ApiParts& parts, const Call& call) {
  const auto body = Body::read(call.request.body, {"id", "title"});
  if (!body) return std::unexpected{body.error()};
  const auto id = body->text("id");
  const auto title = body->text("title");
  for (const auto* field : {&id, &title})
    if (!*field) return std::unexpected{field->error()};
  if (const std::string why = wrong_with_book_id(*id); !why.empty())
    return std::unexpected{wrong_field("id", why)};
  if (const std::string why = wrong_with_title(*title); !why.empty())
    return std::unexpected{wrong_field("title", why)};
  const Ensured made = parts.store.catalog().ensure_book(*id, *title);
  return json_reply(made.is_new ? 201 : 200, "{" + members(parts, call, made.book) + "}");
}

ApiReply list_assets(const ApiParts& parts, const Call& call) {
  if (auto error = check_query(call.request, {"status", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::string status{call.request.query("status")};
  if (!status.empty() && status != "available" && status != "deleted" && status != "missing")
    return std::unexpected{wrong_field("status", "available, deleted or missing is wanted")};
  const std::vector<Asset> assets = parts.store.catalog().assets({.owner = call.who.scope(),
                                                                  .status = status,
                                                                  .after = FileId{page->cursor},
                                                                  .limit = page->limit});
  std::vector<std::string> items;
  items.reserve(assets.size());
  for (const Asset& asset : assets) items.push_back(form(asset, call.who));
  return list_reply(items, assets.size() == page->limit ? assets.back().id.value : 0);
}

}  // namespace handle
}  // namespace haul
