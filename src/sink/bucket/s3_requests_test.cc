#include "sink/bucket/s3_requests.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace haul::bucket {
namespace {

const Time kNow{std::chrono::sys_days{std::chrono::year{2026} / 2 / 3} + std::chrono::hours{4}};
const std::string kSha(64, 'a');

S3Settings settings() {
  return {.endpoint = "http://127.0.0.1:9000",
          .bucket = "pictures",
          .region = "eu-test-1",
          .access_key = "AKTEST",
          .secret_key = "canary",
          .prefix = "haul one/"};
}

bool has(const std::vector<std::string>& headers, std::string_view begin) {
  return std::ranges::any_of(headers, [&](const auto& each) { return each.starts_with(begin); });
}

}  // namespace

TEST_CASE("a PUT names its key, its length, its type, and the SHA-256 in three signed headers") {
  const io::HttpRequest request =
      s3_put(settings(), {.key = "originals/7/0.png", .size = 9, .sha256 = kSha}, kNow);

  CHECK(request.method == "PUT");
  CHECK(request.url == "http://127.0.0.1:9000/pictures/haul%20one/originals/7/0.png");
  CHECK(request.upload_size == 9);
  CHECK(has(request.headers, "content-type: image/png"));
  CHECK(has(request.headers, "x-amz-content-sha256: " + kSha));
  CHECK(has(request.headers, "x-amz-checksum-sha256: qqqq"));
  CHECK(has(request.headers, "x-amz-meta-sha256: " + kSha));
  CHECK(has(request.headers,
            "Authorization: AWS4-HMAC-SHA256 Credential=AKTEST/20260203/eu-test-1/s3/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date;"
            "x-amz-meta-sha256, Signature="));
}

TEST_CASE("a bucket is in the path, or in the host's name if the settings say so") {
  S3Settings by_host = settings();
  by_host.path_style = false;
  by_host.endpoint = "https://s3.eu-test-1.example";

  CHECK(s3_head(by_host, "originals/7/0.png", kNow).url ==
        "https://pictures.s3.eu-test-1.example/haul%20one/originals/7/0.png");
  CHECK(s3_head(settings(), "a", kNow).url == "http://127.0.0.1:9000/pictures/haul%20one/a");
  CHECK(s3_origin(by_host) == "https://pictures.s3.eu-test-1.example");
  CHECK(s3_origin(settings()) == "http://127.0.0.1:9000");
}

TEST_CASE("A4-11: a link is valid for as long as the settings say, and shows an image inline") {
  const std::string link = s3_link(settings(), "originals/7/0.png", kNow);

  CHECK(link.starts_with("http://127.0.0.1:9000/pictures/haul%20one/originals/7/0.png?"));
  CHECK(link.find("X-Amz-Expires=600&") != std::string::npos);
  CHECK(link.find("response-content-type=image%2Fpng") != std::string::npos);
  CHECK(link.find("response-content-disposition=inline") != std::string::npos);
}

TEST_CASE("the secret key is in no request and no link") {
  const auto put = s3_put(settings(), {.key = "a.png", .size = 1, .sha256 = kSha}, kNow);
  const auto head = s3_head(settings(), "a.png", kNow);
  for (const io::HttpRequest& request : {put, head}) {
    CHECK(request.url.find("canary") == std::string::npos);
    for (const std::string& header : request.headers)
      CHECK(header.find("canary") == std::string::npos);
  }
  CHECK(s3_link(settings(), "a.png", kNow).find("canary") == std::string::npos);
}

}  // namespace haul::bucket
