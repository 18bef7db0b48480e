#include "lifecycle/batch_request.h"

#include <fmt/core.h>

#include "base/proxy_address.h"
#include "base/request_value.h"
#include "base/url_options.h"
#include "lifecycle/category.h"
#include "lifecycle/request_values.h"

namespace haul {
namespace {

using enum FieldType;
using Problem = std::optional<RequestProblem>;

constexpr std::int64_t kUrlsMax = 100'000;
constexpr std::int64_t kConnectTimeoutMax = 3'600'000;  // Milliseconds.
constexpr std::int64_t kMaxTimeMax = 2'592'000'000;     // 30 days.
constexpr std::int64_t kEachMax = std::int64_t{32} << 20U;

// clang-format off
constexpr RequestField kFilterFields[] = {
    {"exclude_extensions", list,   "File name extensions to skip", kOptional, 0, 1'000, {},
                                   wrong_with_extension},
    {"only_types",         list,   "Download only these types of files", kOptional, 0, 5,
                                   {"images", "videos", "audio", "archives", "documents"}},
    {"min_size",           number, "Skip smaller files, in bytes", kOptional, 0, kFileSizeMax},
    {"max_size",           number, "Skip larger files, in bytes", kOptional, 0, kFileSizeMax},
    {"date_from",          text,   "Skip older files", kOptional, 0, 10, {}, wrong_with_date},
    {"date_to",            text,   "Skip newer files", kOptional, 0, 10, {}, wrong_with_date},
};
constexpr RequestField kLimitFields[] = {
    {"per_host",    number,   "Concurrent requests to one host", kOptional, 1, kOwnAtOnceMax},
    {"delay",       duration, "Time between requests to one host", kOptional, 0,
                              kOwnApartMax},
    {"speed_limit", number,   "Bytes per second, at least 1024; 0: no limit", kOptional, 0,
                              kSpeedLimitMax, {}, wrong_with_speed_limit},
    {"retries",     number,   "Retries of a file in a row without progress (default: 4)", kOptional,
                              0, kRetriesMax},
};
// clang-format on

Problem refuse(std::string code, std::string field, std::string why) {
  return RequestProblem{std::move(code), std::move(field), std::move(why)};
}

// The http engine takes no prefix; gallery-dl and the automatic choice of an engine do.
Problem check_prefixes(std::span<const JsonField> fields) {
  const JsonField* engine = find_field(fields, "engine");
  if (!engine || engine->text != "http") return std::nullopt;
  constexpr const char* kWhy = "the http engine takes a URL without a prefix";
  if (const JsonField* url = find_field(fields, "url"); url && has_recursive_prefix(url->text))
    return refuse("bad_url_scheme", "url", kWhy);
  const JsonField* urls = find_field(fields, "urls");
  const auto list = urls ? read_array(urls->json) : Result<std::vector<std::string>>{};
  for (std::size_t i = 0; i < list->size(); ++i)
    if (has_recursive_prefix((*list)[i]))
      return refuse("bad_url_scheme", fmt::format("urls[{}]", i), kWhy);
  return std::nullopt;
}

// Refuses options that the program does not have; they would fail the job later.
Problem check_engine(std::span<const JsonField> fields) {
  const JsonField* engine = find_field(fields, "engine");
  if (!engine || (engine->text != "yt-dlp" && engine->text != "gallery-dl")) return std::nullopt;
  for (const std::string_view name :
       {"proxy", "netrc", "discover", "headers", "ca_file", "insecure", "no_proxy", "ip_version",
        "connect_timeout", "max_time", "compressed", "checksums", "each", "mirrors"}) {
    const JsonField* field = find_field(fields, name);
    const bool is_set =
        field && field->text != "false" && !field->text.empty() && field->json != "[]";
    const bool can = name == "headers" && engine->text == "yt-dlp";
    if (is_set && !can)
      return refuse("not_for_this_engine", std::string{name},
                    fmt::format("{} does not support this option", engine->text));
  }
  const JsonField* existing = find_field(fields, "existing");
  if (existing && !is_unset(*existing) && existing->text != "default" &&
      existing->text != "keep_both")
    return refuse("not_for_this_engine", "existing",
                  fmt::format("{} supports only default and keep_both", engine->text));
  return std::nullopt;
}

std::size_t urls_in(std::span<const JsonField> fields) {
  const JsonField* urls = find_field(fields, "urls");
  const auto list = urls ? read_array(urls->json) : Result<std::vector<std::string>>{};
  return (find_field(fields, "url") ? 1 : 0) + (list ? list->size() : 0);
}

// A checksum, a name or mirrors are for one file, so the request must have one URL.
Problem check_single(std::span<const JsonField> fields) {
  for (const std::string_view name : {"checksum", "name", "mirrors"}) {
    const JsonField* field = find_field(fields, name);
    const bool is_set = field && !is_unset(*field) && field->json != "[]";
    if (is_set && urls_in(fields) > 1)
      return refuse("bad_request", std::string{name},
                    "is for one file, but there is more than one URL");
  }
  const JsonField* existing = find_field(fields, "existing");
  const JsonField* discover = find_field(fields, "discover");
  const bool discovers = discover && discover->text == "true";
  const bool has_many = urls_in(fields) > 1 || discovers;
  const JsonField* mirrors = find_field(fields, "mirrors");
  if (discovers && mirrors && mirrors->json != "[]")
    return refuse("bad_request", "mirrors", "a page that is searched for media has none");
  if (existing && existing->text == "overwrite" && has_many)
    return refuse("bad_request", "existing",
                  "overwrite is for one file, because two could have one name; update replaces "
                  "the files of many");
  return std::nullopt;
}

// The options of single URLs have positions that the list has.
Problem check_each(std::span<const JsonField> fields) {
  const JsonField* each = find_field(fields, "each");
  if (!each) return std::nullopt;
  const auto options = read_url_options(each->json);
  if (!options) return refuse("bad_request", "each", options.error().detail);
  const JsonField* urls = find_field(fields, "urls");
  const auto list = urls ? read_array(urls->json) : Result<std::vector<std::string>>{};
  if (!options->empty() && options->rbegin()->first >= list->size())
    return refuse("bad_request", "each",
                  fmt::format("{}: there is no such URL in urls", options->rbegin()->first));
  return std::nullopt;
}

Problem check_filters(const JsonField& filters) {
  const auto inner = read_object(filters.json);
  if (!inner) return refuse("wrong_type", "filters", "expected an object");
  const JsonField* min = find_field(*inner, "min_size");
  const JsonField* max = find_field(*inner, "max_size");
  if (min && max && read_whole(min->json) > read_whole(max->json))
    return refuse("bad_request", "filters.min_size", "larger than filters.max_size");
  const JsonField* from = find_field(*inner, "date_from");
  const JsonField* to = find_field(*inner, "date_to");
  if (from && to && !from->text.empty() && !to->text.empty() && from->text > to->text)
    return refuse("bad_request", "filters.date_from", "later than filters.date_to");
  return std::nullopt;
}

}  // namespace

// clang-format off
constinit const RequestField kBatchFields[] = {
    RequestField{"url", text, "An http or https URL; url or urls is required", kOptional, 1,
                 8'192, {}, wrong_with_page}.used_as(FieldUse::address),
    RequestField{"urls", list, "Several URLs", kOptional, 1, kUrlsMax, {}, wrong_with_page}
        .used_as(FieldUse::address),
    RequestField{"mirrors", list, "Other URLs of the same file, the preferred ones first; for a "
                                  "single URL", kOptional, 0, kMirrorsMax, {}, wrong_with_address}
        .used_as(FieldUse::address),
    RequestField{"engine", text, "Engine that downloads it", kOptional, 0, 20,
                 {"auto", "http", "yt-dlp", "gallery-dl"}}.used_as(FieldUse::engine),
    RequestField{"folder", text, "Destination folder", kOptional, 0, 4'096}
        .used_as(FieldUse::folder),
    RequestField{"category", text, "Category of the configuration; it sets the folder unless the "
                                   "request does, and limits that the request may tighten",
                 kOptional, 0, kCategoryMax, {}, wrong_with_category}.used_as(FieldUse::category),
    {"filters",    object, "Files to skip", kOptional, 0, 0, {}, nullptr, kFilterFields},
    {"discover",   flag,   "Download the media that a page links to"},
    {"pages_max",  number, "Follow at most this many pages", kOptional, 1, kRequestPagesMax},
    RequestField{"cookies", text, "Cookie file on the server", kOptional, 0, 4'096, {},
                 wrong_with_path}
        .used_as(FieldUse::server_file),
    RequestField{"proxy", text, "Proxy for every request", kOptional, 0, 8'192, {},
                 wrong_with_proxy}.hidden_as(Secret::proxy_login),
    {"checksum",   text,   "sha256:… of the file; for a single URL", kOptional, 0, 200, {},
                           wrong_with_checksum},
    RequestField{"headers", list, "Headers of each request, as Name: value", kOptional, 0, 100, {},
                 wrong_with_header}.hidden_as(Secret::header_value),
    {"existing",   text,   "What to do with a file that is here already. overwrite is for a single "
                           "URL; the daemon replaces only files that the owner downloaded",
                           kOptional, 0, 20,
                           {"default", "update", "overwrite", "skip", "keep_both"}},
    {"hash",       text,   "Hash each file, and keep it in the receipt", kOptional, 0, 20,
                           {"sha256"}},
    {"user_agent", text,   "User-Agent of each request", kOptional, 0, 1'000},
    {"name",       text,   "File name, or a path below the folder; for a single URL", kOptional, 0,
                           1'000},
    {"segments",   number, "Connections for one large file; 0: automatic", kOptional, 0,
                           kRequestSegmentsMax},
    {"limits",     object, "Limits of this job, tighter than the configured ones", kOptional, 0, 0,
                           {}, nullptr, kLimitFields},
    {"naming",     text,   "How files are named", kOptional, 0, 1'000},
    RequestField{"logins", logins, "Logins by origin; haul moves them here from the URLs",
                 kOptional, 0, 1'000}.used_as(FieldUse::logins).hidden_as(Secret::whole)
        .not_in_forms(),
    RequestField{"netrc", text, ".netrc file on the server", kOptional, 0, 4'096, {},
                 wrong_with_path}
        .used_as(FieldUse::server_file).not_in_forms(),
    RequestField{"ca_file", text, "File on the server with the CA certificates to trust", kOptional,
                 0, 4'096, {}, wrong_with_path}
        .used_as(FieldUse::server_file).not_in_forms(),
    RequestField{"insecure", flag, "Accept any certificate; files then count as unverified"}
        .used_as(FieldUse::trust).not_in_forms(),
    RequestField{"no_proxy", text, "Hosts to reach without a proxy, separated by commas; *: all",
                 kOptional, 0, 8'192}.not_in_forms(),
    RequestField{"ip_version", text, "Connect over this version of IP only", kOptional, 0, 2,
                 {"4", "6"}}.not_in_forms(),
    RequestField{"connect_timeout", duration, "Time to connect (default: 20s)", kOptional, 1,
                 kConnectTimeoutMax}.not_in_forms(),
    RequestField{"max_time", duration, "Fail a file whose transfer takes longer", kOptional, 1,
                 kMaxTimeMax}.not_in_forms(),
    RequestField{"compressed", flag, "Ask for compressed bodies, and store them decoded"}
        .not_in_forms(),
    RequestField{"remote_time", flag, "Set the time of a file to its Last-Modified"}
        .not_in_forms(),
    RequestField{"checksums", list, "sha256:… NAME of each file; a file without one fails",
                 kOptional, 0, kUrlsMax, {}, wrong_with_named_checksum}.not_in_forms(),
    RequestField{"each", any, "Options of single URLs by their position, from 0: name, checksum, "
                              "headers, user_agent, mirrors, size, pieces, public", kOptional, 0,
                 kEachMax}
        .hidden_as(Secret::whole).not_in_forms(),
};
// clang-format on

std::optional<RequestProblem> check_batch_request(std::span<const JsonField> request) {
  if (!find_field(request, "url") && !find_field(request, "urls"))
    return refuse("missing_field", "url", "required, or urls");
  if (auto wrong = check_prefixes(request)) return wrong;
  if (auto wrong = check_engine(request)) return wrong;
  if (auto wrong = check_single(request)) return wrong;
  if (auto wrong = check_each(request)) return wrong;
  const JsonField* filters = find_field(request, "filters");
  return filters ? check_filters(*filters) : std::nullopt;
}

std::span<const RequestField> limit_fields() { return kLimitFields; }

}  // namespace haul
