// Handlers for books, their shelves and assets. All users who may read see the shelves. Only the
// owner and operators see who downloaded a book, from where, and where the file is.

#include <fmt/core.h>

#include <map>
#include <span>
#include <utility>

#include "api/handlers/handlers.h"
#include "api/handlers/job_view.h"
#include "api/handlers/read_request.h"
#include "api/json/book_json.h"
#include "lifecycle/request_values.h"

namespace haul::api {
namespace {

constexpr std::size_t kOpenMax = 20;       // Open jobs shown with a book.
constexpr std::size_t kAssetPage = 1'000;  // Assets of a job that the store gives at once.
constexpr std::size_t kHistory = 20;  // Jobs shown with a single book; its jobs route lists all.

std::vector<std::string> forms(const ApiParts& parts, const Call& call,
                               const std::vector<JobId>& ids) {
  std::vector<std::string> items;
  items.reserve(ids.size());
  for (const JobView& view :
       views_of(parts, parts.store.reader().load(ids), call.now, call.who.user.id))
    items.push_back(to_json(view));
  return items;
}

std::string form(const Asset& asset, const Who& who) {
  if (who.user.id == asset.owner) return to_json(asset, AssetView::of_owner);
  return to_json(asset, who.scope() ? AssetView::of_another : AssetView::of_operator);
}

// The newest open jobs of each book as JSON, in the order of `books`.
std::vector<std::vector<std::string>> open_jobs(const ApiParts& parts, const Call& call,
                                                std::span<const Book> books) {
  std::vector<BookJobs> which;
  which.reserve(books.size());
  for (const Book& book : books)
    which.push_back({.book = book.id,
                     .owner = call.who.scope(),
                     .before = {},
                     .open_only = true,
                     .limit = kOpenMax});
  const std::vector<std::vector<JobId>> ids = parts.store.catalog().jobs_of(which);
  std::vector<JobId> all;
  for (const std::vector<JobId>& some : ids) all.insert(all.end(), some.begin(), some.end());
  std::map<JobId, std::string> found;
  for (const JobView& view :
       views_of(parts, parts.store.reader().load(all), call.now, call.who.user.id))
    found.emplace(view.job.version.id, to_json(view));
  std::vector<std::vector<std::string>> jobs(books.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (const JobId id : ids[i])
      if (const auto job = found.find(id); job != found.end())
        jobs[i].push_back(std::move(job->second));
  return jobs;
}

// The members of each book's JSON object, in the order of `books`. The number of reads does not
// depend on how many books there are.
std::vector<std::string> members(const ApiParts& parts, const Call& call,
                                 std::span<const Book> books) {
  std::vector<std::string> ids;
  ids.reserve(books.size());
  for (const Book& book : books) ids.push_back(book.id);
  const std::vector<std::vector<Asset>> assets = parts.store.catalog().assets_of(ids);
  std::vector<std::vector<std::string>> jobs = open_jobs(parts, call, books);
  std::vector<std::string> all;
  all.reserve(books.size());
  for (std::size_t i = 0; i < books.size(); ++i) {
    BookView view{.book = books[i], .assets = {}, .open_jobs = std::move(jobs[i])};
    for (const Asset& asset : assets[i]) view.assets.push_back(form(asset, call.who));
    all.push_back(members_of(view));
  }
  return all;
}

std::string members(const ApiParts& parts, const Call& call, const Book& book) {
  return std::move(members(parts, call, std::span{&book, 1}).front());
}

// The assets of one job that pass the filter. All of them have the same owner.
std::vector<Asset> assets_of_job(const ApiParts& parts, JobId job, const AssetFilter& filter) {
  std::vector<Asset> passed;
  for (FileId after = filter.after;;) {
    const std::vector<Asset> some = parts.store.catalog().assets_of(job, after);
    for (const Asset& asset : some) {
      if (filter.owner && asset.owner != filter.owner) return {};
      if (!filter.status.empty() && asset.status != filter.status) continue;
      passed.push_back(asset);
      if (passed.size() == filter.limit) return passed;
    }
    if (some.size() < kAssetPage) return passed;
    after = some.back().id;
  }
}

std::expected<Book, ApiError> book_in_path(const ApiParts& parts, const Call& call) {
  const auto book = parts.store.catalog().book(call.word());
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
    return std::unexpected{wrong_field("shelf", "expected archive or library")};
  const BookPage page = parts.store.catalog().books({.shelf = shelf,
                                                     .q = std::string{request.query("q")},
                                                     .after = std::string{request.query("cursor")},
                                                     .limit = *limit});
  std::vector<std::string> items;
  items.reserve(page.books.size());
  for (const std::string& book : members(parts, call, page.books))
    items.push_back("{" + book + "}");
  return searched_reply(list_reply(items, page.next), page.searched);
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
  if (auto error = check_query(call.request, {"status", "job", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto page = read_page(call.request);
  if (!page) return std::unexpected{page.error()};
  const std::string status{call.request.query("status")};
  if (!status.empty() && status != "available" && status != "deleted" && status != "missing")
    return std::unexpected{wrong_field("status", "expected available, deleted or missing")};
  const auto job = job_in_query(parts, call);
  if (!job) return std::unexpected{job.error()};
  const AssetFilter filter{.owner = call.who.scope(),
                           .status = status,
                           .after = FileId{page->cursor},
                           .limit = page->limit};
  const std::optional<JobId>& of_job = *job;
  const std::vector<Asset> assets =
      of_job ? assets_of_job(parts, *of_job, filter) : parts.store.catalog().assets(filter);
  std::vector<std::string> items;
  items.reserve(assets.size());
  for (const Asset& asset : assets) items.push_back(form(asset, call.who));
  return list_reply(items, assets.size() == page->limit ? assets.back().id.value : 0);
}

}  // namespace handle
}  // namespace haul::api
