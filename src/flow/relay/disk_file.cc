#include "flow/relay/disk_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/request_value.h"
#include "lifecycle/request.h"

namespace haul::flow {
namespace {

constexpr Millis kDeadlineLeast{900'000};
constexpr Millis kDeadlineExtra{600'000};
constexpr Millis kAnswerExtra{60'000};
constexpr std::int64_t kBytesPerMilli = 100;  // 100 kB/s.

bool is_sha256(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::int64_t> read_size(const JsonField* field) {
  const auto size = field ? read_whole(field->json) : std::nullopt;
  return size && *size >= 0 ? size : std::nullopt;
}

}  // namespace

DiskFile read_disk_file(const std::string& checkpoint) {
  const auto fields = read_object(checkpoint);
  if (!fields) return {};
  const auto text = [&](std::string_view name) {
    const JsonField* field = find_field(*fields, name);
    return field ? field->text : std::string{};
  };
  DiskFile file{.name = text("name"), .size = read_size(find_field(*fields, "size"))};
  if (const std::string sha256 = lower(text("sha256")); is_sha256(sha256)) file.sha256 = sha256;
  return file;
}

std::string fingerprint_of(const DiskFile& file, const std::string& sender) {
  if (file.sha256.empty() || !file.size) return {};
  return sha256_hex(fmt::format("{}:{}:{}:{}", sender, file.sha256, *file.size, file.name));
}

Millis longer_than_least(const std::optional<std::int64_t>& size) {
  if (!size) return Millis{0};
  const Millis by_size = Millis{*size / kBytesPerMilli} + kDeadlineExtra;
  return std::max(kDeadlineLeast, by_size) - kDeadlineLeast + kAnswerExtra;
}

}  // namespace haul::flow
