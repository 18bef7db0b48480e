#include "sink/bucket/s3_landing.h"

#include <utility>

#include "io/file/copy.h"
#include "sink/bucket/file_source.h"

namespace haul::bucket {
namespace {

constexpr std::int64_t kThumbnailMax = std::int64_t{4} << 20U;

// Opens the file for each try: an upload that is repeated begins with its first byte.
Result<void> give_file(const std::string& path, const S3Object& object, io::HttpRequest& request) {
  auto file = open_staged(path);
  if (!file) return std::unexpected{file.error()};
  if (file->mark().size != object.size)
    return std::unexpected{
        Fault{FaultKind::retryable, "staged_changed", "the image has another size"}};
  request.upload = std::make_shared<FileSource>(*std::move(file), object.size, object.sha256);
  return {};
}

}  // namespace

S3Landing::S3Landing(S3Env& env, ImageToKeep image, io::PartOwner owner, Done done)
    : env_{env}, image_{std::move(image)}, owner_{std::move(owner)}, done_{std::move(done)} {}

void S3Landing::begin() {
  send(original_, image_.path,
       {.key = original_key(owner_, image_.type), .size = image_.size, .sha256 = image_.sha256},
       [this](const std::optional<Fault>& fault) {
         if (fault) return done_(fault);
         send_thumbnail();
       });
}

// A paid image is not lost because its thumbnail is.
void S3Landing::send_thumbnail() {
  if (image_.thumbnail.empty()) return done_(std::nullopt);
  const auto file = open_staged(image_.thumbnail);
  if (!file || file->mark().size > kThumbnailMax || file->mark().size < 1) {
    image_.thumbnail.clear();
    return done_(std::nullopt);
  }
  const auto hashed = io::hash_bytes(*file, {});
  if (!hashed) return done_(hashed.error());
  send(thumbnail_, image_.thumbnail,
       {.key = thumbnail_key(owner_), .size = hashed->size, .sha256 = hashed->sha256}, done_);
}

void S3Landing::send(std::optional<S3Sending>& as, const std::string& path, const S3Object& object,
                     Done done) {
  as.emplace(
      env_, object,
      [path, object](io::HttpRequest& request) { return give_file(path, object, request); },
      std::move(done));
  as->begin();
}

}  // namespace haul::bucket
