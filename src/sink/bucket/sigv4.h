#pragma once
// Signs requests to S3 with AWS Signature Version 4. Pure: the caller says what time it is.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace haul::bucket {

using SignedFields = std::vector<std::pair<std::string, std::string>>;

struct AwsKeys {
  std::string access_key;
  std::string secret_key;
  std::string region;
};

struct AwsRequest {
  std::string method = "GET";
  std::string host;        // With the port, unless it is the scheme's default.
  std::string path = "/";  // Not encoded: "/bucket/a key".
  SignedFields query{};    // Not encoded.
  SignedFields headers{};  // Signed besides host, x-amz-date and x-amz-content-sha256.
  std::string sha256;      // Of the body, in hexadecimal digits.
};

inline constexpr std::string_view kEmptySha256 =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// "/bucket/a%20key": the path as it is sent and signed. Encodes once and keeps slashes.
std::string encoded_path(std::string_view path);

// All headers to send, besides Host: those of the request, x-amz-date, x-amz-content-sha256 and
// Authorization.
SignedFields signed_headers(const AwsRequest& request, const AwsKeys& keys, Time now);

// The path and query of a link that lets every holder GET the object for this long, at most a
// week. Uses the method, host, path and query of the request.
std::string signed_target(const AwsRequest& request, const AwsKeys& keys, Time now,
                          std::chrono::seconds valid_for);

}  // namespace haul::bucket
