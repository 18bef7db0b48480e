#pragma once
// What an image is by its first bytes, whatever its sender calls it. Pure.

#include <cstdint>
#include <optional>
#include <string_view>

namespace haul::imageapi {

enum class PictureType : std::uint8_t { png, jpeg, webp };

// No value if it is none of these: haul keeps no other type.
std::optional<PictureType> picture_type(std::string_view bytes);

// "png", "jpeg", "webp".
std::string_view name_of(PictureType type);
// "png", "jpg", "webp": the ending of a file's name.
std::string_view ending_of(PictureType type);

}  // namespace haul::imageapi
