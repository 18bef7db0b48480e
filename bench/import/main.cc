// Imports into the library, compared with what the system's own tools take. Prints the tables of
// docs/BENCHMARKS.md; only ratios, requests and bytes carry over to other machines.

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "import/cases.h"

int main(int argc, char** argv) {
  using namespace haul::bench;
  ImportSizes sizes;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      sizes = {.rounds = 1, .film_bytes = std::int64_t{64} << 20U, .packs = 2, .indexed = 10'000};
    else if (word == "--rounds" && i + 1 < argc)
      sizes.rounds = std::atoi(argv[++i]);
    else
      only = word;
  }
  try {
    if (only.empty() || only == "copies") copies(sizes);
    if (only.empty() || only == "links") links(sizes);
    if (only.empty() || only == "proofs") proofs(sizes);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench import: {}\n", error.what());
    return 1;
  }
  return 0;
}
