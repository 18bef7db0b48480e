#include "server/behaviour.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "server/digest.h"
#include "server/draft.h"

namespace haul::server {
namespace {

constexpr std::string_view kFiles = "/f/";
constexpr std::string_view kDisk = "/d/";
constexpr std::string_view kGuarded = "/auth/";
constexpr std::string_view kGuardedBy = "Basic dTpw";  // u:p
constexpr std::string_view kHtml = "text/html; charset=utf-8";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::string_view{"&<>\""}.find(c) != std::string_view::npos)
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += c;
  return out;
}

Draft html_draft(std::string_view title, std::string_view body) {
  return text_draft(200, std::string{kHtml},
                    fmt::format("<!doctype html>\n<html><head><title>{}</title></head>\n<body>\n{}"
                                "</body></html>\n",
                                title, body));
}

Draft login_draft(const Switches& switches) {
  Draft draft = switches.number("login", 0) == 2
                    ? text_draft(200, "application/json", R"({"error":"log in"})")
                    : html_draft("Log in",
                                 "<form method=\"post\" action=\"/login\"><input name=\"user\">"
                                 "<input name=\"password\" type=\"password\"></form>\n");
  const auto type = switches.text("type");
  if (!type) return draft;
  std::erase_if(draft.fields, [](const std::string& f) { return f.starts_with("Content-Type:"); });
  if (*type != "none") draft.fields.push_back("Content-Type: " + *type);
  return draft;
}

// Splits the links before decoding them, so that a link may contain a comma as %2C.
Draft page_draft(const Switches& switches) {
  std::string body;
  std::string_view links = switches.raw("links");
  while (!links.empty()) {
    const std::string_view one = links.substr(0, links.find(','));
    links.remove_prefix(std::min(one.size() + 1, links.size()));
    body += fmt::format("<a href=\"{0}\">{0}</a>\n", escaped(percent_decoded(one)));
  }
  if (const auto next = switches.text("next"))
    body += fmt::format("<a rel=\"next\" href=\"{}\">next</a>\n", escaped(*next));
  return html_draft("Page", body);
}

// The redirect's target. Empty if the file is here.
std::optional<std::string> elsewhere(const Situation& situation) {
  const Switches& switches = situation.switches;
  const std::string here = situation.request.path + "?";
  if (const auto cycle = switches.number("redirect_loop"); cycle && *cycle > 0)
    return here + switches.query_with("hop", (switches.number("hop", 0) + 1) % *cycle);
  if (const auto left = switches.number("redirect_chain"); left && *left > 0)
    return here + switches.query_with("redirect_chain", *left - 1);
  return switches.text("redirect");
}

// "date:+60" and "date:-60" become dates; any other text is sent unchanged.
std::string retry_after(const std::string& text, WallTime now) {
  constexpr std::uint64_t kCentury_s = 3'155'760'000;
  const bool is_past = text.starts_with("date:-");
  if (!is_past && !text.starts_with("date:+")) return text;
  const std::uint64_t away = read_number("retry_after", std::string_view{text}.substr(6));
  const std::chrono::seconds offset{std::min(away, kCentury_s)};
  return http_date(is_past ? now - offset : now + offset);
}

Draft file_draft(const Situation& situation, std::string_view name, WallTime now) {
  const Switches& switches = situation.switches;
  const Representation file = representation(switches, name, situation.before, now);
  const Selection part = select(situation.request, switches, file);
  Draft draft{.status = part.status};
  draft.body = Content{.seed = file.seed,
                       .first = part.first,
                       .size = part.size,
                       .damaged = switches.number("damage", kNoDamage)};
  const auto say = [&](std::string_view field, const std::string& value) {
    if (!value.empty()) draft.fields.push_back(fmt::format("{}: {}", field, value));
  };
  say("Content-Type", switches.text("type", "application/octet-stream"));
  say("ETag", file.etag);
  say("Last-Modified", file.last_modified);
  say("Content-Range", part.content_range);
  say("Content-Disposition", switches.text("disposition", ""));
  say("Content-Encoding", switches.text("encoding", ""));
  const std::string ranges = switches.text("ranges", "yes");
  if (ranges != "ignore") say("Accept-Ranges", ranges == "yes" ? "bytes" : "none");
  const auto told = [&](std::string_view name_of_switch) {
    return switches.word(name_of_switch, {"none", "good", "bad"});
  };
  if (const std::string how = told("digest"); how != "none")
    say("Repr-Digest",
        "sha-256=:" + digest(file, how == "good" ? Digest::good : Digest::bad) + ":");
  if (const std::string how = told("old_digest"); how != "none")
    say("Digest", "SHA-256=" + digest(file, how == "good" ? Digest::good : Digest::bad));
  return draft;
}

