#include "sink/bucket/s3_requests.h"

#include <fmt/core.h>

#include "base/hash.h"
#include "sink/bucket/sigv4.h"
#include "sink/bucket/staged_image.h"

namespace haul::bucket {
namespace {

constexpr Millis kConnectTimeout{10'000};
constexpr Millis kAnswerTimeout{60'000};

struct S3Address {
  std::string scheme;  // "https://"
  std::string host;    // With the port, unless it is the scheme's default.
  std::string path;    // Not encoded.
};

S3Address address_of(const S3Settings& settings, std::string_view key) {
  const std::size_t at = settings.endpoint.find("://") + 3;
  S3Address address{.scheme = settings.endpoint.substr(0, at),
                    .host = settings.endpoint.substr(at),
                    .path = fmt::format("/{}{}", settings.prefix, key)};
  if (settings.path_style)
    address.path = "/" + settings.bucket + address.path;
  else
    address.host = settings.bucket + "." + address.host;
  return address;
}

AwsKeys keys_of(const S3Settings& settings) {
  return {settings.access_key, settings.secret_key, settings.region};
}

io::HttpRequest signed_request(const S3Settings& settings, AwsRequest request, Time now,
                               std::string_view key) {
  const S3Address address = address_of(settings, key);
  request.host = address.host;
  request.path = address.path;
  io::HttpRequest sent{.method = request.method,
                       .url = address.scheme + address.host + encoded_path(address.path),
                       .headers = {},
                       .answer_timeout = kAnswerTimeout,
                       .user_agent = "haul",
                       .direct = true,
                       .ca_file = settings.ca_file,
                       .connect_timeout = kConnectTimeout,
                       .head_timeout = kAnswerTimeout,
                       .reach = {.private_too = true, .allowed = {}}};
  for (const auto& [name, value] : signed_headers(request, keys_of(settings), now))
    sent.headers.push_back(fmt::format("{}: {}", name, value));
  return sent;
}

}  // namespace

io::HttpRequest s3_put(const S3Settings& settings, const S3Object& object, Time now) {
  AwsRequest request{.method = "PUT", .host = {}, .sha256 = object.sha256};
  const std::string_view type = content_type(object.key);
  request.headers = {{"content-type", std::string{type.empty() ? "text/plain" : type}},
                     {"x-amz-checksum-sha256", base64_of(bytes_of_hex(object.sha256))},
                     {"x-amz-meta-sha256", object.sha256}};
  io::HttpRequest sent = signed_request(settings, std::move(request), now, object.key);
  sent.upload_size = object.size;
  return sent;
}

io::HttpRequest s3_head(const S3Settings& settings, std::string_view key, Time now) {
  AwsRequest request{.method = "HEAD", .host = {}, .sha256 = std::string{kEmptySha256}};
  request.headers = {{"x-amz-checksum-mode", "ENABLED"}};
  return signed_request(settings, std::move(request), now, key);
}

std::string s3_link(const S3Settings& settings, std::string_view key, Time now) {
  const S3Address address = address_of(settings, key);
  AwsRequest request{.method = "GET", .host = address.host, .path = address.path, .sha256 = {}};
  request.query = {{"response-content-disposition", "inline"},
                   {"response-content-type", std::string{content_type(key)}}};
  return address.scheme + address.host +
         signed_target(request, keys_of(settings), now, settings.link_for);
}

Time s3_now(const S3Settings& settings, const Clock& clock) {
  return clock.now() + settings.skew->load();
}

std::string s3_origin(const S3Settings& settings) {
  const S3Address address = address_of(settings, "");
  return address.scheme + address.host;
}

}  // namespace haul::bucket
