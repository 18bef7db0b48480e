#pragma once
// What a victim (tests/crash/victim.cc) told, and whether it is still so.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/sql.h"

namespace haul::testing {

class Acknowledged {
 public:
  // One line of a victim's output.
  void hear(const std::string& line);
  std::size_t heard() const { return heard_; }

  enum class Which : std::uint8_t { since_last_time, all };
  // What is missing of what was heard; empty: nothing.
  std::vector<std::string> missing(Sql& sql, Which which);

 private:
  struct Claim {
    std::string line;
    std::string question;  // Answers 1 if it is so.
  };

  void hear_key(const std::string& key, const std::string& id, const std::string& line);

  std::vector<Claim> claims_;
  std::size_t asked_ = 0;
  std::size_t heard_ = 0;
  std::map<std::string, std::int64_t> granted_;
  std::map<std::string, std::string> keys_;
  std::vector<std::string> broken_;
};

// As a list to print, one below the other.
std::string joined(const std::vector<std::string>& lines);

}  // namespace haul::testing