Draft status_draft(const Situation& situation, std::string_view name, std::uint64_t status,
                   WallTime now) {
  // Any other 2xx status still has the file as its body.
  if (status < 200 || status > 299)
    return text_draft(status, "text/plain", fmt::format("status {}\n", status));
  Draft draft = file_draft(situation, name, now);
  draft.status = static_cast<int>(status);
  return draft;
}

bool has_status(const Situation& situation) {
  const std::uint64_t after = situation.switches.number("status_after", 0);
  const std::uint64_t times = situation.switches.number("status_times", UINT64_MAX);
  return situation.before >= after && situation.before - after < times;
}

Draft named_draft(const Situation& situation, std::string_view name, WallTime now) {
  const Switches& switches = situation.switches;
  if (const auto to = elsewhere(situation)) {
    Draft draft = text_draft(switches.number("redirect_code", 302), "text/plain", "elsewhere\n");
    draft.fields.push_back("Location: " + *to);
    return draft;
  }
  if (const auto head = switches.number("head_status"); head && situation.request.method == "HEAD")
    return text_draft(*head, "text/plain", "as asked\n");
  const auto status = switches.number("status");
  if (status && has_status(situation)) {
    Draft draft = status_draft(situation, name, *status, now);
    if (const auto after = switches.text("retry_after"))
      draft.fields.push_back("Retry-After: " + retry_after(*after, now));
    return draft;
  }
  if (switches.number("login", 0) && situation.before >= switches.number("login_after", 0))
    return login_draft(switches);
  return file_draft(situation, name, now);
}

std::string type_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".html", "text/html; charset=utf-8"},
      {".xml", "application/rss+xml"},
      {".m3u8", "application/vnd.apple.mpegurl"},
      {".mpd", "application/dash+xml"},
      {".mp4", "video/mp4"},
      {".m4s", "video/iso.segment"},
      {".ts", "video/mp2t"},
      {".jpg", "image/jpeg"}};
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return std::string{type};
  return "application/octet-stream";
}

// A file from disk, always whole. Tests use it for its content, not for how it is sent.
Draft disk_draft(const Situation& situation, const std::string& root, std::string_view name) {
  const Switches& switches = situation.switches;
  const auto status = switches.number("status");
  if (status && has_status(situation)) return text_draft(*status, "text/plain", "as asked\n");
  const bool is_name = name.find("..") == std::string_view::npos;
  std::ifstream file{fmt::format("{}/{}", root, name), std::ios::binary};
  if (root.empty() || !is_name || !file) return text_draft(404, "text/plain", "no such file\n");
  return text_draft(200, switches.text("type", type_of(name)),
                    std::string{std::istreambuf_iterator<char>{file}, {}});
}

Draft draft_of(const Situation& situation, const std::string& root, WallTime now) {
  const std::string_view path = situation.request.path;
  if (path.starts_with(kDisk)) return disk_draft(situation, root, path.substr(kDisk.size()));
  if (path == "/page") return page_draft(situation.switches);
  if (path.starts_with(kFiles)) return named_draft(situation, path.substr(kFiles.size()), now);
  if (!path.starts_with(kGuarded)) return text_draft(404, "text/plain", "no such path\n");
  if (situation.request.header("authorization") == kGuardedBy)
    return named_draft(situation, path.substr(kGuarded.size()), now);
  Draft draft = text_draft(401, "text/plain", "who are you?\n");
  draft.fields.emplace_back("WWW-Authenticate: Basic realm=\"fault\"");
  return draft;
}

std::string as_json(const std::map<std::string, std::uint64_t>& counts) {
  std::string json;
  for (const auto& [path, count] : counts)
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", json_quoted(path), count);
  return "{" + json + "}\n";
}

}  // namespace

Answer Behaviour::answer(const Request& request, WallTime now) {
  const Switches none{""};
  if (!is_counted(request))
    return finished(text_draft(200, "application/json", as_json(counts_)), {request, none});
  const std::uint64_t before = counts_[request.path]++;
  try {
    const Switches switches{request.query};
    const Situation situation{request, switches, before};
    Draft draft = draft_of(situation, root_, now);
    draft.fields.push_back("Date: " + http_date(now));
    if (const auto cookie = switches.text("set_cookie"))
      draft.fields.push_back("Set-Cookie: " + *cookie);
    return finished(std::move(draft), situation);
  } catch (const BadSwitch& why) {
    return finished(text_draft(400, "text/plain", fmt::format("{}\n", why.what())),
                    {request, none});
  }
}

Answer refusal(int status) {
  return {
      status,
      {Text{fmt::format("HTTP/1.1 {} Fault\r\nConnection: close\r\n\r\n", status)}, End::close}};
}

}  // namespace haul::server
