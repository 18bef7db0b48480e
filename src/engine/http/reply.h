#pragma once
// What a server's reply means for a download, as a pure function of its head. The one rule behind
// all others: bytes of two versions of a file are never joined.

#include <cstdint>
#include <optional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "engine/get_request.h"
#include "io/web/http.h"

namespace haul::http {

// Distinguishes one version of a file from another.
struct Version {
  std::string etag;           // Only a strong one.
  std::string last_modified;  // Only if it is old enough to tell this version from the next.
  std::optional<std::int64_t> size;

  bool is_strong() const { return !etag.empty() || !last_modified.empty(); }
  // The value of If-Range.
  const std::string& validator() const { return etag.empty() ? last_modified : etag; }
  bool operator==(const Version&) const = default;
};

struct SentRequest {
  std::int64_t from = 0;  // First byte. Zero without a range: the whole file.
  bool is_range = false;  // The request has Range and If-Range.
  Version known;          // From earlier replies.
  bool was_page = false;  // These replies had the content type of a page or of JSON.
  std::string_view url;   // Its extension says what content is expected.
  Time now;
};

enum class Meaning : std::uint8_t {
  whole,     // The body is the file from its first byte.
  part,      // The body begins where the requested range does.
  complete,  // All bytes are already here.
  changed,   // The bytes so far are of another version: start over.
  moved,     // A redirect: ask `location` instead.
  coded,     // The body is compressed, although haul asked for identity: ask for it decoded.
  fault,
};

// The validators as the server sent them, also those that prove no resume.
struct Given {
  std::string etag;
  std::string last_modified;

  bool operator==(const Given&) const = default;
};

struct Reply {
  Meaning meaning = Meaning::fault;
  Fault fault;
  std::int64_t wait_ms = 0;  // From Retry-After.
  std::string location;
  Version version;
  Given given{};
  bool takes_ranges = false;  // The server said so, or has sent a range.
  std::string name;           // From Content-Disposition, not sanitised.
  std::string type;           // Content type in lower case, without parameters.
  Checksum digest;            // Of the whole file, if the server gave one.
  bool length_proven = true;  // False if only the closed connection marks the end of the body.
};

// Whether a content type is that of a web page or of JSON: of what a server sends in place of a
// file, such as a login page.
bool is_page_type(std::string_view type);

// Whether the HTTP loop decodes the body.
enum class Coding : std::uint8_t { plain, decoded };

Reply judge_reply(const SentRequest& sent, const io::HttpHead& head, Coding coding = Coding::plain);

}  // namespace haul::http
