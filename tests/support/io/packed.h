#pragma once
// Compressed bytes, as a server would send them.

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

namespace haul::testing {

enum class Wrap : std::uint8_t { gzip, zlib, bare };

inline std::string packed(const std::string& plain, Wrap wrap = Wrap::gzip, int level = 1) {
  z_stream stream{};
  const int window = wrap == Wrap::gzip ? 31 : wrap == Wrap::zlib ? 15 : -15;
  REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace haul::testing
