#pragma once
// Collects what a victim (tests/crash/victim.cc) reported as written, and checks that the store
// still holds it.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/store/sql.h"

namespace haul::testing {

class Acknowledged {
 public:
  // Takes one line of the victim's output.
  void hear(const std::string& line);
  std::size_t heard() const { return heard_; }

  enum class Which : std::uint8_t { since_last_time, all };
  // Returns what was heard and is not in the store. Empty if nothing is missing.
  std::vector<std::string> missing(Sql& sql, Which which);

 private:
  struct Claim {
    std::string line;
    std::string question;  // Answers 1 if the claim still holds.
  };

  void hear_key(const std::string& key, const std::string& id, const std::string& line);

  std::vector<Claim> claims_;
  std::size_t asked_ = 0;
  std::size_t heard_ = 0;
  std::map<std::string, std::int64_t> granted_;
  std::map<std::string, std::string> keys_;
  std::vector<std::string> broken_;
};

// A list to print, one entry per line.
std::string joined(const std::vector<std::string>& lines);

}  // namespace haul::testing
