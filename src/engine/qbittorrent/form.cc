#include "engine/qbittorrent/form.h"

#include <fmt/core.h>

#include <utility>

namespace haul::qbittorrent {

Multipart multipart(const QueryFields& fields, std::string_view file_name, std::string_view file) {
  const auto is_inside = [&](const std::string& boundary) {
    if (file.find(boundary) != std::string_view::npos) return true;
    for (const auto& [name, value] : fields)
      if (value.find(boundary) != std::string::npos) return true;
    return false;
  };
  std::string boundary = "haul-form";
  for (int i = 0; is_inside(boundary); ++i) boundary = fmt::format("haul-form-{}", i);
  std::string body;
  for (const auto& [name, value] : fields)
    body += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n",
                        boundary, name, value);
  body += fmt::format(
      "--{}\r\nContent-Disposition: form-data; name=\"torrents\"; filename=\"{}\"\r\n"
      "Content-Type: application/x-bittorrent\r\n\r\n",
      boundary, file_name);
  body.append(file).append(fmt::format("\r\n--{}--\r\n", boundary));
  return {.content_type = "multipart/form-data; boundary=" + boundary, .body = std::move(body)};
}

}  // namespace haul::qbittorrent
