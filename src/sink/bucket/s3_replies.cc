#include "sink/bucket/s3_replies.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/text.h"
#include "io/web/http_date.h"

namespace haul::bucket {
namespace {

constexpr std::size_t kCodeMax = 100;

Fault environment(std::string code, std::string detail) {
  return {FaultKind::environment, std::move(code), std::move(detail)};
}

// Only the user can mend these, and the image waits meanwhile.
bool is_refusal(std::string_view code, int status) {
  constexpr std::string_view kCodes[] = {
      "AccessDenied",      "InvalidAccessKeyId", "SignatureDoesNotMatch", "AccountProblem",
      "AllAccessDisabled", "ExpiredToken",       "InvalidBucketName"};
  return status == 401 || status == 403 || std::ranges::find(kCodes, code) != std::end(kCodes);
}

bool is_outage(std::string_view code, int status) {
  constexpr std::string_view kCodes[] = {"InternalError", "RequestTimeout", "ServiceUnavailable",
                                         "SlowDown"};
  return status >= 500 || status == 429 || status == 408 ||
         std::ranges::find(kCodes, code) != std::end(kCodes);
}

std::string said(std::string_view code, int status) {
  return code.empty() ? fmt::format("the S3 server answered {}", status)
                      : fmt::format("the S3 server answered {} ({})", code, status);
}

}  // namespace

bool is_s3_error(std::string_view body) { return body.find("<Error") != std::string_view::npos; }

std::string s3_error_code(std::string_view body) {
  if (!is_s3_error(body)) return {};
  const std::size_t open = body.find("<Code>");
  if (open == std::string_view::npos) return {};
  const std::size_t from = open + 6;
  const std::string_view code = body.substr(from, body.find('<', from) - from);
  const bool is_word = code.size() <= kCodeMax && std::ranges::all_of(code, [](char c) {
                         return is_letter(c) || is_digit(c);
                       });
  return is_word ? std::string{code} : std::string{};
}

Fault s3_fault(const io::HttpHead& head, std::string_view body) {
  const std::string code = s3_error_code(body);
  const std::string_view region = head.find("x-amz-bucket-region");
  if (code == "NoSuchBucket" || (head.status == 404 && code.empty()))
    return environment("bucket_missing", said(code, head.status) + ": check bucket.bucket");
  if (head.status == 301 || head.status == 307 || code == "AuthorizationHeaderMalformed")
    return environment(
        "bucket_wrong_region",
        region.empty()
            ? said(code, head.status) + ": check bucket.region and bucket.endpoint"
            : fmt::format("the bucket is in the region {}: set bucket.region", printable(region)));
  if (code == "RequestTimeTooSkewed")
    return environment("clock_skewed", said(code, head.status) + ": check this machine's clock");
  if (is_refusal(code, head.status))
    return environment("bucket_unauthorised",
                       said(code, head.status) + ": check bucket.access_key and bucket.secret_key");
  if (code == "EntityTooLarge" || head.status == 413)
    return {FaultKind::permanent, "bucket_too_large", said(code, head.status)};
  if (code == "BadDigest" || code == "XAmzContentSHA256Mismatch" || code == "IncompleteBody")
    return {FaultKind::retryable, "bucket_mismatch", said(code, head.status)};
  if (is_outage(code, head.status))
    return environment("bucket_unreachable", said(code, head.status));
  return {FaultKind::retryable, "bucket_refused", said(code, head.status)};
}

std::optional<Millis> s3_skew(const io::HttpHead& head, std::string_view body, Time now) {
  if (s3_error_code(body) != "RequestTimeTooSkewed") return std::nullopt;
  const auto date = io::read_http_date(head.find("date"));
  if (!date) return std::nullopt;
  return *date - now;
}

Result<void> check_proof(const io::HttpHead& head, const S3Object& object) {
  const auto mismatch = [&](std::string_view what) {
    return std::unexpected{
        Fault{FaultKind::retryable, "bucket_mismatch",
              fmt::format("the S3 server has {} with another {}", object.key, what)}};
  };
  if (head.find("content-length") != std::to_string(object.size)) return mismatch("size");
  const std::string_view checksum = head.find("x-amz-checksum-sha256");
  if (!checksum.empty() && base64_to_hex(checksum) != object.sha256) return mismatch("SHA-256");
  const std::string_view meta = head.find("x-amz-meta-sha256");
  if (!meta.empty() && meta != object.sha256) return mismatch("SHA-256");
  return {};
}

}  // namespace haul::bucket
