#include "support/server/fake_yandex.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"
#include "support/server/fake_web.h"

namespace haul::testing {
namespace {

constexpr std::size_t kPiece = 65'536;
constexpr int kExpiresAt = 0x5957f1e0;

std::string answer_of(std::string_view status, std::string_view type, std::string_view body,
                      std::string_view headers = "") {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n{}",
      status, type, body.size(), headers, body);
}

std::string json_answer(std::string_view status, std::string_view body,
                        std::string_view headers = "") {
  return answer_of(status, "application/json; charset=utf-8", body, headers);
}

std::string phrase_of(int status) {
  switch (status) {
    case 400:
      return "400 BAD REQUEST";
    case 401:
      return "401 UNAUTHORIZED";
    case 403:
      return "403 FORBIDDEN";
    case 404:
      return "404 NOT FOUND";
    case 423:
      return "423 LOCKED";
    case 429:
      return "429 TOO MANY REQUESTS";
    case 500:
      return "500 Internal Server Error";
    case 503:
      return "503 SERVICE UNAVAILABLE";
    default:
      return fmt::format("{} Status", status);
  }
}

// The bodies of the API: a message in Russian, a description, a word for programs.
std::string api_error(int status, std::string_view word) {
  const auto body = [&](std::string_view message, std::string_view description,
                        std::string_view error) {
    return fmt::format(R"({{"message":"{}","description":"{}","error":"{}"}})", message,
                       description, word.empty() ? error : word);
  };
  switch (status) {
    case 401:
      return body("Не авторизован.", "Unauthorized", "UnauthorizedError");
    case 403:
      return body("Доступ запрещён. Возможно, у приложения недостаточно прав для данного действия.",
                  "Forbidden", "ForbiddenError");
    case 404:
      return body("Не удалось найти запрошенный ресурс.", "Resource not found.",
                  "DiskNotFoundError");
    case 423:
      return body("Ресурс заблокирован. Возможно, над ним выполняется другая операция.",
                  "Resource is locked.", "DiskResourceLockedError");
    case 429:
      return body("Слишком много запросов.", "Too Many Requests", "TooManyRequestsError");
    default:
      return body("Ошибка.", "Error", "InternalServerError");
  }
}

std::string nginx_error(int status) {
  return fmt::format(
      "<html>\r\n<head><title>{0}</title></head>\r\n<body bgcolor=\"white\">\r\n<center><h1>{0}"
      "</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
      phrase_of(status));
}

std::string retry_after(const FakeDiskAct& act) {
  return act.retry_after.empty() ? "" : fmt::format("Retry-After: {}\r\n", act.retry_after);
}

std::string target_of(const Received& received) {
  const std::size_t from = received.head.find(' ') + 1;
  return received.head.substr(from, received.head.find(' ', from) - from);
}

SentRequest sent(const Received& received) {
  io::HttpRequest request;
  request.url = "http://h" + target_of(received);
  return read_sent(request);
}

}  // namespace

std::int64_t FakeDiskFile::size() const { return bytes.empty() ? zeros : std::ssize(bytes); }

std::string FakeDiskFile::digest(std::string_view algorithm) const {
  Hasher hasher = *Hasher::of(algorithm);
  hasher.add(std::as_bytes(std::span{bytes}));
  const std::string piece(bytes.empty() ? kPiece : 0, '\0');
  for (std::int64_t left = bytes.empty() ? zeros : 0; left > 0;) {
    const std::int64_t some = std::min<std::int64_t>(left, std::ssize(piece));
    hasher.add(std::as_bytes(std::span{piece}.first(static_cast<std::size_t>(some))));
    left -= some;
  }
  return hasher.hex();
}

FakeYandex::FakeYandex()
    : storage_{[this](Exchange& exchange) { serve_storage(exchange); }},
      download_{[this](Exchange& exchange) { serve_download(exchange); }},
      oauth_{[this](Exchange& exchange) { serve_oauth(exchange); }},
      api_{[this](Exchange& exchange) { serve_api(exchange); }} {}

