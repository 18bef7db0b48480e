#include "sink/bucket/staged_image.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/ascii.h"
#include "base/json.h"

namespace haul::bucket {
namespace {

constexpr std::string_view kOriginals = "originals/";
constexpr std::string_view kThumbnails = "thumbnails/";
constexpr std::size_t kSha256Digits = 64;
constexpr std::size_t kEvidenceMax = 16'384;
constexpr std::int64_t kImageMax = std::int64_t{1} << 30U;  // S3 takes 5 GiB at once.

std::string_view ending_of(std::string_view type) { return type == "jpeg" ? "jpg" : type; }

std::unexpected<Fault> bad_staged(std::string detail) {
  return std::unexpected{Fault{FaultKind::permanent, "bad_staged", std::move(detail)}};
}

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_sha256(std::string_view text) { return text.size() == kSha256Digits && is_hex(text); }

// "a1b2c3d4e5f6/7": the folders of a job's keys.
std::string folders_of(const io::PartOwner& owner) {
  return fmt::format("{}/{}", owner.store, owner.job.value);
}

std::int64_t whole(const std::string& text) {
  return JsonScalar{JsonScalar::Kind::number, text}.whole().value_or(0);
}

}  // namespace

Result<ImageToKeep> read_staged(const Parcel& parcel) {
  if (parcel.evidence.size() > kEvidenceMax) return bad_staged("the evidence is too long");
  const auto fields = read_object(parcel.evidence);
  if (!fields) return bad_staged("the image has no evidence");
  std::map<std::string, std::string> texts;
  for (const JsonField& field : *fields)
    if (!field.is_null) texts[field.name] = field.text;
  ImageToKeep image{.path = parcel.path,
                    .size = parcel.size,
                    .type = texts["type"],
                    .width = whole(texts["width"]),
                    .height = whole(texts["height"]),
                    .sha256 = texts["sha256"],
                    .thumbnail = texts["thumbnail"]};
  if (image.type != "png" && image.type != "jpeg" && image.type != "webp")
    return bad_staged("the image has no known type");
  if (!is_sha256(image.sha256)) return bad_staged("the image has no SHA-256");
  if (!image.path.starts_with('/') || image.size < 1) return bad_staged("there is no image");
  if (image.size > kImageMax) return bad_staged("the image is too large for a bucket");
  if (!image.thumbnail.empty() && !image.thumbnail.starts_with('/'))
    return bad_staged("the thumbnail has no path");
  return image;
}

std::string original_key(const io::PartOwner& owner, std::string_view type) {
  return fmt::format("{}{}/0.{}", kOriginals, folders_of(owner), ending_of(type));
}

std::string thumbnail_key(const io::PartOwner& owner) {
  return fmt::format("{}{}/0.jpg", kThumbnails, folders_of(owner));
}

std::string thumbnail_of(std::string_view original) {
  if (!original.starts_with(kOriginals) || content_type(original).empty()) return {};
  std::string_view rest = original.substr(kOriginals.size());
  const auto take = [&rest] {
    const std::string_view folder = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    return folder;
  };
  const std::string_view store = take();
  const std::string_view job = take();
  const bool is_key = !store.empty() && is_hex(store) && !job.empty() &&
                      std::ranges::all_of(job, is_digit) && rest.starts_with("0.") &&
                      rest.find('/') == std::string_view::npos;
  return is_key ? fmt::format("{}{}/{}/0.jpg", kThumbnails, store, job) : std::string{};
}

std::string_view content_type(std::string_view key) {
  if (key.ends_with(".png")) return "image/png";
  if (key.ends_with(".jpg")) return "image/jpeg";
  if (key.ends_with(".webp")) return "image/webp";
  return {};
}

std::string landed_evidence(const ImageToKeep& image, const io::PartOwner& owner,
                            std::string_view bucket) {
  return fmt::format(
      R"({{"bucket":"{}","key":"{}","size":{},"sha256":"{}","type":"{}","width":{},"height":{},)"
      R"("thumbnail":"{}"}})",
      bucket, original_key(owner, image.type), image.size, image.sha256, image.type, image.width,
      image.height, image.thumbnail.empty() ? "" : thumbnail_key(owner));
}

}  // namespace haul::bucket
