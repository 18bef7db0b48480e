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

using Wrong = std::string (*)(std::string_view text);

// A list whose elements the rule accepts.
Result<void> read_list(const JsonField& field, const std::string& path, std::size_t most,
                       Wrong wrong, std::vector<std::string>& into) {
  auto elements = field.json.starts_with('[') ? read_array(field.json)
                                              : Result<std::vector<std::string>>{refuse("", "")};
  if (!elements) return refuse(path, "expected a list");
  if (elements->size() > most) return refuse(path, fmt::format("at most {} elements", most));
  for (const std::string& element : *elements)
    if (const std::string why = wrong(element); !why.empty()) return refuse(path, why);
  into = *std::move(elements);
  return {};
}

Result<void> read_size(const JsonField& field, const std::string& path, UrlOptions& into) {
  into.size = read_whole(field.json);
  if (!into.size || *into.size < 0 || *into.size > kFileSizeMax)
    return refuse(path, fmt::format("expected a whole number from 0 to {}", kFileSizeMax));
  return {};
}

Result<void> read_pieces(const JsonField& field, const std::string& path, UrlOptions& into) {
  auto pieces = read_piece_hashes(field.json);
  if (!pieces) return refuse(path, pieces.error().detail);
  into.pieces = *std::move(pieces);
  return {};
}

Result<void> read_option(const JsonField& field, const std::string& path, UrlOptions& into) {
  if (is_unset(field)) return {};
  if (field.name == "headers")
    return read_list(field, path, kHeadersMax, wrong_with_header, into.headers);
  if (field.name == "mirrors")
    return read_list(field, path, kMirrorsMax, wrong_with_mirror, into.mirrors);
  if (field.name == "size") return read_size(field, path, into);
  if (field.name == "pieces") return read_pieces(field, path, into);
  if (field.name == "public") {
    into.is_public = field.json == "true";
    return into.is_public || field.json == "false" ? Result<void>{}
                                                   : refuse(path, "expected true or false");
  }
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

std::string wrong_with_mirror(std::string_view url) {
  const auto read = parse_url(url);
  if (!read) return read.error().detail;
  return read->user.empty() ? "" : "a mirror's URL cannot have a login";
}

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
    if (!own.pieces.empty() && !own.size)
      return refuse(url.name + ".pieces", "they need the file's size");
    if (const std::string why = wrong_with_pieces(own.pieces, own.size.value_or(0)); !why.empty())
      return refuse(url.name + ".pieces", why);
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
