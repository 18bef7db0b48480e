#pragma once
// The requests that haul sends to an S3 server, as values.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "io/web/http.h"
#include "sink/bucket/bucket.h"

namespace haul::bucket {

// An object on its way to its key.
struct S3Object {
  std::string key;  // Without the prefix.
  std::int64_t size = 0;
  std::string sha256;
};

// The bytes are not in it: the caller sets `upload`. The server compares them with the SHA-256.
io::HttpRequest s3_put(const S3Settings& settings, const S3Object& object, Time now);
// Asks what the server has under the key.
io::HttpRequest s3_head(const S3Settings& settings, std::string_view key, Time now);
// A4-11: a presigned link to the object, valid for `link_for` from `now`, which is s3_now().
std::string s3_link(const S3Settings& settings, std::string_view key, Time now);

// The time of the server, as far as uploads have learned it.
Time s3_now(const S3Settings& settings, const Clock& clock);

// "https://host:port" where links of this bucket lead.
std::string s3_origin(const S3Settings& settings);

}  // namespace haul::bucket
