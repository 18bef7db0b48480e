#pragma once
// Plex Media Server in memory, in the form of 1.43. It indexes files that are really there when it
// is asked to scan their folder.

#include <map>
#include <string>
#include <vector>

#include "support/server/fake_media_server.h"

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

class FakePlex final : public FakeMediaServer {
 public:
  FakePlex() : FakeMediaServer{{"path", "type", "title", "show.title"}} {}

  std::string token = "plex-secret";
  std::vector<FakePlexSection> sections;
  bool scans_at_once = true;   // Otherwise when the test calls scan().
  bool knows_excludes = true;  // Leaves out what the request excludes, as new versions do.
  bool lists_folders = true;   // Otherwise it has no /services/browse.

  void add(FakePlexFile file);
  // Lists a file that is in this section's folders, as a scan does.
  void see(const FakePlexSection& in, const std::string& file, std::int64_t size);
  // Adds this many films or episodes that no test looks for.
  void fill(const std::string& section, std::size_t count);
  const std::vector<FakePlexFile>& files() const { return files_; }
  // Does the scans that it was asked for.
  void scan();

 private:
  struct WaitingScan {
    std::string section;
    std::string folder;  // Empty for the whole section.
  };

  FakeReply act(const SentRequest& request) override;
  FakeReply all(const SentRequest& request, const FakePlexSection& section) const;
  FakeReply below(const SentRequest& request, const std::string& key) const;
  FakeReply page(const SentRequest& request, const std::vector<const FakePlexFile*>& found) const;
  FakeReply list_sections() const;
  FakeReply browse(const std::string& folder) const;
  std::string json(const FakePlexFile& file, const SentRequest& request) const;
  const FakePlexSection* section(const std::string& key) const;
  void index(const WaitingScan& wanted);

  std::vector<FakePlexFile> files_;
  std::map<std::string, int> shows_;  // The key of each series.
  std::vector<WaitingScan> scans_;
  std::int64_t last_added_ = 1'700'000'000;
};

}  // namespace haul::testing
