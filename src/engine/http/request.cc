#include "engine/http/request.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>

#include "base/ascii.h"
#include "base/header_field.h"
#include "base/json.h"

namespace haul {
namespace {

constexpr int kSegmentsMax = 64;
constexpr int kPagesMax = 10'000;
constexpr std::int64_t kSpeedLimitMin = 1'024;

std::unexpected<Fault> refuse(std::string_view field, std::string_view why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_request", fmt::format("{}: {}", field, why)}};
}

Result<std::int64_t> number(const JsonField& field, std::int64_t largest) {
  std::int64_t value = 0;
  const char* end = field.text.data() + field.text.size();
  const auto [at, error] = std::from_chars(field.text.data(), end, value);
  if (error != std::errc{} || at != end || value < 0 || value > largest)
    return refuse(field.name, "not a number in its range");
  return value;
}

Result<std::vector<std::string>> list(const JsonField& field) {
  auto elements = read_array(field.text);
  if (!elements) return refuse(field.name, "not a list");
  return elements;
}

Result<Checksum> checksum(const JsonField& field) {
  const auto colon = field.text.find(':');
  Checksum sum{field.text.substr(0, colon),
               colon == std::string::npos ? "" : field.text.substr(colon + 1)};
  sum.hex = lower(sum.hex);
  const std::map<std::string, std::size_t> known{
      {"sha256", 64}, {"sha512", 128}, {"sha1", 40}, {"md5", 32}};
  const auto digits = known.find(sum.algorithm);
  if (digits == known.end() || sum.hex.size() != digits->second ||
      sum.hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    return refuse(field.name, "wanted as sha256:<64 hexadecimal digits>, or sha512, sha1, md5");
  return sum;
}

std::optional<MediaKind> kind_named(std::string_view name) {
  if (name == "images") return MediaKind::image;
  if (name == "videos") return MediaKind::video;
  if (name == "audio") return MediaKind::audio;
  if (name == "archives") return MediaKind::archive;
  if (name == "documents") return MediaKind::document;
  return std::nullopt;
}

bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : (text[i] < '0' || text[i] > '9')) return false;
  }
  return true;
}

Result<void> read_extensions(const JsonField& field, Filters& filters) {
  const auto extensions = list(field);
  if (!extensions) return std::unexpected{extensions.error()};
  for (const std::string& given : *extensions) {
    const std::string extension = lower(given);
    filters.exclude_extensions.push_back(extension.starts_with('.') ? extension : "." + extension);
  }
  return {};
}

Result<void> read_kinds(const JsonField& field, Filters& filters) {
  const auto names = list(field);
  if (!names) return std::unexpected{names.error()};
  for (const std::string& name : *names) {
    const auto kind = kind_named(name);
    if (!kind) return refuse(field.name, "images, videos, audio, archives or documents");
    filters.only.push_back(*kind);
  }
  return {};
}

Result<void> read_filter(const JsonField& field, Filters& filters) {
  if (field.name == "exclude_extensions") return read_extensions(field, filters);
  if (field.name == "only_types") return read_kinds(field, filters);
  if (field.name == "min_size" || field.name == "max_size") {
    const auto size = number(field, std::int64_t{1} << 60);
    if (!size) return std::unexpected{size.error()};
    (field.name == "min_size" ? filters.size_min : filters.size_max) = *size;
    return {};
  }
  if (field.name == "date_from" || field.name == "date_to") {
    if (!is_date(field.text)) return refuse(field.name, "wanted as 2026-01-31");
    (field.name == "date_from" ? filters.date_from : filters.date_to) = field.text;
    return {};
  }
  return refuse(field.name, "there is no such filter");
}

Result<void> read_filters(const JsonField& field, GetRequest& request) {
  const auto filters = read_object(field.text);
  if (!filters) return refuse(field.name, "not an object");
  for (const JsonField& each : *filters)
    if (auto read = read_filter(each, request.filters); !read) return read;
  return {};
}

Result<void> read_limits(const JsonField& field, GetRequest& request) {
  const auto limits = read_object(field.text);
  if (!limits) return refuse(field.name, "not an object");
  for (const JsonField& each : *limits) {
    if (each.name != "speed_limit") continue;  // The flow reads the others.
    const auto limit = number(each, std::int64_t{1} << 50);
    if (!limit) return std::unexpected{limit.error()};
    if (*limit > 0 && *limit < kSpeedLimitMin)
      return refuse("limits.speed_limit", "at least 1024 bytes a second, or 0 for no limit");
    request.speed_limit = *limit;
  }
  return {};
}

Result<void> read_urls(const JsonField& field, GetRequest& request) {
  if (field.name == "url") {
    request.urls.insert(request.urls.begin(), field.text);
    return {};
  }
  auto urls = list(field);
  if (!urls) return std::unexpected{urls.error()};
  std::ranges::move(*urls, std::back_inserter(request.urls));
  return {};
}

