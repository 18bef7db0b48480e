#include "flow/request.h"

#include <fmt/core.h>

#include "flow/own_limits.h"
#include "flow/request_values.h"

namespace haul {
namespace {

using enum FieldType;

constexpr bool kRequired = true;
constexpr bool kOptional = false;
constexpr std::int64_t kUriMax = 16'384;
constexpr std::int64_t kUrlsMax = 100'000;

// clang-format off
constexpr RequestField kBookFields[] = {
    {"book_id",    text, "Which book; an unknown one is created", kRequired, 1, 200, {},
                   wrong_with_book_id},
    {"title",      text, "Title of the book", kOptional, 0, 1'000},
    {"media_type", text, "Which form of the book", kRequired, 1, 10, {"text", "audio"}},
    {"uri",        text, "A magnet link, or the address of a .torrent file", kRequired, 1, kUriMax,
                   {}, wrong_with_uri},
    {"source",     text, "Code of the provider", kRequired, 1, 200},
    {"source_url", text, "Page where it was found", kOptional, 0, kUriMax, {}, wrong_with_address},
    {"delete_files_on_cancel", flag, "Whether a cancel also deletes the downloaded files"},
};
constexpr RequestField kMediaFields[] = {
    {"kind",         text,   "What it is", kOptional, 0, 10, {"movie", "series"}},
    {"title",        text,   "Title of the film or series", kRequired, 1, 1'000},
    {"year",         number, "Year of release", kOptional, 1'800, 2'200},
    {"season",       number, "Season of a series", kOptional, 0, 9'999},
    {"episode",      number, "Episode of a season", kOptional, 0, 99'999},
    {"quality",      text,   "Quality, such as 1080p", kOptional, 0, 100},
    {"uri",          text,   "A magnet link, or an address", kOptional, 0, kUriMax, {},
                     wrong_with_uri},
    {"engine",       text,   "Which engine fetches it", kOptional, 0, 20, {"qbittorrent", "http"}},
    {"release_name", text,   "Name of the release", kRequired, 1, 1'000},
};
constexpr RequestField kFilterFields[] = {
    {"exclude_extensions", list,   "File name extensions to skip", kOptional, 0, 1'000, {},
                                   wrong_with_extension},
    {"only_types",         list,   "Fetch only these kinds of files", kOptional, 0, 5,
                                   {"images", "videos", "audio", "archives", "documents"}},
    {"min_size",           number, "Skip smaller files, in bytes", kOptional, 0, kFileSizeMax},
    {"max_size",           number, "Skip larger files, in bytes", kOptional, 0, kFileSizeMax},
    {"date_from",          text,   "Skip older files", kOptional, 0, 10, {}, wrong_with_date},
    {"date_to",            text,   "Skip newer files", kOptional, 0, 10, {}, wrong_with_date},
};
constexpr RequestField kLimitFields[] = {
    {"per_host",    number,   "Requests at once to one host", kOptional, 1, kOwnAtOnceMax},
    {"delay",       duration, "Between two requests to one host", kOptional, 0,
                              kOwnApartMax.count()},
    {"speed_limit", number,   "Bytes per second, at least 1024; 0: no limit", kOptional, 0,
                              kSpeedLimitMax, {}, wrong_with_speed_limit},
};
constexpr RequestField kBatchFields[] = {
    {"url",        text,   "An http or https address; url or urls is required", kOptional, 1, 8'192,
                           {}, wrong_with_page},
    {"urls",       list,   "Many addresses", kOptional, 1, kUrlsMax, {}, wrong_with_page},
    {"engine",     text,   "Which engine fetches it", kOptional, 0, 20,
                           {"auto", "http", "yt-dlp", "gallery-dl"}},
    {"folder",     text,   "Where the files go", kOptional, 0, 4'096},
    {"filters",    object, "Which files are skipped", kOptional, 0, 0, {}, nullptr, kFilterFields},
    {"discover",   flag,   "Fetch the media a page links to"},
    {"pages_max",  number, "How many pages to follow", kOptional, 1, kRequestPagesMax},
    {"cookies",    text,   "A file of cookies", kOptional, 0, 4'096, {}, wrong_with_path},
    {"proxy",      text,   "Proxy for every request", kOptional, 0, 8'192, {}, wrong_with_proxy},
    {"checksum",   text,   "sha256:… of the file, with one address only", kOptional, 0, 200, {},
                           wrong_with_checksum},
    {"headers",    list,   "Sent with each request, as Name: value", kOptional, 0, 100, {},
                           wrong_with_header},
    {"user_agent", text,   "Sent with each request", kOptional, 0, 1'000},
    {"name",       text,   "Name of the file, with one address only", kOptional, 0, 1'000},
    {"segments",   number, "Connections for one large file; 0: automatic", kOptional, 0,
                           kRequestSegmentsMax},
    {"limits",     object, "Limits of this job, tighter than the configured ones", kOptional, 0, 0,
                           {}, nullptr, kLimitFields},
    {"naming",     text,   "How files are named", kOptional, 0, 1'000},
    {"logins",     logins, "Logins by origin; haul moves them here from the addresses", kOptional,
                           0, 1'000},
    {"netrc",      text,   "A file of logins", kOptional, 0, 4'096, {}, wrong_with_path},
};
constexpr RequestField kRelayFields[] = {
    {"user_id", id,   "Number or name of the user who receives it", kRequired, 1, 200},
    {"chat_id", id,   "Chat it is sent to", kRequired, 1, 200},
    {"file_id", text, "Path on the disk", kRequired, 1, 4'096},
    {"nonce",   text, "Tells one request from the next", kRequired, 1, 200},
};
constexpr RequestField kImageFields[] = {
    {"prompt", lines, "What the image shows", kRequired, 1, 32'768},
    {"params", any,   "Parameters of the provider", kOptional, 0, 65'536},
};
// clang-format on

std::string listed(const RequestField& field) {
  std::string words;
  for (const std::string_view value : field.values)
    words.append(words.empty()                        ? ""
                 : value == *(field.values.end() - 1) ? " or "
                                                      : ", ")
        .append(value);
  return words;
}

}  // namespace

std::string_view name(FieldType type) {
  switch (type) {
    case number:
      return "number";
    case flag:
      return "boolean";
    case list:
      return "list";
    case object:
    case logins:
    case any:
      return "object";
    case text:
    case lines:
    case duration:
    case id:
      return "string";
  }
  return "string";
}

std::string values_of(const RequestField& field) {
  if (!field.values.empty()) return listed(field);
  switch (field.type) {
    case number:
      return fmt::format("{} to {}", field.least, field.most);
    case duration:
      return fmt::format("0 to {}s, as 500ms, 2s or 0", field.most / 1'000);
    case text:
    case lines:
    case id:
      return fmt::format("at most {} bytes", field.most);
    case list:
      return fmt::format("at most {}", field.most);
    case flag:
    case object:
    case logins:
    case any:
      return {};
  }
  return {};
}

std::span<const RequestField> limit_fields() { return kLimitFields; }

std::span<const RequestField> request_fields(const Lifecycle& lifecycle) {
  if (lifecycle.name == "book") return kBookFields;
  if (lifecycle.name == "media") return kMediaFields;
  if (lifecycle.name == "batch") return kBatchFields;
  if (lifecycle.name == "relay") return kRelayFields;
  if (lifecycle.name == "image") return kImageFields;
  return {};
}

}  // namespace haul