void FakeYandex::put(const std::string& path, FakeDiskFile file) {
  FakeDiskEntry entry{.sha256 = file.has_digests && !file.only_md5 ? file.digest("sha256") : "",
                      .md5 = file.has_digests ? file.digest("md5") : "",
                      .file = std::move(file)};
  const Lock lock{mutex_};
  files_.insert_or_assign(path, std::move(entry));
}

void FakeYandex::remove(const std::string& path) {
  const Lock lock{mutex_};
  files_.erase(path);
}

void FakeYandex::act(DiskRoute route, FakeDiskAct act, int times) {
  const Lock lock{mutex_};
  for (int i = 0; i < times; ++i) acts_[route].push_back(act);
}

void FakeYandex::expire_token() {
  const Lock lock{mutex_};
  is_expired_ = true;
}

void FakeYandex::refuse_refresh() {
  const Lock lock{mutex_};
  refuses_refresh_ = true;
}

void FakeYandex::authorise() {
  const Lock lock{mutex_};
  is_expired_ = false;
  refuses_refresh_ = false;
}

void FakeYandex::expire_links() {
  const Lock lock{mutex_};
  expired_to_ = last_link_;
}

std::string FakeYandex::token() const {
  const Lock lock{mutex_};
  return fmt::format("y0_token{}", grants_);
}

std::string FakeYandex::refresh_token() const {
  const Lock lock{mutex_};
  return fmt::format("1:refresh{}", grants_);
}

std::vector<FakeDiskRequest> FakeYandex::requests() const {
  const Lock lock{mutex_};
  return requests_;
}

std::size_t FakeYandex::count(DiskRoute route) const {
  const Lock lock{mutex_};
  return static_cast<std::size_t>(std::ranges::count(requests_, route, &FakeDiskRequest::route));
}

bool FakeYandex::leaked_token() const {
  const Lock lock{mutex_};
  return std::ranges::any_of(requests_, [](const FakeDiskRequest& each) {
    return !each.authorization.empty() &&
           (each.route == DiskRoute::download || each.route == DiskRoute::storage);
  });
}

// Writes the request down, and says how to answer it if not as it should be.
std::optional<FakeDiskAct> FakeYandex::note(DiskRoute route, const Received& received) {
  const Lock lock{mutex_};
  requests_.push_back({.route = route,
                       .method = received.head.substr(0, received.head.find(' ')),
                       .target = target_of(received),
                       .authorization = received.header("Authorization"),
                       .body = received.body});
  std::deque<FakeDiskAct>& acts = acts_[route];
  if (acts.empty()) return std::nullopt;
  FakeDiskAct next = std::move(acts.front());
  acts.pop_front();
  return next;
}

void FakeYandex::serve_api(Exchange& exchange) {
  const SentRequest request = sent(exchange.received());
  const bool is_link = request.path == "/v1/disk/resources/download";
  const bool is_list = request.fields.contains("limit");
  const DiskRoute route = is_link                                ? DiskRoute::link
                          : request.path != "/v1/disk/resources" ? DiskRoute::other
                          : is_list                              ? DiskRoute::list
                                                                 : DiskRoute::meta;
  const FakeDiskAct act = note(route, exchange.received()).value_or(FakeDiskAct{});
  if (act.hangs) return exchange.wait_go();
  if (act.waits) exchange.wait_go();
  if (act.status != 0)
    return exchange.send(
        json_answer(phrase_of(act.status), api_error(act.status, act.error), retry_after(act)));
  if (!act.body.empty()) return exchange.send(json_answer("200 OK", act.body));
  const Lock lock{mutex_};
  const std::string expected = fmt::format("OAuth y0_token{}", grants_);
  if (is_expired_ || exchange.received().header("Authorization") != expected)
    return exchange.send(json_answer("401 UNAUTHORIZED", api_error(401, "")));
  const std::string path = request.field("path");
  if (route == DiskRoute::other || (!files_.contains(path) && !is_folder(path)))
    return exchange.send(json_answer("404 NOT FOUND", api_error(404, "")));
  exchange.send(json_answer("200 OK", is_link ? answer_link(path) : answer_meta(path, request)));
}

