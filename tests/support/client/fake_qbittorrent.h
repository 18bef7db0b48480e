#pragma once
// qBittorrent's Web API in memory, in the form of 4.5 or of 5.2. It covers what Debian's real one
// cannot: 5.x, errors on demand, and a hundred torrents a cycle in virtual time.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/path_map.h"
#include "engine/qbittorrent/form.h"
#include "support/io/fake_loop.h"

namespace haul::testing {

// A file of a torrent.
struct FakeContent {
  std::string name;  // Beneath the save path.
  std::int64_t size = 0;
  int priority = 1;
};

struct FakeTorrent {
  std::string id;
  std::string v1;
  std::string v2;
  std::string state = "metaDL";
  std::int64_t size = 1'000;
  std::int64_t have = 0;
  std::string save_path = "/downloads";
  std::string content_path;
  std::string download_path;
  std::set<std::string> tags;
  std::string category;
  std::int64_t last_activity = 0;
  std::vector<FakeContent> files{};
  // What it says about sharing, as JSON members: "\"ratio\":0.5,". By default it has no limit.
  std::string sharing =
      R"("ratio":0,"ratio_limit":-2,"max_ratio":-1,"seeding_time":0,"seeding_time_limit":-2,)"
      R"("max_seeding_time":-1,)";

  std::string json() const;
  std::string files_json() const;
};

struct FakeRequest {
  std::string method;
  std::string action;  // "torrents/info"
  std::map<std::string, std::string> fields;
  std::string cookie;
  std::string authorization;
  std::string file;  // The file of a multipart form.
};

class FakeQbittorrent {
 public:
  enum class Shape : std::uint8_t { v4, v5 };
  explicit FakeQbittorrent(Shape shape = Shape::v4) : shape_{shape} {}

  std::string username = "admin";
  std::string password = "secret";
  std::string api_key;
  bool asks_for_login = true;
  std::string cookie_name = "SID";
  std::map<std::string, FakeTorrent> torrents;  // By id.
  std::vector<FakeRequest> log;

  // Gives this reply instead of the real answer to an action, `times` times. Status 0 is silence.
  struct Instead {
    std::string action;
    FakeReply reply;
    int times = 1;
  };
  std::vector<Instead> instead;
  bool is_down = false;
  bool is_empty = false;  // Lists nothing, as just after its start.
  bool shows_added = true;
  std::string preferences = R"({"save_path":"/downloads","auto_tmm_enabled":false})";
  std::string categories = "{}";
  PathMap disk = PathMap::identity();  // The client's folders and where this machine has them.

  std::optional<FakeReply> answer(const io::HttpRequest& request);
  // As a restart does: sessions and bans are gone.
  void restart() {
    sessions_.clear();
    bad_logins = 0;
  }
  int count(std::string_view action) const;
  // The requests since the last call: "torrents/info?tag=haul-1 torrents/add".
  std::string told();
  int bad_logins = 0;

 private:
  FakeReply act(const FakeRequest& request);
  FakeReply login(const FakeRequest& request);
  FakeReply info(const FakeRequest& request) const;
  FakeReply files(const FakeRequest& request) const;
  FakeReply list_folder(const FakeRequest& request) const;
  FakeReply add(const FakeRequest& request);
  FakeReply change_tags(const FakeRequest& request, bool put);
  FakeReply remove(const FakeRequest& request);
  FakeReply done() const;
  bool lets_in(const FakeRequest& request) const;

  Shape shape_;
  std::set<std::string> sessions_;
  int logins_ = 0;
  std::size_t told_ = 0;
};

}  // namespace haul::testing
