#include "base/url_options.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/header_field.h"
#include "base/json.h"
#include "base/url.h"

namespace haul {
namespace {

constexpr std::size_t kNameMax = 1'000;
constexpr std::size_t kHeadersMax = 100;

std::unexpected<Fault> refuse(const std::string& path, std::string_view why) {
  return std::unexpected{
      Fault{FaultKind::rejected, "bad_request", fmt::format("{}: {}", path, why)}};
}

Result<void> read_headers(const JsonField& field, const std::string& path, UrlOptions& into) {
  auto headers = field.json.starts_with('[') ? read_array(field.json)
                                             : Result<std::vector<std::string>>{refuse("", "")};
  if (!headers) return refuse(path, "expected a list");
  if (headers->size() > kHeadersMax)
    return refuse(path, fmt::format("at most {} elements", kHeadersMax));
  for (const std::string& header : *headers)
    if (const std::string why = wrong_with_header(header); !why.empty()) return refuse(path, why);
  into.headers = *std::move(headers);
  return {};
}

Result<void> read_option(const JsonField& field, const std::string& path, UrlOptions& into) {
  if (is_unset(field)) return {};
  if (field.name == "headers") return read_headers(field, path, into);
  if (!field.json.starts_with('"')) return refuse(path, "expected a string");
  if (field.name == "checksum") {
    if (const std::string why = wrong_with_checksum(field.text); !why.empty())
      return refuse(path, why);
    into.checksum = read_checksum(field.text).value_or(Checksum{});
    return {};
  }
  if (field.name != "name" && field.name != "user_agent") return refuse(path, "no such option");
  if (field.text.size() > kNameMax) return refuse(path, fmt::format("at most {} bytes", kNameMax));
  (field.name == "name" ? into.name : into.user_agent) = field.text;
  return {};
}

}  // namespace

Result<std::map<std::size_t, UrlOptions>> read_url_options(std::string_view json) {
  const auto urls = read_object(json);
  if (!urls) return std::unexpected{urls.error()};
  std::map<std::size_t, UrlOptions> all;
  for (const JsonField& url : *urls) {
    const auto position = read_whole(url.name);
    if (!position || *position < 0) return refuse(url.name, "expected a position, from 0");
    const auto options = read_object(url.json);
    if (!options) return refuse(url.name, "expected an object");
    UrlOptions& own = all[static_cast<std::size_t>(*position)];
    for (const JsonField& option : *options)
      if (auto read = read_option(option, url.name + "." + option.name, own); !read)
        return std::unexpected{read.error()};
  }
  return all;
}

std::string ItemKeys::next(const std::string& url, const std::string& name) {
  const auto parsed = parse_url(url);
  std::string key = parsed ? parsed->text : url;
  std::vector<std::string>& known = names_[key];
  const auto found = std::ranges::find(known, name);
  const auto number = found - known.begin() + 1;
  if (found == known.end()) known.push_back(name);
  if (number > 1) key += fmt::format(" #{}", number);
  return key;
}

std::vector<std::string> item_keys(std::span<const std::string> urls,
                                   const std::map<std::size_t, UrlOptions>& options) {
  ItemKeys all;
  std::vector<std::string> keys;
  keys.reserve(urls.size());
  for (std::size_t i = 0; i < urls.size(); ++i) {
    const auto own = options.find(i);
    keys.push_back(all.next(urls[i], own == options.end() ? "" : own->second.name));
  }
  return keys;
}

}  // namespace haul
