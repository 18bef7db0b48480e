#pragma once
// What a server's reply means for a download, as a pure function of its head. The one rule behind
// all others: bytes of two versions of a file are never joined.

#include <cstdint>
#include <optional>
#include <string>

#include "base/fault.h"
#include "base/time.h"
#include "engine/http/request.h"
#include "io/http.h"

namespace haul {

// What tells one version of a file from another.
struct Version {
  std::string etag;           // Strong ones only.
  std::string last_modified;  // Only if it is old enough to be told from the next.
  std::optional<std::int64_t> size;

  bool is_strong() const { return !etag.empty() || !last_modified.empty(); }
  // For If-Range.
  const std::string& validator() const { return etag.empty() ? last_modified : etag; }
  bool operator==(const Version&) const = default;
};

struct Asked {
  std::int64_t from = 0;  // Zero and not a range: all of it.
  bool is_range = false;  // Asked for with Range and If-Range.
  Version known;          // As earlier answers said.
  std::string_view url;   // Whose extension says what is expected.
  Time now;
};

enum class Meaning : std::uint8_t {
  whole,     // The body is the file from its first byte.
  part,      // The body goes on where the asked range begins.
  complete,  // There is no more than what we have.
  changed,   // What we have is of another version: begin again.
  moved,     // Ask there instead.
  coded,     // The body is coded although we asked for it plain: ask for it decoded.
  fault,
};

struct Reply {
  Meaning meaning = Meaning::fault;
  Fault fault;
  std::int64_t wait_ms = 0;  // Retry-After.
  std::string location;
  Version version;
  bool takes_ranges = false;  // Said so, or proved it.
  std::string name;           // The server's, raw.
  std::string type;           // The content's, lower case, without parameters.
  Checksum digest;            // Of the whole file, if the server gave one.
  bool length_proven = true;  // Else only the closing of the connection tells its end.
};

// Whether the body is decoded on its way here.
enum class Coding : std::uint8_t { plain, decoded };

Reply judge_reply(const Asked& asked, const HttpHead& head, Coding coding = Coding::plain);

}  // namespace haul
