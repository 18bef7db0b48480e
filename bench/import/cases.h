#pragma once
// The benchmarks of imports. Each prints its part of the report.

#include <cstddef>
#include <cstdint>

namespace haul::bench {

struct ImportSizes {
  int rounds = 15;
  std::int64_t film_bytes = std::int64_t{1} << 30U;
  int packs = 20;  // Of 50 episodes each.
  std::size_t indexed = 100'000;
};

void copies(const ImportSizes& sizes);  // One film by copy, compared with cp and sync.
void links(const ImportSizes& sizes);   // Many files by hardlink.
void proofs(const ImportSizes& sizes);  // What it costs to prove one file in a large Plex.

}  // namespace haul::bench
