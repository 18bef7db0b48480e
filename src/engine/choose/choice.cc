#include "engine/choose/choice.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/json.h"
#include "base/request_value.h"
#include "io/file/filename.h"
#include "seam/item_key.h"

namespace haul::choose {
namespace {

// Extensions of pages that a server generates, and of media playlists.
constexpr std::string_view kOfPages[] = {".html", ".htm", ".xhtml", ".php", ".asp", ".aspx",
                                         ".jsp",  ".cgi", ".pl",    ".do",  ".xml", ".rss",
                                         ".m3u8", ".m3u", ".mpd",   ".f4m", ".ism"};
constexpr std::size_t kEndingMax = 6;  // Including the dot. Anything longer is part of a title.

}  // namespace

Guess guess_by_name(std::string_view url) {
  const std::string name = lower(io::url_name(url));
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return Guess::unknown;
  const std::string_view ending = std::string_view{name}.substr(dot);
  if (ending.size() < 2 || ending.size() > kEndingMax) return Guess::unknown;
  const bool is_word = std::ranges::all_of(
      ending.substr(1), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
  if (!is_word || std::ranges::find(kOfPages, ending) != std::end(kOfPages)) return Guess::unknown;
  return Guess::file;
}

bool may_have_media(std::string_view content_type) {
  const std::string type = lower(content_type.substr(0, content_type.find(';')));
  for (const std::string_view part : {"html", "xml", "mpegurl", "dash"})
    if (type.find(part) != std::string::npos && type.find("svg") == std::string::npos) return true;
  return false;
}

std::string with_urls(std::string_view request, const std::vector<std::string>& urls) {
  const auto fields = read_object(request);
  if (!fields) return std::string{request};
  std::string list;
  for (const std::string& url : urls) list += (list.empty() ? "" : ",") + json_quoted(url);
  std::string out = fmt::format(R"("urls":[{}])", list);
  for (const JsonField& field : *fields)
    if (field.name != "url" && field.name != "urls")
      out += fmt::format(",{}:{}", json_quoted(field.name), field.json);
  return "{" + out + "}";
}

Result<std::string> engine_wanted(std::string_view request) {
  if (request.find("\"engine\"") == std::string_view::npos) return std::string{kAuto};
  const auto fields = read_object(request);
  if (!fields) return std::unexpected{fields.error()};
  for (const JsonField& field : *fields) {
    if (field.name != "engine" || is_unset(field)) continue;
    for (const std::string_view engine : {kAuto, kHttp, kYtDlp, kGalleryDl})
      if (field.text == engine) return field.text;
    return std::unexpected{Fault{FaultKind::rejected, "bad_request",
                                 "engine: expected auto, http, yt-dlp or gallery-dl"}};
  }
  return std::string{kAuto};
}

}  // namespace haul::choose
