#include "io/web/head_reader.h"

#include <utility>

#include "base/ascii.h"

namespace haul::io {
namespace {

constexpr std::size_t kHeadersMax = 200;   // Header lines of one head.
constexpr std::size_t kBytesMax = 65'536;  // Bytes of these lines together.
constexpr std::size_t kHeadersUsual = 16;
constexpr int kInformationalMax = 20;  // Heads of one answer, with the final one.

}  // namespace

bool HeadReader::refuse(const char* why) {
  fault_ = Fault{FaultKind::permanent, "bad_answer", why};
  return false;
}

bool HeadReader::add(std::string_view line) {
  if (std::exchange(is_first_, false)) {  // The status line.
    head_ = {};
    head_.headers.reserve(kHeadersUsual);
    bytes_ = 0;
    return ++heads_ <= kInformationalMax || refuse("too many heads");
  }
  bytes_ += line.size();
  if (bytes_ > kBytesMax || head_.headers.size() >= kHeadersMax)
    return refuse("the head is too large");
  const auto colon = line.find(':');
  if (colon != std::string_view::npos && !ended_)
    head_.headers.emplace_back(lower(trimmed(line.substr(0, colon))),
                               std::string{trimmed(line.substr(colon + 1))});
  return true;
}

// Refuses transfer codings but chunked and identity: libcurl would decode them without a limit.
bool HeadReader::end(int status) {
  head_.status = status;
  if (status < 100) return refuse("the status is no number from 100");
  // haul asks for no other protocol, and libcurl would pass on what follows as a body.
  if (status == 101) return refuse("the server switches to another protocol");
  is_first_ = status < 200;  // Another head follows.
  if (is_first_) return true;
  ended_ = true;
  for (const auto& [name, value] : head_.headers)
    if (name == "transfer-encoding" && lower(value) != "chunked" && lower(value) != "identity")
      return refuse("an unknown transfer coding");
  return true;
}

std::string HeadReader::codings() const {
  std::string all;
  for (const auto& [name, value] : head_.headers)
    if (name == "content-encoding") all += (all.empty() ? "" : ",") + value;
  return all;
}

}  // namespace haul::io
