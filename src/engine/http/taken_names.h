#pragma once
// Chooses names for the files of one job, so that no two of them get the same one. The cost of a
// choice does not grow with the number of files that want the same name.

#include <functional>
#include <map>
#include <set>
#include <string>

namespace haul {

class TakenNames {
 public:
  // Whether the folder has a file of this name.
  using IsThere = std::function<bool(const std::string& name)>;

  // The safe name, or the name with a number that is free: "a.mp4", "a (2).mp4". Numbers without a
  // gap are found in order. `folder` tells equal names in different folders apart. The name is
  // held until it is given back. Empty: every number is taken.
  std::string choose(const std::string& folder, const std::string& name, const IsThere& is_there);
  void give_back(const std::string& folder, const std::string& chosen);

 private:
  std::set<std::string> held_;       // Lower case: some file systems know no other.
  std::map<std::string, int> next_;  // The first number to try, where 1 was taken.
};

}  // namespace haul
