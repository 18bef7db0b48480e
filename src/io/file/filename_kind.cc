// Tables: the extension of each content type, and the kind of content of each extension.

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "io/file/filename.h"

namespace haul::io {
namespace {

struct Type {
  std::string_view name;
  std::string_view extension;
};
// "application/octet-stream" is missing on purpose: it says nothing.
// clang-format off
constexpr Type kTypes[] = {
    {"image/jpeg",                ".jpg"},
    {"image/png",                 ".png"},
    {"image/gif",                 ".gif"},
    {"image/webp",                ".webp"},
    {"image/avif",                ".avif"},
    {"image/heic",                ".heic"},
    {"image/heif",                ".heif"},
    {"image/jxl",                 ".jxl"},
    {"image/bmp",                 ".bmp"},
    {"image/tiff",                ".tiff"},
    {"image/svg+xml",             ".svg"},
    {"image/x-icon",              ".ico"},
    {"image/vnd.microsoft.icon",  ".ico"},
    {"video/mp4",                 ".mp4"},
    {"video/x-m4v",               ".m4v"},
    {"video/webm",                ".webm"},
    {"video/x-matroska",          ".mkv"},
    {"video/quicktime",           ".mov"},
    {"video/x-msvideo",           ".avi"},
    {"video/mpeg",                ".mpg"},
    {"video/mp2t",                ".ts"},
    {"video/x-flv",               ".flv"},
    {"video/x-ms-wmv",            ".wmv"},
    {"video/ogg",                 ".ogv"},
    {"video/3gpp",                ".3gp"},
    {"audio/mpeg",                ".mp3"},
    {"audio/mp3",                 ".mp3"},
    {"audio/mp4",                 ".m4a"},
    {"audio/x-m4a",               ".m4a"},
    {"audio/aac",                 ".aac"},
    {"audio/ogg",                 ".ogg"},
    {"audio/opus",                ".opus"},
    {"audio/flac",                ".flac"},
    {"audio/x-flac",              ".flac"},
    {"audio/wav",                 ".wav"},
    {"audio/x-wav",               ".wav"},
    {"audio/webm",                ".weba"},
    {"audio/x-ms-wma",            ".wma"},
    {"application/zip",           ".zip"},
    {"application/x-zip-compressed", ".zip"},
    {"application/gzip",          ".gz"},
    {"application/x-gzip",        ".gz"},
    {"application/x-tar",         ".tar"},
    {"application/x-xz",          ".xz"},
    {"application/x-bzip2",       ".bz2"},
    {"application/zstd",          ".zst"},
    {"application/x-7z-compressed", ".7z"},
    {"application/vnd.rar",       ".rar"},
    {"application/x-rar-compressed", ".rar"},
    {"application/vnd.comicbook+zip", ".cbz"},
    {"application/vnd.comicbook-rar", ".cbr"},
    {"application/pdf",           ".pdf"},
    {"application/epub+zip",      ".epub"},
    {"application/x-mobipocket-ebook", ".mobi"},
    {"application/vnd.amazon.ebook", ".azw"},
    {"image/vnd.djvu",            ".djvu"},
    {"application/rtf",           ".rtf"},
    {"application/msword",        ".doc"},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"},
    {"application/vnd.ms-excel",  ".xls"},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"},
    {"application/vnd.ms-powerpoint", ".ppt"},
    {"application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"},
    {"application/vnd.oasis.opendocument.text", ".odt"},
    {"application/vnd.oasis.opendocument.spreadsheet", ".ods"},
    {"application/vnd.oasis.opendocument.presentation", ".odp"},
    {"application/json",          ".json"},
    {"application/xml",           ".xml"},
    {"text/xml",                  ".xml"},
    {"text/csv",                  ".csv"},
    {"text/markdown",             ".md"},
    {"text/plain",                ".txt"},
    {"text/vtt",                  ".vtt"},
    {"application/x-subrip",      ".srt"},
    {"text/html",                 ".html"},
    {"application/xhtml+xml",     ".xhtml"},
    {"application/x-bittorrent",  ".torrent"},
};

struct Kind {
  MediaKind kind;
  std::string_view extensions;  // Each has a blank after it.
};
constexpr Kind kKinds[] = {
    {MediaKind::image,    "jpg jpeg jpe jfif png apng gif webp avif heic heif jxl bmp tif tiff "
                          "svg ico "},
    {MediaKind::video,    "mp4 m4v webm mkv mov avi mpg mpeg ts m2ts mts flv wmv ogv 3gp 3g2 vob "
                          "asf "},
    {MediaKind::audio,    "mp3 m4a m4b aac ogg oga opus flac wav weba wma aif aiff alac ape mka "
                          "mid "},
    {MediaKind::archive,  "zip gz tgz tar xz txz bz2 tbz2 zst tzst 7z rar cbz cbr cb7 cbt lz lzma "
                          "lz4 iso "},
    {MediaKind::document, "pdf epub mobi azw azw3 djvu fb2 rtf doc docx xls xlsx ppt pptx odt ods "
                          "odp txt md csv json xml "},
    {MediaKind::page,     "html htm xhtml shtml mhtml php asp aspx jsp "},
};
// clang-format on

struct Extension {
  std::string_view name;
  MediaKind kind = MediaKind::other;
};

// All extensions in the order of their names. Every file that lands is looked up here.
constexpr auto kExtensions = [] {
  constexpr auto kCount = [] {
    std::size_t count = 0;
    for (const Kind& kind : kKinds) count += std::ranges::count(kind.extensions, ' ');
    return count;
  }();
  std::array<Extension, kCount> all;
  std::size_t i = 0;
  for (const Kind& kind : kKinds)
    for (std::string_view rest = kind.extensions; !rest.empty();) {
      const std::size_t end = rest.find(' ');
      all.at(i++) = {rest.substr(0, end), kind.kind};
      rest.remove_prefix(end + 1);
    }
  std::ranges::sort(all, {}, &Extension::name);
  return all;
}();
static_assert(std::ranges::adjacent_find(kExtensions, {}, &Extension::name) == kExtensions.end(),
              "an extension has one kind");

}  // namespace

std::string_view extension_for(std::string_view content_type) {
  const std::string name = lower(trimmed(content_type.substr(0, content_type.find(';'))));
  const auto* const type = std::ranges::find(kTypes, name, &Type::name);
  return type == std::end(kTypes) ? std::string_view{} : type->extension;
}

MediaKind kind_of(std::string_view name_or_path) {
  const std::string_view name = name_or_path.substr(name_or_path.find_last_of("/\\") + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return MediaKind::other;
  const std::string extension = lower(name.substr(dot + 1));
  const auto found = std::ranges::lower_bound(kExtensions, extension, {}, &Extension::name);
  return found != kExtensions.end() && found->name == extension ? found->kind : MediaKind::other;
}

}  // namespace haul::io
