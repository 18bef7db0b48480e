// The signatures that AWS publishes for its examples, all of one day in 2013.

#include "sink/bucket/sigv4.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/hash.h"

namespace haul::bucket {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const AwsKeys kKeys{.access_key = "AKIAIOSFODNN7EXAMPLE",
                    .secret_key = std::string{kSecret},
                    .region = "us-east-1"};
const Time kDay{std::chrono::sys_days{std::chrono::year{2013} / 5 / 24}};

AwsRequest example(std::string method, std::string path) {
  return {.method = std::move(method),
          .host = "examplebucket.s3.amazonaws.com",
          .path = std::move(path),
          .sha256 = std::string{kEmptySha256}};
}

std::string header(const SignedFields& headers, std::string_view name) {
  const auto found = std::ranges::find(headers, name, &SignedFields::value_type::first);
  return found == headers.end() ? "" : found->second;
}

std::string authorization(const AwsRequest& request) {
  return header(signed_headers(request, kKeys, kDay), "Authorization");
}

std::string signature(const AwsRequest& request) {
  const std::string text = authorization(request);
  return text.substr(text.find("Signature=") + 10);
}

}  // namespace

TEST_CASE("a GET with a range is signed as AWS's example is") {
  AwsRequest request = example("GET", "/test.txt");
  request.headers = {{"Range", "bytes=0-9"}};

  CHECK(authorization(request) ==
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  const SignedFields sent = signed_headers(request, kKeys, kDay);
  CHECK(header(sent, "x-amz-date") == "20130524T000000Z");
  CHECK(header(sent, "x-amz-content-sha256") == kEmptySha256);
  CHECK(header(sent, "host").empty());
}

TEST_CASE("a PUT with a body and a path that must be encoded is signed as AWS's example is") {
  AwsRequest request = example("PUT", "/test$file.text");
  request.headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                     {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  request.sha256 = sha256_hex("Welcome to Amazon S3.");

  CHECK(signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  CHECK(encoded_path(request.path) == "/test%24file.text");
}

TEST_CASE("queries are signed as AWS's examples are, sorted and with empty values") {
  AwsRequest one = example("GET", "/");
  one.query = {{"lifecycle", ""}};
  CHECK(signature(one) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");

  AwsRequest two = example("GET", "/");
  two.query = {{"prefix", "J"}, {"max-keys", "2"}};
  CHECK(signature(two) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST_CASE("A4-11: a link is signed as AWS's example is, and the secret is not in it") {
  const std::string target =
      signed_target(example("GET", "/test.txt"), kKeys, kDay, std::chrono::seconds{86'400});

  CHECK(target ==
        "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F"
        "20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires="
        "86400&X-Amz-SignedHeaders=host&X-Amz-Signature="
        "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
  CHECK(target.find(kSecret) == std::string::npos);
}

TEST_CASE("a path is encoded once, and its slashes stay") {
  CHECK(encoded_path("/bucket/a b/c%20d/\xc3\xa9~-._") == "/bucket/a%20b/c%2520d/%C3%A9~-._");
  CHECK(encoded_path("/") == "/");
  CHECK(encoded_path("//a//") == "//a//");
  CHECK(encoded_path("") == "");
}

TEST_CASE("another second, secret, region, host or body is another signature") {
  const AwsRequest request = example("GET", "/test.txt");
  const std::string base = header(signed_headers(request, kKeys, kDay), "Authorization");

  CHECK(header(signed_headers(request, kKeys, kDay + std::chrono::seconds{1}), "Authorization") !=
        base);
  AwsKeys keys = kKeys;
  keys.secret_key += "x";
  CHECK(header(signed_headers(request, keys, kDay), "Authorization") != base);
  keys = kKeys;
  keys.region = "eu-west-1";
  CHECK(header(signed_headers(request, keys, kDay), "Authorization") != base);
  AwsRequest other = request;
  other.host += ":8080";
  CHECK(authorization(other) != base);
  other = request;
  other.sha256 = sha256_hex("x");
  CHECK(authorization(other) != base);
}

}  // namespace haul::bucket
