#pragma once
// What a later start of a download needs to resume it: the part, and which bytes of which version
// of the file are in it. The store keeps it with the item.

#include <optional>
#include <string>
#include <string_view>

#include "engine/http/arrivals.h"
#include "engine/http/ranges.h"
#include "engine/http/reply.h"
#include "io/file/checkpoint.h"

namespace haul::http {

struct HttpCheckpoint {
  io::Checkpoint file;
  std::string etag;
  std::string last_modified;
  Ranges here;                // Flushed bytes.
  Checksum digest;            // From the server.
  bool length_proven = true;  // False if only the closed connection marked the end of the body.
  bool unchecked = false;     // The certificate of the server was not checked.
  bool as_page = false;       // The server calls these bytes a web page or JSON.
  // Of a file with several sources:
  std::string source{};                  // Whose validators these are. Empty: the item's own URL.
  bool alone = false;                    // Bytes of several sources did not fit together.
  std::optional<std::int64_t> agreed{};  // The size that each source must have.
  std::string senders{};                 // URLs that have sent bytes, separated by blanks.
  // Of a file whose link a user has replaced:
  bool replaced = false;  // The item's URL has the file of `source`, a former link, says the user.
  std::string former{};   // The former link, once its bytes are joined with those of the new one.
  Arrivals arrivals{};    // The bytes that are here, by reply. Written if there are several.

  Version version() const { return {etag, last_modified, file.size}; }
  // Whether a later start may go on with the part: its bytes are flushed, and the server can prove
  // that the rest is of the same version.
  bool is_resumable() const;
  // The same for a file that a hash of the request will prove: it needs no validators.
  bool is_joinable() const;

  std::string to_json() const;
  // Returns an empty checkpoint if the text is empty or cannot be read.
  static HttpCheckpoint from_json(std::string_view json);

  bool operator==(const HttpCheckpoint&) const = default;
};

}  // namespace haul::http
