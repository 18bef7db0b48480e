#pragma once
// Plex Media Server in memory, in the form of 1.43. It keeps a record of all requests, and indexes
// files that are really there when it is asked to scan their folder.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/path_map.h"
#include "support/server/fake_web.h"

namespace haul::testing {

struct FakePlexSection {
  std::string key;
  std::string type;  // "movie" or "show"
  std::vector<std::string> locations;
};

// A film, or an episode of a series, with its one file.
struct FakePlexFile {
  std::string section;
  std::string title;
  std::string file;
  std::int64_t size = 0;
  std::string show{};
  int season = 0;
  int episode = 0;
  std::int64_t added_at = 0;  // If zero, add() makes it the newest.
  std::string more{};         // Members of its part, such as R"(,"exists":false)".
};

class FakePlex {
 public:
  std::string token = "plex-secret";
  std::vector<FakePlexSection> sections;
  PathMap disk = PathMap::identity();  // Plex's folders and where this machine has them.
  FakeMood mood;
  bool scans_at_once = true;   // Otherwise when the test calls scan().
  bool knows_excludes = true;  // Leaves out what the request excludes, as new versions do.
  std::vector<SentRequest> log;
  std::size_t bytes = 0;  // Of all answers.

  void add(FakePlexFile file);
  // Adds this many films or episodes that no test looks for.
  void fill(const std::string& section, std::size_t count);
  const std::vector<FakePlexFile>& files() const { return files_; }
  // Does the scans that it was asked for.
  void scan();

  std::optional<FakeReply> answer(const io::HttpRequest& sent);
  // The requests since the last call: "GET /library/sections, GET /library/sections/1/refresh
  // path=/media/a".
  std::string told();

 private:
  struct WaitingScan {
    std::string section;
    std::string folder;  // Empty for the whole section.
  };

  FakeReply act(const SentRequest& request);
  FakeReply all(const SentRequest& request, const FakePlexSection& section) const;
  FakeReply below(const SentRequest& request, const std::string& key) const;
  FakeReply page(const SentRequest& request, const std::vector<const FakePlexFile*>& found) const;
  FakeReply list_sections() const;
  std::string json(const FakePlexFile& file, const SentRequest& request) const;
  const FakePlexSection* section(const std::string& key) const;
  void index(const WaitingScan& wanted);

  std::vector<FakePlexFile> files_;
  std::map<std::string, int> shows_;  // The key of each series.
  std::vector<WaitingScan> scans_;
  std::int64_t last_added_ = 1'700'000'000;
  std::size_t told_ = 0;
};

}  // namespace haul::testing
