#include "engine/get_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "base/header_field.h"
#include "base/json.h"
#include "base/utf8.h"

namespace haul::engine {
namespace {

std::unexpected<Fault> refuse(std::string_view field, std::string_view why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_request", fmt::format("{}: {}", field, why)}};
}

Result<std::int64_t> number(const JsonField& field, std::int64_t largest) {
  const auto value = read_whole(field.json);
  if (!value || *value < 0 || *value > largest)
    return refuse(field.name, fmt::format("expected a whole number from 0 to {}", largest));
  return *value;
}

Result<std::vector<std::string>> list(const JsonField& field) {
  auto elements = read_array(field.json);
  if (!elements) return refuse(field.name, "expected a list");
  return elements;
}

Result<void> read_existing(const JsonField& field, GetRequest& request) {
  if (field.text == "default") return {};
  if (field.text == "update")
    request.existing = IfExists::update;
  else if (field.text == "overwrite")
    request.existing = IfExists::overwrite;
  else if (field.text == "skip")
    request.existing = IfExists::skip;
  else if (field.text == "keep_both")
    request.existing = IfExists::keep_both;
  else
    return refuse(field.name, "expected default, update, overwrite, skip or keep_both");
  return {};
}

Result<void> read_hash(const JsonField& field, GetRequest& request) {
  if (field.text != "sha256") return refuse(field.name, "expected sha256");
  request.hash = field.text;
  return {};
}

std::optional<io::MediaKind> kind_named(std::string_view name) {
  if (name == "images") return io::MediaKind::image;
  if (name == "videos") return io::MediaKind::video;
  if (name == "audio") return io::MediaKind::audio;
  if (name == "archives") return io::MediaKind::archive;
  if (name == "documents") return io::MediaKind::document;
  return std::nullopt;
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
    if (!kind) return refuse(field.name, "expected images, videos, audio, archives or documents");
    filters.only.push_back(*kind);
  }
  return {};
}

Result<void> read_filter(const JsonField& field, Filters& filters) {
  if (field.name == "exclude_extensions") return read_extensions(field, filters);
  if (field.name == "only_types") return read_kinds(field, filters);
  if (field.name == "min_size" || field.name == "max_size") {
    const auto size = number(field, kFileSizeMax);
    if (!size) return std::unexpected{size.error()};
    (field.name == "min_size" ? filters.size_min : filters.size_max) = *size;
    return {};
  }
  if (field.name == "date_from" || field.name == "date_to") {
    if (const std::string why = wrong_with_date(field.text); !why.empty())
      return refuse(field.name, why);
    (field.name == "date_from" ? filters.date_from : filters.date_to) = field.text;
    return {};
  }
  return refuse(field.name, "there is no such filter");
}

Result<void> read_filters(const JsonField& field, GetRequest& request) {
  const auto filters = read_object(field.json);
  if (!filters) return refuse(field.name, "expected an object");
  for (const JsonField& each : *filters) {
    if (is_unset(each)) continue;
    if (auto read = read_filter(each, request.filters); !read) return read;
  }
  return {};
}

Result<void> read_limits(const JsonField& field, GetRequest& request) {
  const auto limits = read_object(field.json);
  if (!limits) return refuse(field.name, "expected an object");
  for (const JsonField& each : *limits) {
    if (each.name != "speed_limit" || is_unset(each)) continue;  // The others are the flow's.
    if (const std::string why = wrong_with_speed_limit(each.json); !why.empty())
      return refuse("limits.speed_limit", why);
    request.speed_limit = read_whole(each.json).value_or(0);
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
  if (has_control(field.text)) return refuse(field.name, "control characters are not allowed");
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
  if (has_control(field.text)) return refuse(field.name, "control characters are not allowed");
  into = field.text;
  return {};
}

// With a scheme even where the user left it out, so that redacted() finds the login.
Result<void> read_proxy(const JsonField& field, std::string& into) {
  if (auto read = read_text(field, into); !read) return read;
  if (!into.empty() && into.find("://") == std::string::npos) into.insert(0, "http://");
  return {};
}

Result<void> read_headers(const JsonField& field, GetRequest& request) {
  const auto headers = list(field);
  if (!headers) return std::unexpected{headers.error()};
  for (const std::string& header : *headers) {
    if (const std::string why = wrong_with_header(header); !why.empty())
      return refuse(field.name, why);
    request.headers.push_back(header);
  }
  return {};
}

Result<void> read_logins(const JsonField& field, GetRequest& request) {
  const auto logins = read_object(field.json);
  if (!logins) return refuse(field.name, "expected an object");
  for (const JsonField& login : *logins)
    if (!is_unset(login)) request.logins[login.name] = login.text;
  return {};
}

Result<void> read_duration_field(const JsonField& field, Millis& into) {
  const auto value = read_duration(field.text);
  if (!value) return refuse(field.name, "expected a duration such as 15s");
  into = *value;
  return {};
}

Result<void> read_checksums(const JsonField& field, GetRequest& request) {
  const auto elements = list(field);
  if (!elements) return std::unexpected{elements.error()};
  for (const std::string& element : *elements) {
    auto named = read_named_checksum(element);
    if (!named) return refuse(field.name, wrong_with_named_checksum(element));
    request.checksums[named->name] = std::move(named->sum);
  }
  return {};
}

// How to connect, and what to do with the file's time.
Result<void> read_manner(const JsonField& field, GetRequest& request) {
  if (field.name == "ca_file") return read_text(field, request.ca_file);
  if (field.name == "no_proxy") return read_text(field, request.no_proxy);
  if (field.name == "insecure") request.insecure = field.text == "true";
  if (field.name == "compressed") request.compressed = field.text == "true";
  if (field.name == "remote_time") request.remote_time = field.text == "true";
  if (field.name == "ip_version")
    request.ip = field.text == "4" ? io::IpVersion::v4 : io::IpVersion::v6;
  if (field.name == "connect_timeout") return read_duration_field(field, request.connect_timeout);
  if (field.name == "max_time") return read_duration_field(field, request.max_time);
  if (field.name == "checksums") return read_checksums(field, request);
  return {};
}

std::string canonical_url(const std::string& address) {
  const auto url = parse_url(address);
  return url ? url->text : address;
}

// `each` counts in `urls`, so the caller has read those.
Result<void> read_each(std::span<const JsonField> fields, GetRequest& request) {
  const auto field = std::ranges::find(fields, "each", &JsonField::name);
  if (field == fields.end() || is_unset(*field)) return {};
  auto options = read_url_options(field->json);
  if (!options) return refuse(field->name, options.error().detail);
  const auto single = std::ranges::find(fields, "url", &JsonField::name);
  const std::size_t before = single != fields.end() && !is_unset(*single) ? 1 : 0;
  std::map<std::size_t, UrlOptions> all;
  for (auto& [position, own] : *options) all[before + position] = std::move(own);
  if (!all.empty() && all.rbegin()->first >= request.urls.size())
    return refuse(field->name, "no such position");
  request.keys = item_keys(request.urls, all);
  for (auto& [position, own] : all)
    request.each.try_emplace(request.keys[position], std::move(own));
  return {};
}

// The mirrors of a request with a single URL become that URL's own.
Result<void> read_mirrors(std::span<const JsonField> fields, GetRequest& request) {
  const auto field = std::ranges::find(fields, "mirrors", &JsonField::name);
  if (field == fields.end() || is_unset(*field)) return {};
  auto mirrors = list(*field);
  if (!mirrors) return std::unexpected{mirrors.error()};
  if (mirrors->empty()) return {};
  if (request.urls.size() != 1) return refuse(field->name, "is for one URL");
  if (mirrors->size() > kMirrorsMax)
    return refuse(field->name, fmt::format("at most {} URLs", kMirrorsMax));
  const auto url = parse_url(request.urls.front());
  if (!url) return {};  // Its item fails with the reason.
  std::vector<std::string>& own = request.each[url->text].mirrors;
  if (own.empty()) own = *std::move(mirrors);
  return {};
}

Result<void> read_field(const JsonField& field, GetRequest& request) {
  if (field.name == "url" || field.name == "urls") return read_urls(field, request);
  if (field.name == "folder") return read_folder(field, request);
  if (field.name == "filters") return read_filters(field, request);
  if (field.name == "limits") return read_limits(field, request);
  if (field.name == "headers") return read_headers(field, request);
  if (field.name == "logins") return read_logins(field, request);
  if (field.name == "existing") return read_existing(field, request);
  if (field.name == "hash") return read_hash(field, request);
  if (field.name == "name") return read_text(field, request.name);
  if (field.name == "user_agent") return read_text(field, request.user_agent);
  if (field.name == "proxy") return read_proxy(field, request.proxy);
  if (field.name == "cookies") return read_text(field, request.cookies);
  if (field.name == "netrc") return read_text(field, request.netrc);
  if (field.name == "segments") return read_number(field, kRequestSegmentsMax, request.segments);
  if (field.name == "pages_max") return read_number(field, kRequestPagesMax, request.pages_max);
  if (field.name == "discover") request.discover = field.text == "true";
  if (field.name == "checksum") {
    auto sum = read_checksum(field.text);
    if (!sum) return refuse(field.name, wrong_with_checksum(field.text));
    request.checksum = *std::move(sum);
  }
  return read_manner(field, request);
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
    if (is_unset(field)) continue;
    if (auto read = read_field(field, request); !read) return std::unexpected{read.error()};
  }
  if (auto read = read_each(*fields, request); !read) return std::unexpected{read.error()};
  if (auto read = read_mirrors(*fields, request); !read) return std::unexpected{read.error()};
  return request;
}

void add_entry(GetRequest& request, const UrlFeed::Entry& entry) {
  if (entry.options != UrlOptions{}) request.each.try_emplace(entry.key, entry.options);
  if (const auto url = parse_url(entry.url); url && !url->user.empty())
    request.logins.try_emplace(url->origin(), url->user + ":" + url->password);
}

std::string GetRequest::key_at(std::size_t position) const {
  return keys.empty() ? canonical_url(urls.at(position)) : keys.at(position);
}

const UrlOptions& GetRequest::own(const std::string& key) const {
  static const UrlOptions none;
  const auto found = each.find(key);
  return found == each.end() ? none : found->second;
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
      std::ranges::find(filters.only, io::kind_of(known.name)) == filters.only.end())
    return "excluded_type";
  if (known.size && filters.size_min && *known.size < *filters.size_min) return "too_small";
  if (known.size && filters.size_max && *known.size > *filters.size_max) return "too_large";
  if (!known.date.empty() && !filters.date_from.empty() && known.date < filters.date_from)
    return "too_old";
  if (!known.date.empty() && !filters.date_to.empty() && known.date > filters.date_to)
    return "too_new";
  return {};
}

}  // namespace haul::engine