// One entry as the API sends it, without the members that `fields` leaves out.
std::string FakeYandex::entry(const std::string& path, const SentRequest& request,
                              const std::string& prefix) const {
  const std::string name = path == "disk:/" ? "disk" : path.substr(path.rfind('/') + 1);
  std::vector<std::pair<std::string, std::string>> members{
      {"name", json_quoted(name)},
      {"created", R"("2017-07-01T18:41:17+00:00")"},
      {"modified", R"("2017-07-01T18:41:17+00:00")"},
      {"path", json_quoted(path)},
      {"comment_ids", "{}"},
      {"exif", "{}"}};
  if (const auto found = files_.find(path); found != files_.end()) {
    const FakeDiskFile& file = found->second.file;
    members.insert(
        members.end(),
        {{"antivirus_status", R"("clean")"},
         {"type", R"("file")"},
         {"size", std::to_string(file.size())},
         {"mime_type", json_quoted(file.mime)},
         {"media_type", R"("data")"},
         {"revision", std::to_string(file.revision)},
         {"resource_id", fmt::format(R"("455675172:{}")", sha256_hex(path).substr(0, 32))}});
    if (!found->second.sha256.empty())
      members.emplace_back("sha256", json_quoted(found->second.sha256));
    if (!found->second.md5.empty()) members.emplace_back("md5", json_quoted(found->second.md5));
  } else {
    members.emplace_back("type", R"("dir")");
  }
  std::string text;
  for (const auto& [member, value] : members)
    if (request.field("fields").empty() || lists(request.field("fields"), prefix + member))
      text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", member, value);
  return text;
}

std::string FakeYandex::answer_meta(const std::string& path, const SentRequest& request) const {
  const std::string own = entry(path, request, "");
  if (files_.contains(path)) return "{" + own + "}";
  return fmt::format(R"({{{}{}"_embedded":{}}})", own, own.empty() ? "" : ",",
                     listing(path, request));
}

std::string FakeYandex::listing(const std::string& folder, const SentRequest& request) const {
  std::set<std::string> inside;
  const std::string below = folder.ends_with('/') ? folder : folder + "/";
  for (const auto& [path, file] : files_)
    if (path.starts_with(below)) inside.insert(path.substr(0, path.find('/', below.size())));
  const std::size_t offset = number_of(request.field("offset"), 0);
  const std::size_t limit = number_of(request.field("limit"), 20);
  std::string items;
  std::size_t at = 0;
  for (const std::string& path : inside) {
    const std::size_t number = at++;
    if (number < offset || number >= offset + limit) continue;
    items +=
        fmt::format("{}{{{}}}", items.empty() ? "" : ",", entry(path, request, "_embedded.items."));
  }
  return fmt::format(R"({{"sort":"","items":[{}],"limit":{},"offset":{},"path":{},"total":{}}})",
                     items, limit, offset, json_quoted(folder), inside.size());
}

bool FakeYandex::is_folder(const std::string& path) const {
  return path == "disk:/" || std::ranges::any_of(files_, [&](const auto& each) {
           return each.first.starts_with(path + "/");
         });
}

std::string FakeYandex::answer_link(const std::string& path) {
  links_[++last_link_] = path;
  const FakeDiskEntry& entry = files_[path];
  const std::string href = fmt::format(
      "http://{}/disk/{}/{:x}/{}?uid=455675172&filename={}&disposition=attachment&limit=0&"
      "content_type={}&owner_uid=455675172&fsize={}&hid=0b&media_type=data&tknv=v2&etag={}",
      download_.host(), sha256_hex(std::to_string(last_link_)), kExpiresAt, last_link_,
      percent_encoded(path.substr(path.rfind('/') + 1)), percent_encoded(entry.file.mime),
      entry.file.size(), entry.md5);
  return fmt::format(R"({{"href":{},"method":"GET","templated":false}})", json_quoted(href));
}

