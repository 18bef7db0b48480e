#include "sink/bucket/s3_replies.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "base/hash.h"

namespace haul::bucket {
namespace {

std::string xml(std::string_view code) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{}</Code><Message>m</Message>"
      "</Error>",
      code);
}

Fault fault(int status, std::string_view code) {
  return s3_fault({.status = status, .headers = {}}, code.empty() ? "" : xml(code));
}

}  // namespace

TEST_CASE("the code of an error is read from its XML, and from nothing else") {
  CHECK(s3_error_code(xml("NoSuchBucket")) == "NoSuchBucket");
  CHECK(s3_error_code("<Error><Code></Code></Error>").empty());
  for (const char* body : {"", "<html><body>502</body></html>", "<Error><Code>a b</Code></Error>",
                           "<Error><Code>", "<Code>NoSuchBucket</Code>"}) {
    CAPTURE(body);
    CHECK(s3_error_code(body).empty());
  }
  CHECK(s3_error_code(xml(std::string(101, 'x'))).empty());
}

TEST_CASE("X19: what only a user can mend, and a server that is down, cost a job no attempt") {
  struct Case {
    int status;
    const char* code;
    const char* fault;
  };
  for (const Case& each :
       {Case{403, "AccessDenied", "bucket_unauthorised"},
        Case{403, "InvalidAccessKeyId", "bucket_unauthorised"},
        Case{403, "SignatureDoesNotMatch", "bucket_unauthorised"},
        Case{403, "", "bucket_unauthorised"}, Case{403, "RequestTimeTooSkewed", "clock_skewed"},
        Case{404, "NoSuchBucket", "bucket_missing"}, Case{404, "", "bucket_missing"},
        Case{301, "PermanentRedirect", "bucket_wrong_region"},
        Case{400, "AuthorizationHeaderMalformed", "bucket_wrong_region"},
        Case{500, "InternalError", "bucket_unreachable"},
        Case{503, "SlowDown", "bucket_unreachable"}, Case{429, "", "bucket_unreachable"},
        Case{400, "RequestTimeout", "bucket_unreachable"},
        Case{200, "SlowDown", "bucket_unreachable"},
        Case{200, "AccessDenied", "bucket_unauthorised"},
        Case{200, "NoSuchBucket", "bucket_missing"}}) {
    CAPTURE(each.status);
    CAPTURE(each.code);
    CHECK(fault(each.status, each.code).code == each.fault);
    CHECK(fault(each.status, each.code).kind == FaultKind::environment);
  }
}

TEST_CASE("bytes that arrived damaged are sent again, and an image too large never") {
  CHECK(fault(400, "BadDigest").kind == FaultKind::retryable);
  CHECK(fault(400, "XAmzContentSHA256Mismatch").code == "bucket_mismatch");
  CHECK(fault(400, "EntityTooLarge").kind == FaultKind::permanent);
  CHECK(fault(413, "").kind == FaultKind::permanent);
  CHECK(fault(400, "Unheard").kind == FaultKind::retryable);
}

TEST_CASE("a wrong region is named if the server tells the right one") {
  const Fault told = s3_fault({.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-3"}}},
                              xml("PermanentRedirect"));
  CHECK(told.detail.find("eu-west-3") != std::string::npos);
}

TEST_CASE("the server's clock counts only if the server says that haul's is wrong") {
  const Time now{std::chrono::sys_days{std::chrono::year{2026} / 2 / 3}};
  const io::HttpHead head{.status = 403, .headers = {{"date", "Tue, 03 Feb 2026 01:00:00 GMT"}}};

  CHECK(s3_skew(head, xml("RequestTimeTooSkewed"), now) == Millis{3'600'000});
  CHECK_FALSE(s3_skew(head, xml("AccessDenied"), now));
  CHECK_FALSE(s3_skew({.status = 403, .headers = {}}, xml("RequestTimeTooSkewed"), now));
}

TEST_CASE("a HEAD proves an object by its size and by every SHA-256 that it tells") {
  const std::string sha256 = sha256_hex("an image");
  const S3Object object{.key = "originals/7/0.png", .size = 8, .sha256 = sha256};
  const std::string good = base64_of(bytes_of_hex(sha256));
  const std::string bad = base64_of(bytes_of_hex(sha256_hex("x")));
  const auto proves = [&](std::vector<std::pair<std::string, std::string>> headers) {
    return check_proof({.status = 200, .headers = std::move(headers)}, object).has_value();
  };

  CHECK(proves({{"content-length", "8"}}));
  CHECK(proves({{"content-length", "8"}, {"x-amz-checksum-sha256", good}}));
  CHECK(proves({{"content-length", "8"}, {"x-amz-meta-sha256", sha256}}));
  CHECK_FALSE(proves({}));
  CHECK_FALSE(proves({{"content-length", "7"}}));
  CHECK_FALSE(proves({{"content-length", "9"}}));
  CHECK_FALSE(proves({{"content-length", "8"}, {"x-amz-checksum-sha256", bad}}));
  CHECK_FALSE(proves({{"content-length", "8"}, {"x-amz-meta-sha256", sha256_hex("x")}}));
}

}  // namespace haul::bucket
