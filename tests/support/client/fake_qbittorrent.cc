#include "support/client/fake_qbittorrent.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "base/json.h"
#include "engine/qbittorrent/magnet.h"
#include "engine/qbittorrent/torrent_file.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(at));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (!trimmed(part).empty()) parts.emplace_back(trimmed(part));
  }
  return parts;
}

std::map<std::string, std::string> fields_of(std::string_view form) {
  std::map<std::string, std::string> fields;
  for (const std::string& pair : split(form, '&')) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    fields[percent_decoded(pair.substr(0, equals))] =
        percent_decoded(pair.substr(std::min(equals + 1, pair.size())));
  }
  return fields;
}

std::string header_of(const io::HttpRequest& sent, std::string_view name) {
  for (const std::string& header : sent.headers)
    if (lower(header.substr(0, name.size())) == lower(name)) return header.substr(name.size());
  return {};
}

// Reads the fields and the one file of a multipart body.
void read_multipart(const std::string& body, const std::string& boundary, FakeRequest& request) {
  const std::string mark = "--" + boundary;
  for (std::size_t at = body.find(mark); at != std::string::npos;) {
    const std::size_t next = body.find(mark, at + mark.size());
    if (next == std::string::npos) return;
    const std::string part = body.substr(at + mark.size() + 2, next - at - mark.size() - 4);
    const std::size_t blank = part.find("\r\n\r\n");
    const std::size_t name = part.find("name=\"") + 6;
    const std::string value = part.substr(blank + 4);
    if (part.find("filename=") < blank)
      request.file = value;
    else
      request.fields[part.substr(name, part.find('"', name) - name)] = value;
    at = next;
  }
}

FakeRequest read(const io::HttpRequest& sent) {
  FakeRequest request{.method = sent.method,
                      .cookie = header_of(sent, "Cookie: "),
                      .authorization = header_of(sent, "Authorization: ")};
  const std::size_t api = sent.url.find("/api/v2/") + 8;
  const std::size_t query = sent.url.find('?');
  request.action = sent.url.substr(api, std::min(query, sent.url.size()) - api);
  const std::string type = header_of(sent, "Content-Type: ");
  if (sent.method != "POST" && query != std::string::npos)
    request.fields = fields_of(std::string_view{sent.url}.substr(query + 1));
  else if (type.starts_with("multipart/"))
    read_multipart(sent.body, type.substr(type.find("boundary=") + 9), request);
  else if (sent.method == "POST")  // qBittorrent ignores the query of a POST.
    request.fields = fields_of(sent.body);
  return request;
}

std::string field(const FakeRequest& request, const std::string& name) {
  const auto found = request.fields.find(name);
  return found == request.fields.end() ? "" : found->second;
}

}  // namespace

std::string FakeTorrent::json() const {
  std::string all;
  for (const std::string& tag : tags) all += (all.empty() ? "" : ", ") + tag;
  const bool known = state != "metaDL";
  return fmt::format(
      R"({{"added_on":1755300000,"amount_left":{},"category":{},"completed":{},"completion_on":-1,)"
      R"("content_path":{},"dlspeed":5242880,"download_path":{},"eta":8640000,"hash":"{}",)"
      R"("infohash_v1":"{}","infohash_v2":"{}","last_activity":{},"name":"a name","progress":{},)"
      R"("save_path":{},{}"size":{},"state":"{}","tags":{},"total_size":{}}})",
      known ? size - have : 0, json_quoted(category), have, json_quoted(content_path),
      json_quoted(download_path), id, v1, v2, last_activity, have == size ? "1" : "0.5",
      json_quoted(save_path), sharing, known ? size : 0, state, json_quoted(all),
      known ? size : -1);
}

std::string FakeTorrent::files_json() const {
  std::string list;
  for (const FakeContent& file : files)
    list += fmt::format(R"({}{{"availability":1,"is_seed":true,"name":{},)"
                        R"("piece_range":[0,1],"priority":{},"progress":1,"size":{}}})",
                        list.empty() ? "" : ",", json_quoted(file.name), file.priority, file.size);
  return "[" + list + "]";
}

std::optional<FakeReply> FakeQbittorrent::answer(const io::HttpRequest& sent) {
  if (is_down) return FakeReply{.fault = Fault{FaultKind::retryable, "cannot_connect", "refused"}};
  const FakeRequest request = read(sent);
  log.push_back(request);
  for (Instead& each : instead) {
    if (each.action != request.action || each.times == 0) continue;
    --each.times;
    if (each.reply.status == 0) return std::nullopt;
    return each.reply;
  }
  return act(request);
}

bool FakeQbittorrent::lets_in(const FakeRequest& request) const {
  if (!asks_for_login) return true;
  if (!api_key.empty() && request.authorization == "Bearer " + api_key) return true;
  return sessions_.contains(request.cookie);
}

FakeReply FakeQbittorrent::done() const {
  return shape_ == Shape::v5 ? FakeReply{.status = 204} : FakeReply{.body = "Ok."};
}

FakeReply FakeQbittorrent::act(const FakeRequest& request) {
  if (request.action == "auth/login") return login(request);
  if (!lets_in(request)) return {.status = 403, .body = "Forbidden"};
  if (request.action == "app/webapiVersion")
    return {.body = shape_ == Shape::v5 ? "2.15.1" : "2.8.19"};
  if (request.action == "torrents/info") return info(request);
  if (request.action == "torrents/files") return files(request);
  if (request.action == "torrents/categories") return {.body = categories};
  if (request.action == "app/preferences") return {.body = preferences};
  if (request.action == "app/getDirectoryContent" && shape_ == Shape::v5)
    return list_folder(request);
  if (request.method != "POST") return {.status = 405, .body = "Method Not Allowed"};
  if (request.action == "torrents/add") return add(request);
  if (request.action == "torrents/addTags") return change_tags(request, true);
  if (request.action == "torrents/removeTags") return change_tags(request, false);
  if (request.action == "torrents/delete") return remove(request);
  return {.status = 404, .body = "Endpoint does not exist"};
}

