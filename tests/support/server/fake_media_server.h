#pragma once
// What the fakes of media servers share: a record of all requests, moods, and the files that are
// really on this machine's disk.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/path_map.h"
#include "support/server/fake_web.h"

namespace haul::testing {

class FakeMediaServer {
 public:
  virtual ~FakeMediaServer() = default;

  FakeMood mood;
  PathMap disk = PathMap::identity();  // The server's folders and where this machine has them.
  std::vector<SentRequest> log;
  std::size_t bytes = 0;  // Of all answers.
  // The folders that it was asked to look through. An empty one stands for a whole library.
  std::vector<std::string> asked_to_scan;

  std::optional<FakeReply> answer(const io::HttpRequest& sent);
  // The requests since the last call, with some of their fields: "GET /Items SearchTerm=a".
  std::string told();

 protected:
  // `telling` are the fields that told() has.
  explicit FakeMediaServer(std::vector<std::string> telling) : telling_{std::move(telling)} {}

  // The names of the files in a folder, as the server sees it. Empty if it sees none.
  std::vector<std::string> files_in(const std::string& folder) const;
  // The videos below a folder, as the server sees both, with their sizes.
  std::map<std::string, std::int64_t> videos_in(const std::string& folder) const;

 private:
  virtual FakeReply act(const SentRequest& request) = 0;

  const std::vector<std::string> telling_;
  std::size_t told_ = 0;
};

}  // namespace haul::testing
