#include "engine/imageapi/picture_type.h"

namespace haul::imageapi {

using namespace std::string_view_literals;

std::optional<PictureType> picture_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return PictureType::png;
  if (bytes.starts_with("\xff\xd8\xff"sv)) return PictureType::jpeg;
  if (bytes.starts_with("RIFF"sv) && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP"sv)
    return PictureType::webp;
  return std::nullopt;
}

std::string_view name_of(PictureType type) {
  switch (type) {
    case PictureType::png:
      return "png";
    case PictureType::jpeg:
      return "jpeg";
    case PictureType::webp:
      return "webp";
  }
  return "";  // Not reached: the switch is complete.
}

std::string_view ending_of(PictureType type) {
  return type == PictureType::jpeg ? "jpg" : name_of(type);
}

}  // namespace haul::imageapi
