#include "engine/imageapi/picture_type.h"

#include <doctest/doctest.h>

namespace haul::imageapi {

using namespace std::string_view_literals;

TEST_CASE("an image is what its first bytes say") {
  CHECK(picture_type("\x89PNG\r\n\x1a\n…"sv) == PictureType::png);
  CHECK(picture_type("\xff\xd8\xff\xe0…"sv) == PictureType::jpeg);
  CHECK(picture_type("RIFF\0\0\0\0WEBPVP8 "sv) == PictureType::webp);
  for (const std::string_view other :
       {""sv, "\x89PNG"sv, "\xff\xd8"sv, "RIFF\0\0\0\0WAVE"sv, "RIFF\0\0\0\0WEB"sv, "GIF89a"sv,
        "<svg xmlns="sv, "<!DOCTYPE html>"sv, "{\"error\":1}"sv})
    CHECK_FALSE(picture_type(other));
}

}  // namespace haul::imageapi
