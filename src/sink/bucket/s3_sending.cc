#include "sink/bucket/s3_sending.h"

#include <utility>

#include "base/hash.h"
#include "sink/bucket/s3_replies.h"

namespace haul::bucket {
namespace {

constexpr io::HttpBounds kPutBounds{.body_max = std::size_t{64} << 10U,
                                    .within = std::chrono::minutes{10}};
constexpr io::HttpBounds kHeadBounds{.body_max = std::size_t{64} << 10U,
                                     .within = std::chrono::minutes{1}};
constexpr const char* kCheckKey = "haul-check.txt";
constexpr const char* kCheckText = "haul writes this to find out whether it can keep images here\n";

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

S3Sending::S3Sending(S3Env& env, S3Object object, GiveBytes give, Done done)
    : env_{env},
      object_{std::move(object)},
      give_{std::move(give)},
      done_{std::move(done)},
      fetcher_{env.loop} {}

void S3Sending::begin() {
  io::HttpRequest request = s3_put(env_.settings, object_, env_.now());
  if (const auto given = give_(request); !given) return done_(given.error());
  has_sent_ = true;
  fetcher_.fetch(request, kPutBounds,
                 [this](const Result<io::HttpWhole>& answer) { see_put(answer); });
}

void S3Sending::see_put(const Result<io::HttpWhole>& answer) {
  if (!answer) return done_(call_fault(answer.error()));
  // S3 begins some answers before it knows their outcome: an error then has the status 200.
  if (is_good(*answer) && !is_s3_error(answer->body))
    return fetcher_.fetch(s3_head(env_.settings, object_.key, env_.now()), kHeadBounds,
                          [this](const Result<io::HttpWhole>& head) { see_head(head); });
  if (takes_clock_of(*answer)) return begin();
  done_(s3_fault(answer->head, answer->body));
}

void S3Sending::see_head(const Result<io::HttpWhole>& answer) {
  if (!answer) return done_(call_fault(answer.error()));
  if (!is_good(*answer)) return done_(s3_fault(answer->head, answer->body));
  if (const auto proof = check_proof(answer->head, object_); !proof) return done_(proof.error());
  done_(std::nullopt);
}

bool S3Sending::takes_clock_of(const io::HttpWhole& answer) {
  const auto skew = s3_skew(answer.head, answer.body, env_.clock.now());
  if (!skew || std::exchange(has_new_clock_, true)) return false;
  env_.settings.skew->store(*skew);
  return true;
}

std::unique_ptr<S3Sending> make_check(S3Env& env, S3Sending::Done done) {
  const std::string text = kCheckText;
  S3Object object{.key = kCheckKey, .size = std::ssize(text), .sha256 = sha256_hex(text)};
  const auto give = [text](io::HttpRequest& request) -> Result<void> {
    request.body = text;
    request.upload_size.reset();
    return {};
  };
  return std::make_unique<S3Sending>(env, std::move(object), give, std::move(done));
}

}  // namespace haul::bucket
