#pragma once
// Chooses names for the files of one job, so that no two of them get the same one. The cost of a
// choice does not grow with the number of files that want the same name.

#include <functional>
#include <map>
#include <set>
#include <string>

namespace haul::io {

class TakenNames {
 public:
  // Whether the folder has a file of this name.
  using IsThere = std::function<bool(const std::string& name)>;

  // Returns the name, or the name with a free number: "a.mp4", "a (2).mp4". If the taken numbers
  // have no gap, the next one is chosen. `folder` distinguishes equal names in different folders.
  // The name is held until it is given back. Empty if every number is taken.
  std::string choose(const std::string& folder, const std::string& name, const IsThere& is_there);
  // Holds a name that an earlier start chose, so that no other file of the job gets it.
  void hold(const std::string& folder, const std::string& name);
  bool is_held(const std::string& folder, const std::string& name) const;
  void give_back(const std::string& folder, const std::string& chosen);

 private:
  std::set<std::string> held_;       // In lower case, because some file systems ignore case.
  std::map<std::string, int> next_;  // The first number to try, for names whose 1 was taken.
};

}  // namespace haul::io
