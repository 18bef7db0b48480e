#include "engine/yandexdisk/disk_path.h"

#include <algorithm>

#include "base/utf8.h"

namespace haul::yandexdisk {
namespace {

constexpr std::string_view kScheme = "disk:";
constexpr std::string_view kRoot = "disk:/";
constexpr std::size_t kPathMax = 32'760;  // Characters.
constexpr std::size_t kNameMax = 255;

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_path", std::move(detail)}};
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string wrong_with_name(std::string_view name) {
  if (name.empty()) return "an empty name between two slashes";
  if (name == "." || name == "..") return "a dot segment";
  if (characters_in(name) > kNameMax) return "a name of more than 255 characters";
  return {};
}

}  // namespace

Result<std::string> disk_path(std::string_view text) {
  if (text.starts_with(kScheme)) text.remove_prefix(kScheme.size());
  if (!text.starts_with('/'))
    return refuse("a path on the disk begins with / or disk:/, such as disk:/Books/a.pdf");
  if (has_control(text)) return refuse("the path has control characters or is not UTF-8");
  std::string path = std::string{kScheme} + std::string{text};
  if (characters_in(path) > kPathMax) return refuse("the path is longer than 32760 characters");
  for (std::string_view rest = text.substr(1);;) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    if (const std::string wrong = wrong_with_name(name); !wrong.empty())
      return refuse("the path has " + wrong);
    if (name.size() == rest.size()) return path;
    rest.remove_prefix(name.size() + 1);
  }
}

Result<std::string> disk_folder(std::string_view text) {
  if (text == "/" || text == kRoot) return std::string{kRoot};
  if (text.ends_with('/')) text.remove_suffix(1);
  return disk_path(text);
}

std::string name_in(std::string_view path) { return std::string{path.substr(path.rfind('/') + 1)}; }

}  // namespace haul::yandexdisk
