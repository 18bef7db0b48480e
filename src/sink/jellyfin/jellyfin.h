#pragma once
// Jellyfin or Emby as a media server: it is told of new files, and asked whether it lists them.

#include <memory>

#include "io/web/http.h"
#include "seam/media_server.h"
#include "sink/jellyfin/settings.h"
#include "sink/server/library.h"

namespace haul::jellyfin {

// Finds out by itself which of the two it is. The loop and the clock outlive the server. Destroying
// it waits for the loop's thread; open questions get no answer then.
std::unique_ptr<MediaServer> make_jellyfin_server(io::HttpLoop& loop, const Clock& clock,
                                                  JellyfinSettings settings);

// Asks who is there and, with the key, for the libraries. Waits for the answers, at most a minute.
Result<media_server::ServerProbe> probe_jellyfin(const Clock& clock, JellyfinSettings settings);
// The names of the files in a folder, as the server sees it. Waits likewise. Fault `no_such_folder`
// if it has no such folder.
Result<std::vector<std::string>> list_jellyfin_folder(const Clock& clock, JellyfinSettings settings,
                                                      const std::string& folder);

}  // namespace haul::jellyfin