Result<void> read_folder(const JsonField& field, GetRequest& request) {
  const bool has_control = std::ranges::any_of(
      field.text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  if (has_control) return refuse(field.name, "a path has no NUL and no other control characters");
  const std::filesystem::path folder{field.text};
  if (!folder.is_absolute()) return refuse(field.name, "must be an absolute path");
  if (folder.lexically_normal() == "/")
    return refuse(field.name, "the root is not a folder to fill");
  request.folder = folder.lexically_normal().string();
  return {};
}

template <class Number>
Result<void> read_number(const JsonField& field, std::int64_t largest, Number& into) {
  const auto value = number(field, largest);
  if (!value) return std::unexpected{value.error()};
  into = static_cast<Number>(*value);
  return {};
}

Result<void> read_text(const JsonField& field, std::string& into) {
  if (field.text.find_first_of(std::string_view{"\r\n\0", 3}) != std::string::npos)
    return refuse(field.name, "has a line break");
  into = field.text;
  return {};
}

Result<void> read_headers(const JsonField& field, GetRequest& request) {
  const auto headers = list(field);
  if (!headers) return std::unexpected{headers.error()};
  for (const std::string& header : *headers) {
    std::string clean;
    if (auto read = read_text({field.name, header}, clean); !read) return read;
    if (clean.find(':') == std::string::npos) return refuse(field.name, "wanted as Name: value");
    if (is_reserved_header(header_name(clean)))
      return refuse(field.name, fmt::format("haul sets {} itself", header_name(clean)));
    request.headers.push_back(clean);
  }
  return {};
}

Result<void> read_logins(const JsonField& field, GetRequest& request) {
  const auto logins = read_object(field.text);
  if (!logins) return refuse(field.name, "not an object");
  for (const JsonField& login : *logins) request.logins[login.name] = login.text;
  return {};
}

Result<void> read_field(const JsonField& field, GetRequest& request) {
  if (field.name == "url" || field.name == "urls") return read_urls(field, request);
  if (field.name == "folder") return read_folder(field, request);
  if (field.name == "filters") return read_filters(field, request);
  if (field.name == "limits") return read_limits(field, request);
  if (field.name == "headers") return read_headers(field, request);
  if (field.name == "logins") return read_logins(field, request);
  if (field.name == "name") return read_text(field, request.name);
  if (field.name == "user_agent") return read_text(field, request.user_agent);
  if (field.name == "proxy") return read_text(field, request.proxy);
  if (field.name == "cookies") return read_text(field, request.cookies);
  if (field.name == "netrc") return read_text(field, request.netrc);
  if (field.name == "segments") return read_number(field, kSegmentsMax, request.segments);
  if (field.name == "pages_max") return read_number(field, kPagesMax, request.pages_max);
  if (field.name == "discover") request.discover = field.text == "true";
  if (field.name == "checksum") {
    const auto sum = checksum(field);
    if (!sum) return std::unexpected{sum.error()};
    request.checksum = *sum;
  }
  return {};
}

std::string extension_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string{} : lower(name.substr(dot));
}

}  // namespace

Result<GetRequest> read_get_request(std::string_view json) {
  const auto fields = read_object(json);
  if (!fields) return std::unexpected{fields.error()};
  GetRequest request;
  for (const JsonField& field : *fields) {
    if (field.is_null) continue;
    if (auto read = read_field(field, request); !read) return std::unexpected{read.error()};
  }
  return request;
}

void log_in(Url& url, const GetRequest& request) {
  const auto login = request.logins.find(url.origin());
  if (login == request.logins.end() || !url.user.empty()) return;
  const std::size_t colon = login->second.find(':');
  url.user = login->second.substr(0, colon);
  url.password = colon == std::string::npos ? "" : login->second.substr(colon + 1);
}

std::string skip_reason(const Filters& filters, const Known& known) {
  const std::string extension = extension_of(known.name);
  if (!extension.empty() &&
      std::ranges::find(filters.exclude_extensions, extension) != filters.exclude_extensions.end())
    return "excluded_extension";
  if (!filters.only.empty() &&
      std::ranges::find(filters.only, kind_of(known.name)) == filters.only.end())
    return "excluded_type";
  if (known.size && filters.size_min && *known.size < *filters.size_min) return "too_small";
  if (known.size && filters.size_max && *known.size > *filters.size_max) return "too_large";
  if (!known.date.empty() && !filters.date_from.empty() && known.date < filters.date_from)
    return "too_old";
  if (!known.date.empty() && !filters.date_to.empty() && known.date > filters.date_to)
    return "too_new";
  return {};
}

}  // namespace haul
