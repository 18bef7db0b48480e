#pragma once
// Jellyfin or Emby in memory. It indexes files that are really there when it is told of their
// folder.

#include <optional>
#include <string>
#include <vector>

#include "support/server/fake_media_server.h"

namespace haul::testing {

struct FakeFolder {
  std::string id;
  std::string type;  // "movies", "tvshows", or empty for both.
  std::vector<std::string> locations;
};

// A film, or an episode of a series, with its one file.
struct FakeItem {
  std::string folder;  // Id of the library.
  std::string name;
  std::string path;
  std::optional<std::int64_t> size{};
  std::string series{};
};

class FakeJellyfin final : public FakeMediaServer {
 public:
  enum class Shape : std::uint8_t {
    jellyfin10,  // Takes the key in Jellyfin's header or in Emby's.
    jellyfin12,  // Only in its own.
    emby,        // Only in Emby's.
  };
  explicit FakeJellyfin(Shape shape = Shape::jellyfin10)
      : FakeMediaServer{{"ParentId", "IncludeItemTypes", "SearchTerm", "StartIndex"}},
        shape_{shape} {}

  std::string api_key = "jelly-secret";
  std::vector<FakeFolder> folders;
  std::vector<FakeItem> items;  // The last is the newest.
  bool indexes_at_once = true;  // Otherwise when the test calls index().

  // Adds this many films or episodes that no test looks for.
  void fill(const std::string& folder, std::size_t count);
  // Looks into the folders that it was told of.
  void index();

 private:
  FakeReply act(const SentRequest& request) override;
  bool lets_in(const SentRequest& request) const;
  FakeReply info() const;
  FakeReply list_folders() const;
  FakeReply list_contents(const SentRequest& request) const;
  FakeReply take_updates(const std::string& body);
  FakeReply list_items(const SentRequest& request) const;
  FakeReply list_series(const SentRequest& request) const;
  std::string json(const FakeItem& item, const SentRequest& request) const;
  std::string id_of_series(const std::string& name) const;
  const FakeFolder* folder_of(const std::string& path) const;

  const Shape shape_;
  std::vector<std::string> updates_;
};

}  // namespace haul::testing
