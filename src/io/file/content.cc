#include "io/file/content.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/ascii.h"
#include "base/text.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

constexpr std::size_t kMediaLeast = 8;  // No picture, film or sound is shorter.
constexpr std::size_t kTitleMax = 80;
constexpr std::size_t kShownMax = 300;  // Bytes of unexpected content that the fault quotes.
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kBlanks = " \t\r\n\f";
// Binary document formats. The other documents are text.
constexpr std::string_view kByteDocuments[] = {".pdf",  ".epub", ".mobi", ".azw", ".azw3",
                                               ".djvu", ".doc",  ".docx", ".xls", ".xlsx",
                                               ".ppt",  ".pptx", ".odt",  ".ods", ".odp"};

bool ends_with_any(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

bool is_media(std::string_view name) {
  const MediaKind kind = kind_of(name);
  return kind == MediaKind::image || kind == MediaKind::video || kind == MediaKind::audio;
}

// UTF-16 begins with a byte order mark. In mostly ASCII pages one byte of each character is zero,
// so dropping the zeros leaves readable text.
std::string narrowed(std::string_view head) {
  if (!head.starts_with("\xff\xfe") && !head.starts_with("\xfe\xff")) return std::string{head};
  std::string text;
  std::ranges::copy_if(head.substr(2), std::back_inserter(text), [](char c) { return c != '\0'; });
  return text;
}

// Terminal escapes occur in text; other control characters do not.
bool is_text(std::string_view head) {
  return std::ranges::all_of(head, [](char c) {
    return static_cast<unsigned char>(c) >= ' ' || c == '\x1b' ||
           kBlanks.find(c) != std::string_view::npos;
  });
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

std::string title_of(std::string_view page) {
  const std::string low = lower(page);
  const std::size_t tag = low.find("<title");
  const std::size_t begin = tag == std::string::npos ? tag : low.find('>', tag);
  if (begin == std::string::npos) return {};
  const std::string_view title = page.substr(begin + 1, low.find('<', begin) - begin - 1);
  return printable(trimmed(title.substr(0, kTitleMax)));
}

std::string what_markup(std::string_view text) {
  if (lower(text.substr(0, 5)) == "<?xml" && lower(text).find("<html") == std::string::npos)
    return "an XML document";
  const std::string title = title_of(text);
  return title.empty() ? "a web page" : fmt::format("a web page titled \"{}\"", title);
}

// A tag, not the beginning of a longer word.
bool begins_with_tag(std::string_view text, std::string_view tag) {
  if (lower(text.substr(0, tag.size())) != tag) return false;
  const char next = text.size() > tag.size() ? text[tag.size()] : '>';
  return next == '>' || next == '/' || next == '\0' || kBlanks.find(next) != std::string_view::npos;
}

// No format of bytes begins as these do, whatever comes after.
bool is_surely_markup(std::string_view text) {
  constexpr std::string_view kTags[] = {"<!doctype html", "<html",   "<head",
                                        "<body",          "<script", "<?xml"};
  return std::ranges::any_of(kTags,
                             [&](std::string_view tag) { return begins_with_tag(text, tag); });
}

// An object with the name of its first member.
bool is_surely_json(std::string_view text) {
  constexpr std::size_t kNameMax = 256;
  if (!text.starts_with('{')) return false;
  text = without_blanks(text.substr(1));
  if (!text.starts_with('"')) return false;
  const std::size_t end = text.substr(0, kNameMax).find('"', 1);
  if (end == std::string_view::npos) return false;
  return without_blanks(text.substr(end + 1)).starts_with(':');
}

// No format of bytes begins as the others do and goes on without a control character.
std::string what_text(std::string_view head) {
  const std::string narrow = narrowed(head);
  std::string_view text{narrow};
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = without_blanks(text);
  if (is_surely_markup(text)) return what_markup(text);
  if (is_surely_json(text)) return "JSON";
  if (text.size() < 2 || !is_text(text)) return {};
  const char next = text[1];
  if (text[0] == '<' && (is_letter(next) || next == '!' || next == '?')) return what_markup(text);
  const std::string_view rest = without_blanks(text.substr(1));
  const char first = rest.empty() ? '\0' : rest[0];
  if (text[0] == '{' && (first == '"' || first == '}')) return "JSON";
  constexpr std::string_view kFirstInArray = "{[\"]-tfn0123456789";
  if (text[0] == '[' && first != '\0' && kFirstInArray.find(first) != std::string_view::npos)
    return "JSON";
  return {};
}

// The first bytes inside a gzip file. Empty if they cannot be read.
std::string unpacked(std::string_view head) {
  constexpr int kGzipWindow = 15 + 16;
  std::string text(kContentSample, '\0');
  std::string packed{head};
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  const int said = inflate(&stream, Z_SYNC_FLUSH);
  const bool is_good = said == Z_OK || said == Z_STREAM_END || said == Z_BUF_ERROR;
  text.resize(is_good ? text.size() - stream.avail_out : 0);
  inflateEnd(&stream);
  return text;
}

// What a gzip file of this name should contain, in lower case: "a.tar" for "a.tar.gz". A name
// without a gzip extension makes the same promise for the content.
std::string name_inside(std::string_view name) {
  std::string low = lower(name);
  if (low.ends_with(".tgz")) return low.substr(0, low.size() - 4) + ".tar";
  if (low.ends_with(".gz")) return low.substr(0, low.size() - 3);
  return low;
}

// The beginning on one line: enough for a person to tell a login page from a rate limit or a ban.
std::string beginning_of(std::string_view head) {
  std::string shown;
  for (const char c : without_blanks(head).substr(0, kShownMax)) {
    const bool is_blank = kBlanks.find(c) != std::string_view::npos;
    if (!is_blank || !shown.ends_with(' ')) shown += is_blank ? ' ' : c;
  }
  return printable(shown);
}

}  // namespace

bool promises_bytes(std::string_view name) {
  const std::string low = lower(name);
  switch (kind_of(low)) {
    case MediaKind::image:
      return !low.ends_with(".svg");
    case MediaKind::video:
    case MediaKind::audio:
    case MediaKind::archive:
      return true;
    case MediaKind::document:
      return ends_with_any(low, kByteDocuments);
    case MediaKind::page:
    case MediaKind::other:
      return false;
  }
  return false;
}

std::string unexpected_in(std::string_view name, std::string_view head) {
  if (!promises_bytes(name)) return {};
  if (is_media(name) && head.size() < kMediaLeast) return fmt::format("{} bytes", head.size());
  if (std::string text = what_text(head); !text.empty()) return text;
  if (!head.starts_with(kGzip) || !promises_bytes(name_inside(name))) return {};
  const std::string text = what_text(unpacked(head));
  return text.empty() ? "" : fmt::format("{}, packed by gzip,", text);
}

bool is_web_page(const File& file) {
  std::array<std::byte, kContentSample> sample{};
  const auto got = file.read_at(sample, 0);
  return got &&
         what_text({reinterpret_cast<const char*>(sample.data()), *got}).starts_with("a web page");
}

Result<void> check_content(const File& file, std::string_view name) {
  if (!promises_bytes(name)) return {};
  std::array<std::byte, kContentSample> sample{};
  const auto got = file.read_at(sample, 0);
  if (!got) return std::unexpected{got.error()};
  const std::string_view head{reinterpret_cast<const char*>(sample.data()), *got};
  const std::string what = unexpected_in(name, head);
  if (what.empty()) return {};
  std::string detail =
      fmt::format("{} came instead of {}; a login may be needed", what, printable(name));
  if (is_text(head)) detail += "; it begins: " + beginning_of(head);
  return std::unexpected{Fault{FaultKind::permanent, "unexpected_content", std::move(detail)}};
}

}  // namespace haul::io
