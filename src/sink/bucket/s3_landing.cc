#include "sink/bucket/s3_landing.h"

#include <utility>

#include "io/file/copy.h"
#include "sink/bucket/file_source.h"
#include "sink/bucket/s3_replies.h"

namespace haul::bucket {
namespace {

constexpr std::int64_t kThumbnailMax = std::int64_t{4} << 20U;
constexpr io::HttpBounds kPutBounds{.body_max = std::size_t{64} << 10U,
                                    .within = std::chrono::minutes{10}};
constexpr io::HttpBounds kHeadBounds{.body_max = std::size_t{64} << 10U,
                                     .within = std::chrono::minutes{1}};

bool is_good(const io::HttpWhole& answer) {
  return answer.head.status >= 200 && answer.head.status < 300;
}

// The network and the server are haul's environment: the image waits, and costs no attempt.
Fault call_fault(const Fault& fault) {
  if (fault.code == "staged_changed" || fault.code == "staged_gone") return fault;
  return {FaultKind::environment, "bucket_unreachable",
          "the S3 server cannot be reached: " + fault.detail};
}

}  // namespace

S3Landing::S3Landing(S3Env& env, ImageToKeep image, JobId job, Done done)
    : env_{env}, image_{std::move(image)}, job_{job}, done_{std::move(done)}, fetcher_{env.loop} {}

void S3Landing::begin() { send_original(); }

void S3Landing::send_original() {
  put(image_.path,
      {.key = original_key(job_, image_.type), .size = image_.size, .sha256 = image_.sha256});
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
  put(image_.thumbnail,
      {.key = thumbnail_key(job_), .size = hashed->size, .sha256 = hashed->sha256});
}

void S3Landing::put(const std::string& path, S3Object object) {
  auto file = open_staged(path);
  if (!file) return done_(file.error());
  if (file->mark().size != object.size)
    return done_(Fault{FaultKind::retryable, "staged_changed", "the image has another size"});
  io::HttpRequest request = s3_put(env_.settings, object, env_.now());
  request.upload = std::make_shared<FileSource>(*std::move(file), object.size, object.sha256);
  has_sent_ = true;
  fetcher_.fetch(request, kPutBounds, [this, path, object](const Result<io::HttpWhole>& answer) {
    see_put(path, object, answer);
  });
}

void S3Landing::see_put(const std::string& path, const S3Object& object,
                        const Result<io::HttpWhole>& answer) {
  if (!answer) return done_(call_fault(answer.error()));
  if (is_good(*answer)) return prove(object);
  if (takes_clock_of(*answer)) return put(path, object);
  done_(s3_fault(answer->head, answer->body));
}

void S3Landing::prove(const S3Object& object) {
  fetcher_.fetch(s3_head(env_.settings, object.key, env_.now()), kHeadBounds,
                 [this, object](const Result<io::HttpWhole>& answer) { see_head(object, answer); });
}

void S3Landing::see_head(const S3Object& object, const Result<io::HttpWhole>& answer) {
  if (!answer) return done_(call_fault(answer.error()));
  if (!is_good(*answer)) return done_(s3_fault(answer->head, answer->body));
  if (const auto proof = check_proof(answer->head, object); !proof) return done_(proof.error());
  if (std::exchange(has_original_, true)) return done_(std::nullopt);
  send_thumbnail();
}

bool S3Landing::takes_clock_of(const io::HttpWhole& answer) {
  const auto skew = s3_skew(answer.head, answer.body, env_.clock.now());
  if (!skew || std::exchange(has_new_clock_, true)) return false;
  env_.settings.skew->store(*skew);
  return true;
}

}  // namespace haul::bucket
