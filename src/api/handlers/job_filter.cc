#include "api/handlers/job_filter.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/redact.h"
#include "lifecycle/category.h"
#include "store/search.h"

namespace haul::api {
namespace {

constexpr std::string_view kCategory = "category";  // A filter, not a field of a request.
constexpr std::string_view kCategoryWord = "category:";

// The filters as a client writes them. Empty: any.
struct FilterWords {
  std::string lifecycle;
  std::string state;
  std::string end;
  std::string outcome;
  std::string owner;
  std::string stuck;
  std::string reason;
  std::string category;
  std::string q;
};

std::optional<End> end_named(std::string_view text) {
  for (const End end : {End::open, End::good, End::bad, End::stopped})
    if (name(end) == lower(text)) return end;
  return std::nullopt;
}

// A user who sees only their own jobs lists only these, and is not told which users exist.
std::optional<ApiError> set_owner(const ApiParts& parts, const std::string& text, const Call& call,
                                  JobFilter& filter) {
  filter.owner = call.who.scope();
  if (text.empty()) return std::nullopt;
  const auto owner = read_number(text);
  if (!owner || *owner < 1) return wrong_field("owner", "expected a user id");
  if (filter.owner && filter.owner.value != *owner)
    return ApiError{403, "not_allowed", "you may list only your own jobs"};
  if (!parts.store.users().find(UserId{*owner}))
    return ApiError{400, "no_such_user", "owner: no such user", {{"owner", "no such user"}}};
  filter.owner = UserId{*owner};
  return std::nullopt;
}

std::optional<ApiError> set_ends(const FilterWords& words, JobFilter& filter) {
  if (!words.end.empty()) {
    filter.end = end_named(words.end);
    if (!filter.end) return wrong_field("end", "expected open, good, bad or stopped");
  }
  if (!words.outcome.empty()) {
    filter.outcome = outcome_named(lower(words.outcome));
    if (!filter.outcome) return wrong_field("outcome", "expected whole, partly or nothing");
  }
  return std::nullopt;
}

// Words to search for may begin with a category: "category:films noir".
void set_search(const FilterWords& words, JobFilter& filter) {
  filter.category = words.category;
  filter.q = words.q;
  if (!words.category.empty() || !words.q.starts_with(kCategoryWord)) return;
  const std::string_view rest = std::string_view{words.q}.substr(kCategoryWord.size());
  const std::size_t end = std::min(rest.find(' '), rest.size());
  filter.category = rest.substr(0, end);
  filter.q = trimmed(rest.substr(end));
}

std::expected<JobFilter, ApiError> filter_of(const ApiParts& parts, const Call& call,
                                             const FilterWords& words) {
  if (auto error = check_lifecycle(words.lifecycle, words.state)) return std::unexpected{*error};
  JobFilter filter{.lifecycle = words.lifecycle, .state = words.state};
  if (auto error = set_ends(words, filter)) return std::unexpected{*error};
  if (auto error = set_owner(parts, words.owner, call, filter)) return std::unexpected{*error};
  if (!words.reason.empty() && safe_reason(words.reason) != words.reason)
    return std::unexpected{wrong_field("reason", "expected 1 to 64 of a to z, 0 to 9 and _")};
  filter.reason = words.reason;
  if (words.q.size() > kSearchMax)
    return std::unexpected{ApiError{
        422, "too_long", fmt::format("q has at most {} bytes", kSearchMax), {{"q", "too long"}}}};
  set_search(words, filter);
  if (!filter.category.empty() && !wrong_with_category(filter.category).empty())
    return std::unexpected{wrong_field(kCategory, known_categories(parts.categories))};
  if (!words.stuck.empty() && words.stuck != "true" && words.stuck != "false")
    return std::unexpected{wrong_field("stuck", "expected true or false")};
  if (words.stuck == "true") {
    filter.stuck_at = call.now;
    filter.stuck_rules = parts.settings.stuck;
  }
  return filter;
}

struct Cursor {
  std::int64_t key = 0;
  std::int64_t id = 0;
};

// A cursor of a sorted list has what its last job is sorted by, and its id: "1700000000000.12".
std::optional<Cursor> read_cursor(std::string_view text, JobSort sort) {
  const bool is_sorted = sort != JobSort::created;
  const std::size_t dot = is_sorted ? text.find('.') : 0;
  if (dot == std::string_view::npos) return std::nullopt;
  const auto key = is_sorted ? read_number(text.substr(0, dot)) : std::optional<std::int64_t>{0};
  const auto id = read_number(is_sorted ? text.substr(dot + 1) : text);
  if (!key || !id || *id < 1) return std::nullopt;
  return Cursor{*key, *id};
}

std::optional<ApiError> set_page(const WebRequest& request, JobFilter& filter) {
  const auto limit = read_limit(request);
  if (!limit) return limit.error();
  filter.limit = *limit;
  const std::string_view text = request.query("cursor");
  if (text.empty()) return std::nullopt;
  const auto cursor = read_cursor(text, filter.sort);
  if (!cursor)
    return wrong_field("cursor", "expected the value of `next` of a page in the same order");
  filter.before = JobId{cursor->id};
  filter.before_key = cursor->key;
  return std::nullopt;
}

std::expected<FilterWords, ApiError> read_words(std::string_view object) {
  const auto body = Body::read(
      object, {"lifecycle", "state", "end", "outcome", "owner", "stuck", "reason", kCategory, "q"});
  if (!body) return std::unexpected{body.error()};
  FilterWords words;
  struct Text {
    const char* name;
    std::string* into;
  };
  for (const Text& each :
       {Text{"lifecycle", &words.lifecycle}, Text{"state", &words.state}, Text{"end", &words.end},
        Text{"outcome", &words.outcome}, Text{"reason", &words.reason},
        Text{kCategory.data(), &words.category}, Text{"q", &words.q}}) {
    auto text = body->text(each.name);
    if (!text) return std::unexpected{text.error()};
    *each.into = *std::move(text);
  }
  const auto owner = body->number("owner");
  if (!owner) return std::unexpected{owner.error()};
  if (const auto& number = *owner) words.owner = std::to_string(*number);
  const auto stuck = body->flag("stuck");
  if (!stuck) return std::unexpected{stuck.error()};
  words.stuck = *stuck ? "true" : "";
  return words;
}

}  // namespace

std::expected<JobFilter, ApiError> read_job_filter(const ApiParts& parts, const Call& call) {
  const WebRequest& request = call.request;
  if (auto error =
          check_query(request, {"lifecycle", "state", "end", "outcome", "owner", "stuck", "reason",
                                kCategory, "q", "sort", "format", "limit", "cursor"}))
    return std::unexpected{*error};
  const auto word = [&](std::string_view name) { return std::string{request.query(name)}; };
  auto filter = filter_of(parts, call,
                          {.lifecycle = word("lifecycle"),
                           .state = word("state"),
                           .end = word("end"),
                           .outcome = word("outcome"),
                           .owner = word("owner"),
                           .stuck = word("stuck"),
                           .reason = word("reason"),
                           .category = word(kCategory),
                           .q = word("q")});
  if (!filter) return filter;
  if (const std::string text = word("sort"); !text.empty()) {
    const auto sort = sort_named(text);
    if (!sort) return std::unexpected{wrong_field("sort", "expected " + sort_names())};
    filter->sort = *sort;
  }
  if (auto error = set_page(request, *filter)) return std::unexpected{*error};
  return filter;
}

std::expected<JobFilter, ApiError> read_job_filter(const ApiParts& parts, const Call& call,
                                                   std::string_view object) {
  const auto words = read_words(object);
  if (!words) return std::unexpected{inside_filter(words.error())};
  auto filter = filter_of(parts, call, *words);
  if (!filter) return std::unexpected{inside_filter(filter.error())};
  return filter;
}

std::optional<ApiError> check_category(const ApiParts& parts, const JobFilter& filter,
                                       const JobPage& page) {
  const bool is_known = filter.category.empty() || find_category(parts.categories, filter.category);
  if (is_known || !page.jobs.empty() || page.next || filter.before) return std::nullopt;
  return wrong_field(kCategory, known_categories(parts.categories));
}

ApiError inside_filter(ApiError error) {
  std::map<std::string, std::string> fields;
  for (const auto& [name, why] : error.fields) fields["filter." + name] = why;
  if (!error.fields.empty()) error.detail = "filter." + error.detail;
  error.fields = std::move(fields);
  return error;
}

std::string cursor_of(const JobFilter& filter, const JobPage& page) {
  if (!page.next) return "";
  if (filter.sort == JobSort::created) return std::to_string(page.next.value);
  return fmt::format("{}.{}", page.next_key, page.next.value);
}

}  // namespace haul::api
