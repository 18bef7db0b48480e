#pragma once
// What the answers of an S3 server mean.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "io/web/http.h"
#include "sink/bucket/s3_requests.h"

namespace haul::bucket {

// Whether it says that the request failed, whatever the status.
bool is_s3_error(std::string_view body);
// The Code of an error in XML. Empty if there is none: a HEAD has no body, and proxies answer in
// HTML.
std::string s3_error_code(std::string_view body);

// What an answer other than 2xx means. `body` is what came of it.
Fault s3_fault(const io::HttpHead& head, std::string_view body);

// The server's clock and haul's differ by more than 15 minutes: by how much the server's is ahead.
// No value if the answer is about something else or has no date.
std::optional<Millis> s3_skew(const io::HttpHead& head, std::string_view body, Time now);

// Whether the answer to a HEAD proves that the server has the object. The size must be the same,
// and so must the SHA-256 if the server tells one. Fault `bucket_mismatch` (retryable).
Result<void> check_proof(const io::HttpHead& head, const S3Object& object);

}  // namespace haul::bucket
