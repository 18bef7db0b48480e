#pragma once
// Rewrites an error of a batch request in terms of the command line of `haul get`.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace haul::cli {

// The batch request of `haul get`, and where each of its URLs comes from.
struct GetBatch {
  std::string request;  // JSON.
  std::string input{};  // The file that -i names.
  std::vector<std::string> urls{};
  std::vector<std::size_t> lines{};            // Line of each URL in that file; 0: an argument.
  std::map<std::size_t, std::string> each{};   // The file's options of single URLs, as JSON,
  std::map<std::size_t, std::string> texts{};  // and as the lines that it has.
};

// "urls[1]: why" as "list.txt:3: \"the line\": why", "filters.min_size: why" as "--min-size: why".
// A detail that does not begin with a field of the request stays as it is.
std::string in_words_of_get(const GetBatch& batch, std::string detail);

// Whether an option of `haul get` sets this field of a batch request: "limits.per_host".
bool has_option(std::string_view field);

}  // namespace haul::cli
