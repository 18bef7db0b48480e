#include "support/server/fake_web.h"

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"

namespace haul::testing {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> fields_of(std::string_view query) {
  std::map<std::string, std::string> fields;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    fields[percent_decoded(pair.substr(0, equals))] =
        percent_decoded(pair.substr(std::min(equals + 1, pair.size())));
  }
  return fields;
}

}  // namespace

std::string SentRequest::header(std::string_view name) const {
  for (const std::string& each : headers)
    if (each.size() > name.size() + 1 && lower(each.substr(0, name.size())) == lower(name) &&
        each[name.size()] == ':')
      return std::string{trimmed(std::string_view{each}.substr(name.size() + 1))};
  return {};
}

std::string SentRequest::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string{} : found->second;
}

SentRequest read_sent(const io::HttpRequest& sent) {
  SentRequest request{
      .method = sent.method, .headers = sent.headers, .body = sent.body, .url = sent.url};
  const std::size_t scheme = sent.url.find("://");
  const std::size_t path = sent.url.find('/', scheme == std::string::npos ? 0 : scheme + 3);
  const std::size_t query = std::min(sent.url.find('?'), sent.url.size());
  if (path < query) request.path = sent.url.substr(path, query - path);
  if (query < sent.url.size())
    request.fields = fields_of(std::string_view{sent.url}.substr(query + 1));
  return request;
}

bool FakeMood::decides(const SentRequest& request) const {
  return is != Is::well && request.path.find(only) != std::string::npos;
}

std::optional<FakeReply> FakeMood::reply() const {
  switch (is) {
    case Is::unreachable:
      return FakeReply{.fault = Fault{FaultKind::retryable, "cannot_connect", "refused"}};
    case Is::unauthorized:
      return FakeReply{.status = 401, .body = "<html><h1>401 Unauthorized</h1></html>"};
    case Is::starting:
      return FakeReply{.status = 503, .headers = {{"retry-after", "5"}}};
    case Is::garbage:
      return FakeReply{.body = garbage};
    case Is::redirecting:
      return FakeReply{.status = 302, .headers = {{"location", "https://app.plex.tv/desktop"}}};
    case Is::well:
    case Is::silent:
      break;
  }
  return std::nullopt;
}

std::size_t number_of(const std::string& text, std::size_t otherwise) {
  return text.empty() ? otherwise : std::stoul(text);
}

bool has_part(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  return lower(text).find(lower(part)) != std::string::npos;
}

bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view each = list.substr(0, list.find(','));
    if (each == word) return true;
    list.remove_prefix(std::min(each.size() + 1, list.size()));
  }
  return false;
}

std::map<std::string, std::int64_t> videos_below(const std::string& folder) {
  std::map<std::string, std::int64_t> videos;
  std::error_code error;
  fs::recursive_directory_iterator at{folder, error};
  for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
    const std::string ending = at->path().extension().string();
    const bool is_video = ending == ".mkv" || ending == ".mp4" || ending == ".avi";
    if (is_video && at->is_regular_file())
      videos[at->path().string()] = static_cast<std::int64_t>(at->file_size());
  }
  return videos;
}

}  // namespace haul::testing
