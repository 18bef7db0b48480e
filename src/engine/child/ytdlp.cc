// How haul calls yt-dlp and reads its output, from Debian's 2023.03.04 on.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/ascii.h"
#include "base/json.h"
#include "engine/child/program.h"
#include "io/file/filename.h"

namespace haul::child {
namespace {

// Verbatim from 002, File Naming Contract (A2-15).
constexpr const char* kTemplate =
    "%(uploader|Unknown)s/%(upload_date>%Y-%m-%d|)s%(title).200B [%(id)s].%(ext)s";

constexpr const char* kProgress =
    "download:@P %(progress.{status,downloaded_bytes,total_bytes,total_bytes_estimate,filename})j";
constexpr const char* kPostprocess = "postprocess:@W %(progress.{status,postprocessor})j@@";
constexpr const char* kDone = "after_move:@D %(.{filepath})j";
constexpr const char* kEntry =
    "@I %(.{_type,id,title,ext,url,playlist_index,filesize,upload_date})j";

constexpr std::string_view kTransient[] = {
    "timed out",          "connection reset", "urlopen error", "temporary failure",
    "connection refused", "incompleteread",   "remote end"};

constexpr std::string_view kForGood[] = {
    "unsupported url",   "video unavailable",     "private video",
    "has been removed",  "format is not",         "drm",
    "sign in",           "login required",        "members-only",
    "no video formats",  "no suitable extractor", "not a valid url",
    "unable to extract", "is not available"};

// Reads a number as yt-dlp writes it, with or without a fraction. No value for anything else (X2).
std::optional<std::int64_t> bytes_of(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end || !std::isfinite(number) || number < 0 || number > 1e18)
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

using Fields = std::map<std::string, std::string>;

std::optional<Fields> fields_of(std::string_view json) {
  const auto read = read_object(json);
  if (!read) return std::nullopt;
  Fields fields;
  for (const JsonField& field : *read)
    if (!field.is_null) fields[field.name] = field.text;
  return fields;
}

ProgramSays read_progress(std::string_view json) {
  auto fields = fields_of(json);
  if (!fields) return {};
  Comes comes{.file = (*fields)["filename"]};
  const auto have = bytes_of((*fields)["downloaded_bytes"]);
  if (!have || comes.file.empty()) return {};
  comes.have = *have;
  comes.about = bytes_of((*fields)["total_bytes"]);
  if (!comes.about) comes.about = bytes_of((*fields)["total_bytes_estimate"]);
  if (comes.about && *comes.about < comes.have) comes.about = comes.have;  // Never above 100 %.
  return comes;
}

ProgramSays read_work(std::string_view json) {
  auto fields = fields_of(json);
  if (!fields) return {};
  if ((*fields)["status"] != "started") return Works{};
  const std::string& at = (*fields)["postprocessor"];
  if (at == "Merger") return Works{"Merging"};
  return at.starts_with("Fixup") ? Works{"Repairing"} : Works{};
}

// "20240131" as "2024-01-31", the form that filters compare.
std::string date_of(const std::string& day) {
  if (day.size() != 8) return {};
  return fmt::format("{}-{}-{}", day.substr(0, 4), day.substr(4, 2), day.substr(6, 2));
}

FoundItem item_of(Fields entry, const std::string& page, const engine::Filters& filters) {
  const auto index = bytes_of(entry["playlist_index"]);
  const bool has_a_page = entry["_type"] == "url" && check_page_url(entry["url"]).has_value();
  const PageItem where = has_a_page ? PageItem{0, entry["url"]} : PageItem{index.value_or(0), page};
  FoundItem item{.key = item_key(kYtDlp, where), .url = where.page, .size = {}, .skip = {}};
  const std::string ext = entry["ext"];
  const std::string name = entry["title"] + (ext.empty() ? "" : "." + ext);
  const bool knows = !ext.empty();  // An entry without it is a page of unknown content.
  if (knows)
    item.skip = engine::skip_reason(
        filters,
        {.name = name, .size = bytes_of(entry["filesize"]), .date = date_of(entry["upload_date"])});
  return item;
}

// yt-dlp splits its configuration as a POSIX shell splits words.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += R"('"'"')";
    else
      out += c;
  return out + "'";
}

class YtDlp final : public Program {
 public:
  std::string_view name() const override { return kYtDlp; }
  std::string_view oldest() const override { return "2023.03.04"; }
  std::size_t pages_at_once() const override { return 1; }
  std::size_t items_at_once() const override { return 1; }
  std::string_view mark() const override { return "@@"; }

  // The first line sets the encoding. Without it, the machine's locale decides.
  std::string private_options(const engine::GetRequest& request,
                              const std::vector<std::string>& pages) const override {
    std::string lines = "# coding: utf-8\n";
    for (const std::string& header : request.headers)
      lines += "--add-header " + shell_quoted(header) + "\n";
    for (const std::string& page : pages) lines += shell_quoted(page) + "\n";
    return lines;
  }

