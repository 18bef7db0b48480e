#pragma once
// `haul get` as a person runs it, the real program, with folders of its own: what it said, what it
// left on the disk, and what its store knows afterwards.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.h"
#include "support/temp_folder.h"

namespace haul::testing {

using Fields = std::map<std::string, std::string>;  // By name, as JsonField has them.
using Words = std::vector<std::string>;

struct Told {
  int code = 0;
  std::string out;
  std::string err;
  std::vector<Fields> lines;  // What --json told.

  std::vector<Fields> of_type(std::string_view type) const;
  // Of the item whose address has this in it; empty: nothing was told of it.
  Fields item(std::string_view part_of_url) const;
  // "completed", or "failed http_404"; empty: nothing was told of it.
  std::string outcome(std::string_view part_of_url) const;
  Fields summary() const;
};

Told told(const Finished& finished);
// Waits for the end of a `get` that runs; of what it told, the lines nobody has read yet.
Told told(Child& child);

class GetBench {
 public:
  // Most tests are about files, so that nothing is to be chosen.
  explicit GetBench(std::string engine = "http") : engine_{std::move(engine)} {}

  // A variable of the program's surroundings: "NAME=value".
  void set(std::string variable) { environment_.push_back(std::move(variable)); }

  // Without limits per host, so that a test waits for nothing.
  Told get(const Words& words);
  // As it is when nobody says anything about limits.
  Told get_politely(const Words& words);
  // Their commands, for whoever runs them in another way.
  Words command(const Words& words) const;
  Words polite_command(const Words& words) const;

  const std::filesystem::path& folder() const { return folder_; }
  // Everything in the destination folder, parts too, in order.
  Words files() const;
  std::string listing() const;  // "a.bin, b.bin"
  std::string content(const std::string& name) const;
  // Whether the file is there with these bytes; a test that fails then prints none of them.
  bool holds(const std::string& name, std::string_view content) const;
  void put(const std::string& name, std::string_view content) const;

  // Of the store of the destination folder, after the program has ended.
  std::string ask(const std::string& sql) const;
  // A folder that is not the destination.
  std::filesystem::path beside(const std::string& name) const { return temp_ / name; }

 private:
  const std::string engine_;
  Words environment_;
  TempFolder temp_;
  std::filesystem::path folder_ = temp_ / "out";
};

}  // namespace haul::testing
