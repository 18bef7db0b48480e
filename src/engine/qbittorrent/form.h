#pragma once
// Encodes forms with a file for the client's API.

#include <string>
#include <string_view>

#include "base/query.h"

namespace haul::qbittorrent {

struct Multipart {
  std::string content_type;
  std::string body;
};
// The fields and one file. Chooses a boundary that occurs in neither.
Multipart multipart(const QueryFields& fields, std::string_view file_name, std::string_view file);

}  // namespace haul::qbittorrent
