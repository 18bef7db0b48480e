#pragma once
// The frame of every media server. Questions come from any thread; everything that answers them
// lives on the loop's thread, also when it ends.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "io/web/http.h"
#include "seam/media_server.h"
#include "sink/server/library.h"
#include "sink/server/question.h"

namespace haul::media_server {

// How haul talks to one kind of server. Made on any thread, used and destroyed on the loop's.
class ServerTalk {
 public:
  using Probed = std::function<void(Result<ServerProbe>)>;
  using NamesSeen = std::function<void(Result<std::vector<std::string>>)>;

  virtual ~ServerTalk() = default;
  // As MediaServer promises. Each folder comes once. `answer` does nothing once the question is
  // withdrawn; `wanted` says so, to save requests.
  virtual void tell(std::vector<std::string> folders, Wanted wanted, MediaServer::Told answer) = 0;
  virtual void find(FindFiles files, Wanted wanted, MediaServer::Found answer) = 0;
  // Asks who is there and, with the token, for the libraries.
  virtual void probe(Probed done) = 0;
  // Asks for the names of the files in a folder, as the server sees it. Faults: `no_such_folder`
  // and `cannot_list` (permanent), and those of asking.
  virtual void list_folder(const std::string& folder, NamesSeen done) = 0;
};
using MakeTalk = std::function<std::unique_ptr<ServerTalk>(io::HttpLoop&)>;

// What MediaServer's functions of the same names return. Literals.
struct ServerWords {
  std::string_view name;
  std::string_view match = "path";
};

// Destroying the server waits for the loop's thread; open questions get no answer then.
std::unique_ptr<MediaServer> make_server(ServerWords words, io::HttpLoop& loop,
                                         std::unique_ptr<ServerTalk> talk);

// Both wait for the answer, at most a minute.
Result<ServerProbe> probe_server(const Clock& clock, const MakeTalk& make);
Result<std::vector<std::string>> list_server_folder(const Clock& clock, const MakeTalk& make,
                                                    const std::string& folder);

}  // namespace haul::media_server