  std::vector<std::string> list_words(const ProgramCall& call) const override {
    std::vector<std::string> words = common(call);
    words.insert(words.end(), {"--flat-playlist", "--print", kEntry});
    return words;
  }

  PagesRead read_listing(const Listing& listing, const engine::Filters& filters) const override {
    const std::string& page = listing.pages.front();
    PagesRead listed;
    std::string_view left = listing.out;
    while (!left.empty()) {
      const std::string_view line = left.substr(0, left.find('\n'));
      left.remove_prefix(std::min(line.size() + 1, left.size()));
      if (!line.starts_with("@I ")) continue;
      if (auto entry = fields_of(line.substr(3)))
        listed.items.push_back(item_of(*std::move(entry), page, filters));
    }
    // yt-dlp exits with 0 only if it reached the end of the list.
    if (listed.items.empty())
      listed.faults[page] = why(listing.code, listing.said, page);
    else if (listing.code != 0)
      listed.broken[page] = why(listing.code, listing.said, page);
    return listed;
  }

  std::vector<std::string> match_words(const ProgramCall&) const override { return {}; }

  std::vector<std::string> fetch_words(const ProgramCall& call,
                                       const std::vector<PageItem>& items) const override {
    const PageItem& item = items.front();
    std::vector<std::string> words = common(call);
    words.insert(
        words.end(),
        {"--newline", "--progress", "--progress-template", kProgress, "--progress-template",
         kPostprocess, "--print", kDone, "--no-simulate", "--paths", "home:" + call.folder + "/out",
         "--paths", "temp:" + call.folder + "/tmp", "-o", kTemplate, "--playlist-items",
         std::to_string(std::max<std::int64_t>(item.index, 1))});
    if (item.index == 0) words.emplace_back("--no-playlist");
    return words;
  }

  ProgramSays read_line(io::Stream stream, const std::string& line) const override {
    const std::string_view text{line};
    if (text.starts_with("@P ")) return read_progress(text.substr(3));
    if (text.starts_with("@W ")) return read_work(text.substr(3));
    if (text.starts_with("@D ")) {
      auto fields = fields_of(text.substr(3));
      return fields ? ProgramSays{Delivered{(*fields)["filepath"]}} : ProgramSays{};
    }
    if (stream == io::Stream::err && text.starts_with("ERROR")) return Complains{line};
    return {};
  }

  Fault why(int code, const std::vector<std::string>& said, std::string_view) const override {
    const std::string& text = said.empty() ? "" : said.back();
    const std::string low = lower(text);
    const auto has = [&](std::string_view part) { return low.find(part) != std::string::npos; };
    if (has("no space left")) return {FaultKind::environment, "disk_full", text};
    if (has("file too large")) return {FaultKind::permanent, "file_too_large", text};
    if (auto fault = status_fault(text, "HTTP Error ")) return *std::move(fault);
    if (has("unsupported url")) return {FaultKind::permanent, "unsupported_url", text};
    if (std::ranges::any_of(kTransient, has)) return {FaultKind::retryable, "site_error", text};
    if (std::ranges::any_of(kForGood, has)) return {FaultKind::permanent, "site_refuses", text};
    return {FaultKind::retryable, code == 0 ? "no_file" : "program_failed",
            text.empty() ? fmt::format("yt-dlp ended with {} and said nothing", code) : text};
  }

  bool may_deliver(std::string_view name) const override {
    const io::MediaKind kind = io::kind_of(name);
    if (kind == io::MediaKind::video || kind == io::MediaKind::audio ||
        kind == io::MediaKind::image)
      return true;
    return name.ends_with(".unknown_video") || name.ends_with(".mhtml");
  }

 private:
  // yt-dlp must not retry: the flow does, and records each attempt. An attempt starts from scratch,
  // because haul never resumes a part without proof (S2-31).
  static std::vector<std::string> common(const ProgramCall& call) {
    std::vector<std::string> words{
        "--ignore-config", "--no-warnings", "--no-colors", "--no-exec", "--no-cache-dir",
        "--no-mtime", "--retries", "0", "--fragment-retries", "0", "--extractor-retries", "0",
        "--file-access-retries", "0", "--abort-on-unavailable-fragments", "--no-continue",
        // Requests may wait for the host's limit. The proxy ends stalled ones.
        "--socket-timeout", "3600"};
    if (call.apart > Millis{0})
      words.insert(words.end(),
                   {"--sleep-requests",
                    fmt::format("{:.3f}", static_cast<double>(call.apart.count()) / 1'000)});
    // Otherwise yt-dlp trusts the CA list it ships with.
    if (!call.ca_file.empty()) words.insert(words.end(), {"--compat-options", "no-certifi"});
    if (!call.cookies.empty()) words.insert(words.end(), {"--cookies", call.cookies});
    if (!call.request.user_agent.empty())
      words.insert(words.end(), {"--user-agent", call.request.user_agent});
    // yt-dlp reads this file despite --ignore-config.
    words.insert(words.end(), {"--config-locations", call.options});
    return words;
  }
};

}  // namespace

const Program& yt_dlp() {
  static const YtDlp program;
  return program;
}

}  // namespace haul::child
