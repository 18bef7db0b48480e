#pragma once
// Runs the real `haul get` as a user does, with its own folders, and shows what it printed, what it
// left on disk, and what its store holds afterwards.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/process/process.h"

namespace haul::testing {

using Fields = std::map<std::string, std::string>;  // By name, with JsonField::text as the value.
using Words = std::vector<std::string>;

struct Told {
  int code = 0;
  std::string out;
  std::string err;
  std::vector<Fields> lines;  // The output of --json, one entry per line.

  std::vector<Fields> of_type(std::string_view type) const;
  // The item whose URL contains this. Empty if none was reported.
  Fields item(std::string_view part_of_url) const;
  // "completed", or "failed http_404". Empty if no such item was reported.
  std::string outcome(std::string_view part_of_url) const;
  Fields summary() const;
};

Told told(const Finished& finished);
// Waits until a running `get` ends. Contains only the lines the test has not read yet.
Told told(Child& child);

class GetBench {
 public:
  // Most tests fetch files, so http is the default and no engine has to be chosen.
  explicit GetBench(std::string engine = "http") : engine_{std::move(engine)} {}

  // Sets an environment variable of the program: "NAME=value".
  void set(std::string variable) { environment_.push_back(std::move(variable)); }

  // Without limits per host, so that the test does not wait.
  Told get(const Words& words);
  // With the default limits per host.
  Told get_politely(const Words& words);
  // The command lines of the two above, for tests that run them in another way.
  Words command(const Words& words) const;
  Words polite_command(const Words& words) const;

  const std::filesystem::path& folder() const { return folder_; }
  // All names in the destination folder, parts too, sorted.
  Words files() const;
  std::string listing() const;  // "a.bin, b.bin"
  std::string content(const std::string& name) const;
  // Whether the file exists with this content. A CHECK of the result does not print the bytes.
  bool holds(const std::string& name, std::string_view content) const;
  void put(const std::string& name, std::string_view content) const;

  // Queries the store of the destination folder, after the program has ended.
  std::string ask(const std::string& sql) const;
  // A path outside the destination folder.
  std::filesystem::path beside(const std::string& name) const { return temp_ / name; }

 private:
  const std::string engine_;
  Words environment_;
  TempFolder temp_;
  std::filesystem::path folder_ = temp_ / "out";
};

}  // namespace haul::testing
