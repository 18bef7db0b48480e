#pragma once
// The options that a batch request has for single URLs. The check at the door and the engines read
// them here.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/piece_hashes.h"
#include "base/request_value.h"

namespace haul {

inline constexpr std::size_t kMirrorsMax = 15;  // With the URL itself a file has 16 sources.

struct UrlOptions {
  // File name, or a path below the job's folder. A path that ends in '/' has the server's name.
  std::string name;
  Checksum checksum;  // Not checked if its hex is empty.
  std::vector<std::string> headers;
  std::string user_agent;
  std::vector<std::string> mirrors{};  // Other URLs of the same file, the preferred ones first.
  std::optional<std::int64_t> size{};  // What the file must have, in bytes.
  PieceHashes pieces{};                // They need the size.
  bool is_public = false;              // Fetched from public addresses only.

  bool operator==(const UrlOptions&) const = default;
};

// {"0":{"name":"a/b.bin","headers":["X: 1"]}} by position in the list of URLs. A fault names the
// position and the option: "0.name: why".
Result<std::map<std::size_t, UrlOptions>> read_url_options(std::string_view json);

// Makes the keys of the items of a list of URLs, in its order. A key is the canonical address, or
// the text itself if it is none. An address that comes again with another name is another file: its
// key is "address #2". No address has a blank.
class ItemKeys {
 public:
  std::string next(const std::string& url, const std::string& name);

 private:
  std::map<std::string, std::vector<std::string>> names_;  // By address, in the order of the list.
};
// Those of a whole list, by position.
std::vector<std::string> item_keys(std::span<const std::string> urls,
                                   const std::map<std::size_t, UrlOptions>& options);

// What is wrong with a mirror's URL. Empty: nothing.
std::string wrong_with_mirror(std::string_view url);

}  // namespace haul
