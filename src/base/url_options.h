#pragma once
// The options that a batch request has for single URLs. The check at the door and the engines read
// them here.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/request_value.h"

namespace haul {

struct UrlOptions {
  // File name, or a path below the job's folder. A path that ends in '/' has the server's name.
  std::string name;
  Checksum checksum;  // Not checked if its hex is empty.
  std::vector<std::string> headers;
  std::string user_agent;

  bool operator==(const UrlOptions&) const = default;
};

// {"0":{"name":"a/b.bin","headers":["X: 1"]}} by position in the list of URLs. A fault names the
// position and the option: "0.name: why".
Result<std::map<std::size_t, UrlOptions>> read_url_options(std::string_view json);

}  // namespace haul
