#include "flow/request.h"

#include "base/utf8.h"

namespace haul {
namespace {

constexpr bool kRequired = true;

// clang-format off
constexpr RequestField kBookFields[] = {
    {"book_id",    "string",  "Which book; one that is not known is made", kRequired},
    {"title",      "string",  "What it is called"},
    {"media_type", "string",  "What of it", kRequired, {"text", "audio"}},
    {"uri",        "string",  "A magnet link, or where its torrent is", kRequired},
    {"source",     "string",  "Who offers it", kRequired},
    {"source_url", "string",  "Where it was found"},
    {"delete_files_on_cancel", "boolean", "Whether what has come goes with a cancel"},
};
constexpr RequestField kMediaFields[] = {
    {"kind",         "string", "What it is", false, {"movie", "series"}},
    {"title",        "string", "What it is called", kRequired},
    {"year",         "number", "From when it is"},
    {"season",       "number", "Of a series"},
    {"episode",      "number", "Of a season"},
    {"quality",      "string", "How good it is"},
    {"uri",          "string", "Where to get it"},
    {"engine",       "string", "Who fetches it", false, {"qbittorrent", "http"}},
    {"release_name", "string", "What the release is called", kRequired},
};
constexpr RequestField kBatchFields[] = {
    {"url",        "string",  "An address"},
    {"urls",       "list",    "Many addresses"},
    {"engine",     "string",  "Who fetches it", false, {"auto", "http", "yt-dlp", "gallery-dl"}},
    {"folder",     "string",  "Where it goes"},
    {"filters",    "object",  "What is passed over"},
    {"discover",   "boolean", "Fetch the media a page links to"},
    {"pages_max",  "number",  "How many pages to follow"},
    {"cookies",    "string",  "A file of cookies"},
    {"proxy",      "string",  "Go through this"},
    {"checksum",   "string",  "sha256:… of a single file"},
    {"headers",    "list",    "Sent with each request"},
    {"user_agent", "string",  "Sent with each request"},
    {"name",       "string",  "What a single file is called"},
    {"segments",   "number",  "Connections for one large file"},
    {"limits",     "object",  "per_host, delay, speed_limit: tighter than usual"},
    {"naming",     "string",  "How files are named"},
    {"logins",     "object",  "Taken out of addresses, by origin"},
    {"netrc",      "string",  "A file of logins"},
};
constexpr RequestField kRelayFields[] = {
    {"user_id", "string", "Who gets it", kRequired},
    {"chat_id", "string", "Where it is sent", kRequired},
    {"file_id", "string", "Its path on the disk", kRequired},
    {"nonce",   "string", "Tells one wish from another", kRequired},
};
constexpr RequestField kImageFields[] = {
    {"prompt", "string", "What is to be seen", kRequired},
    {"params", "object", "As the provider has them"},
};
// clang-format on

constexpr std::size_t kBookIdMax = 200;
constexpr std::size_t kTitleMax = 1'000;

bool has_control(std::string_view text) {
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    if (next.size == 0 || is_control(next.code)) return true;
    text.remove_prefix(next.size);
  }
  return false;
}

}  // namespace

std::string wrong_with_book_id(std::string_view id) {
  if (id.empty()) return "it is wanted";
  if (id.size() > kBookIdMax) return "200 bytes at most";
  if (id == "." || id == ".." || id.find_first_of("/\\") != std::string_view::npos)
    return "it may not be a path";
  return has_control(id) ? "it has control characters" : "";
}

std::string wrong_with_title(std::string_view title) {
  return title.size() > kTitleMax ? "1,000 bytes at most" : "";
}

std::span<const RequestField> request_fields(const Lifecycle& lifecycle) {
  if (lifecycle.name == "book") return kBookFields;
  if (lifecycle.name == "media") return kMediaFields;
  if (lifecycle.name == "batch") return kBatchFields;
  if (lifecycle.name == "relay") return kRelayFields;
  if (lifecycle.name == "image") return kImageFields;
  return {};
}

}  // namespace haul
