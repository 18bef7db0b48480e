#pragma once
// What a user says by hand about a job's files, when their names do not say it.

#include <string>

namespace haul {

struct ByHand {
  std::string path{};  // The file, by its path or by its name alone. Empty: the job as a whole.
  std::string as{};    // For films and series: "S01E02", "S01", "1x02", "2024-01-15", "movie". For
                       // a file also "skip".

  bool operator==(const ByHand&) const = default;
};

}  // namespace haul
