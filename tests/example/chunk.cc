#include "example/chunk.h"

#include <fcntl.h>

#include <span>
#include <system_error>
#include <vector>

namespace haul::example {

io::File open_source(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  return io::File{io::Descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)}};
}

Result<std::size_t> copy_chunk(const io::File& from, io::File& to, std::int64_t at,
                               std::size_t most) {
  std::vector<std::byte> bytes(most);
  const auto got = from.read_at(bytes, at);
  if (!got) return got;
  if (auto wrote = to.write_at(std::span{bytes}.first(*got), at); !wrote)
    return std::unexpected{wrote.error()};
  return got;
}

}  // namespace haul::example
