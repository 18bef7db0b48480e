#include "sink/library/media_file.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "io/file/filename.h"

namespace haul::library {
namespace {

constexpr std::size_t kExtensionMax = 16;
// Videos that kind_of() does not know. No browser fetches them, but torrents have them.
constexpr std::string_view kMoreVideos[] = {".divx", ".dvr-ms", ".f4v",  ".mk3d",
                                            ".ogm",  ".rm",     ".rmvb", ".wtv"};
constexpr std::string_view kSubtitles[] = {".srt", ".ass", ".ssa", ".sub", ".idx",
                                           ".sup", ".vtt", ".smi", ".ttml"};

// Where the extension begins; the size of the name if it has none.
std::size_t dot_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return name.size();
  if (name.size() - dot - 1 > kExtensionMax || name.find(' ', dot) != std::string_view::npos)
    return name.size();
  return dot;
}

bool is_one_of(std::string_view extension, const auto& list) {
  return std::ranges::find(list, extension) != std::end(list);
}

// ".r00", ".s01", ".z01", ".001".
bool is_volume(std::string_view extension) {
  constexpr std::string_view kFirst = "rsz0123456789";
  return extension.size() == 4 && kFirst.find(extension[1]) != std::string_view::npos &&
         is_digit(extension[2]) && is_digit(extension[3]);
}

}  // namespace

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string extension_of(std::string_view path) {
  const std::string_view name = name_of(path);
  return lower(name.substr(dot_of(name)));
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = name_of(path);
  return name.substr(0, dot_of(name));
}

bool is_video(std::string_view path) {
  const std::string extension = extension_of(path);
  if (extension.empty()) return false;
  return io::kind_of(path) == io::MediaKind::video || is_one_of(extension, kMoreVideos);
}

bool is_subtitle(std::string_view path) { return is_one_of(extension_of(path), kSubtitles); }

bool is_archive(std::string_view path) {
  return io::kind_of(path) == io::MediaKind::archive || is_volume(extension_of(path));
}

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '.' && c != '-' && c != '_') out += lower(c);
  return out;
}

}  // namespace haul::library
