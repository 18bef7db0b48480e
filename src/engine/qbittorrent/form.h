#pragma once
// Encodes forms for the client's API, which reads the parameters of a POST only from its body.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haul::qbittorrent {

using FormFields = std::vector<std::pair<std::string, std::string>>;

// "hashes=a%7Cb&deleteFiles=false"
std::string form_encoded(const FormFields& fields);

struct Multipart {
  std::string content_type;
  std::string body;
};
// The fields and one file. Chooses a boundary that occurs in neither.
Multipart multipart(const FormFields& fields, std::string_view file_name, std::string_view file);

}  // namespace haul::qbittorrent