void FakeYandex::serve_oauth(Exchange& exchange) {
  if (!exchange.read_body()) return;
  const FakeDiskAct act = note(DiskRoute::token, exchange.received()).value_or(FakeDiskAct{});
  if (act.hangs) return exchange.wait_go();
  if (act.status != 0)
    return exchange.send(
        json_answer(phrase_of(act.status), fmt::format(R"({{"error":"{}"}})", act.error)));
  io::HttpRequest form;
  form.url = "http://h/?" + exchange.received().body;
  const SentRequest fields = read_sent(form);
  const Lock lock{mutex_};
  const bool is_good = !refuses_refresh_ && fields.field("grant_type") == "refresh_token" &&
                       fields.field("refresh_token") == fmt::format("1:refresh{}", grants_) &&
                       fields.field("client_id") == "id" &&
                       fields.field("client_secret") == "secret";
  if (!is_good)
    return exchange.send(json_answer(
        "400 Bad Request",
        R"({"error":"invalid_grant","error_description":"Token has expired or is invalid"})"));
  ++grants_;  // The old tokens end.
  is_expired_ = false;
  exchange.send(
      json_answer("200 OK", fmt::format(R"({{"access_token":"y0_token{0}","expires_in":31536000,)"
                                        R"("refresh_token":"1:refresh{0}","token_type":"bearer"}})",
                                        grants_)));
}

void FakeYandex::serve_download(Exchange& exchange) {
  const FakeDiskAct act = note(DiskRoute::download, exchange.received()).value_or(FakeDiskAct{});
  if (act.hangs) return exchange.wait_go();
  const SentRequest request = sent(exchange.received());
  const int link = static_cast<int>(number_of(request.path.substr(request.path.rfind('/') + 1), 0));
  bool is_good = false;
  {
    const Lock lock{mutex_};
    is_good = links_.contains(link) && link > expired_to_;
  }
  const int status = act.status != 0 ? act.status : is_good ? 0 : 500;
  if (status != 0)
    return exchange.send(
        answer_of(phrase_of(status), "text/html", nginx_error(status), retry_after(act)));
  const std::string to = act.location.empty()
                             ? fmt::format("http://{}/rdisk/{}", storage_.host(), link)
                             : act.location;
  exchange.send(
      answer_of("302 Moved Temporarily", "text/html", "", fmt::format("Location: {}\r\n", to)));
}

void FakeYandex::serve_storage(Exchange& exchange) {
  const FakeDiskAct act = note(DiskRoute::storage, exchange.received()).value_or(FakeDiskAct{});
  if (act.hangs) return exchange.wait_go();
  if (act.status != 0)
    return exchange.send(
        answer_of(phrase_of(act.status), "text/html", nginx_error(act.status), retry_after(act)));
  const std::string path = sent(exchange.received()).path;
  const int link = static_cast<int>(number_of(path.substr(path.rfind('/') + 1), 0));
  FakeDiskFile file;
  {
    const Lock lock{mutex_};
    const auto found = files_.find(links_[link]);
    if (found != files_.end()) file = found->second.file;
  }
  if (file.size() == 0)
    return exchange.send(answer_of("404 Not Found", "text/html", nginx_error(404)));
  send_file(exchange, file, act);
}

void FakeYandex::send_file(Exchange& exchange, const FakeDiskFile& file, const FakeDiskAct& act) {
  const bool is_chunked = act.length == -1;
  exchange.send(fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: {}\r\n{}Connection: close\r\n\r\n", file.mime,
      is_chunked ? std::string{"Transfer-Encoding: chunked\r\n"}
                 : fmt::format("Content-Length: {}\r\n", act.length.value_or(file.size()))));
  const std::int64_t all = act.length.value_or(-1) > file.size() ? *act.length : file.size();
  const std::int64_t end = std::min(act.reset_after.value_or(all), act.stop_after.value_or(all));
  for (std::int64_t at = 0; at < end;) {
    const std::int64_t some = std::min<std::int64_t>(end - at, kPiece);
    std::string piece =
        file.bytes.empty() || at >= file.size()
            ? std::string(static_cast<std::size_t>(some), '\0')
            : file.bytes.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(some));
    if (act.flip && *act.flip >= at && *act.flip < at + std::ssize(piece))
      piece[static_cast<std::size_t>(*act.flip - at)] ^= 1;
    at += std::ssize(piece);
    exchange.send(is_chunked ? fmt::format("{:x}\r\n{}\r\n", piece.size(), piece) : piece);
  }
  if (act.reset_after) return exchange.leave();
  if (is_chunked) exchange.send("0\r\n\r\n");
}

}  // namespace haul::testing