FakeReply FakeQbittorrent::login(const FakeRequest& request) {
  if (bad_logins >= 5) return {.status = 403, .body = "Your IP address has been banned"};
  if (field(request, "username") != username || field(request, "password") != password) {
    ++bad_logins;
    return shape_ == Shape::v5 ? FakeReply{.status = 401, .body = "Unauthorized"}
                               : FakeReply{.body = "Fails."};
  }
  bad_logins = 0;
  const std::string pair = fmt::format("{}=ab/+{}==", cookie_name, ++logins_);
  sessions_.insert(pair);
  FakeReply reply = done();
  reply.headers.emplace_back("set-cookie", pair + "; HttpOnly; path=/; SameSite=Strict");
  return reply;
}

FakeReply FakeQbittorrent::info(const FakeRequest& request) const {
  const std::vector<std::string> ids = split(field(request, "hashes"), '|');
  const std::string tag = field(request, "tag");
  std::string list;
  const auto put = [&](const FakeTorrent& torrent) {
    if (is_empty || (!tag.empty() && !torrent.tags.contains(tag))) return;
    list += (list.empty() ? "" : ",") + torrent.json();
  };
  if (ids.empty())
    for (const auto& [id, torrent] : torrents) put(torrent);
  for (const std::string& id : ids)
    if (const auto found = torrents.find(id); found != torrents.end()) put(found->second);
  return {.body = "[" + list + "]"};
}

FakeReply FakeQbittorrent::files(const FakeRequest& request) const {
  const auto found = torrents.find(field(request, "hash"));
  if (found == torrents.end()) return {.status = 404, .body = "Torrent hash was not found"};
  return {.body = found->second.files_json()};
}

// As the real one does, it leaves hidden files out.
FakeReply FakeQbittorrent::list_folder(const FakeRequest& request) const {
  const std::string folder = field(request, "dirPath");
  const auto here = disk.here(folder);
  std::error_code error;
  if (!here || !std::filesystem::is_directory(*here, error))
    return {.status = 404, .body = "Directory does not exist"};
  std::string list;
  for (const auto& entry : std::filesystem::directory_iterator{*here}) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() || name.starts_with('.')) continue;
    list += (list.empty() ? "" : ",") + json_quoted(folder + "/" + name);
  }
  return {.body = "[" + list + "]"};
}

FakeReply FakeQbittorrent::add(const FakeRequest& request) {
  const FakeReply nothing_new = shape_ == Shape::v5 ? FakeReply{.status = 409, .body = "Conflict"}
                                                    : FakeReply{.body = "Fails."};
  qbittorrent::InfoHash hash;
  if (!request.file.empty()) {
    const auto torrent = qbittorrent::read_torrent(request.file);
    if (!torrent) return {.status = 415, .body = "it is not a torrent"};
    hash = torrent->hash;
  } else {
    const auto magnet = qbittorrent::read_magnet(field(request, "urls"));
    if (!magnet) return nothing_new;
    hash = *magnet;
  }
  for (const auto& [id, each] : torrents)
    if (each.id == hash.id() || (!hash.v1.empty() && each.v1 == hash.v1)) return nothing_new;
  FakeTorrent torrent{.id = hash.id(), .v1 = hash.v1, .v2 = hash.v2};
  for (std::string& tag : split(field(request, "tags"), ',')) torrent.tags.insert(std::move(tag));
  torrent.category = field(request, "category");
  if (shows_added) torrents[torrent.id] = torrent;
  if (shape_ == Shape::v4) return {.body = "Ok."};
  return {.body = fmt::format(R"({{"added_torrent_ids":["{}"],"failure_count":0,)"
                              R"("pending_count":0,"success_count":1}})",
                              torrent.id)};
}

FakeReply FakeQbittorrent::change_tags(const FakeRequest& request, bool put) {
  for (const std::string& id : split(field(request, "hashes"), '|')) {
    const auto found = torrents.find(id);
    if (found == torrents.end()) continue;
    for (const std::string& tag : split(field(request, "tags"), ','))
      if (put)
        found->second.tags.insert(tag);
      else
        found->second.tags.erase(tag);
  }
  return done();
}

FakeReply FakeQbittorrent::remove(const FakeRequest& request) {
  if (!request.fields.contains("hashes") || !request.fields.contains("deleteFiles"))
    return {.status = 400, .body = "Bad Request"};
  for (const std::string& id : split(field(request, "hashes"), '|')) torrents.erase(id);
  return done();
}

int FakeQbittorrent::count(std::string_view action) const {
  return static_cast<int>(std::ranges::count(log, action, &FakeRequest::action));
}

std::string FakeQbittorrent::told() {
  std::string text;
  for (; told_ < log.size(); ++told_) {
    const FakeRequest& each = log[told_];
    text += (text.empty() ? "" : " ") + each.action;
    if (each.action != "torrents/info") continue;
    for (const auto& [name, value] : each.fields) text += fmt::format("?{}={}", name, value);
  }
  return text;
}

}  // namespace haul::testing
