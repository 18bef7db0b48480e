#pragma once
// What is wrong with the request of a get, in the words of its command line.

#include <cstddef>
#include <string>
#include <vector>

namespace haul {

// A batch as `haul get` asks for it, and where its addresses stand.
struct AskedBatch {
  std::string request;  // JSON.
  std::string input{};  // The file that -i names.
  std::vector<std::string> urls{};
  std::vector<std::size_t> lines{};  // Of each address in that file; 0: it is an argument.
};

// "urls[1]: why" as "list.txt:3: \"the line\": why", "filters.min_size: why" as "--min-size: why".
// A detail that begins with no field of a request stays as it is.
std::string in_words_of_get(const AskedBatch& asked, std::string detail);

}  // namespace haul
