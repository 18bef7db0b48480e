#pragma once
// Plex as a media server: it is told of new files, and asked whether it lists them.

#include <memory>

#include "io/web/http.h"
#include "seam/media_server.h"
#include "sink/plex/settings.h"
#include "sink/server/library.h"

namespace haul::plex {

// The loop and the clock outlive the server. Destroying it waits for the loop's thread; open
// questions get no answer then.
std::unique_ptr<MediaServer> make_plex_server(io::HttpLoop& loop, const Clock& clock,
                                              PlexSettings settings);

// Asks who is there and, with the token, for the libraries. Waits for the answers, at most a
// minute.
Result<media_server::ServerProbe> probe_plex(const Clock& clock, PlexSettings settings);
// The names of the files in a folder, as Plex sees it. Waits likewise. Fault `cannot_list` if Plex
// does not list folders.
Result<std::vector<std::string>> list_plex_folder(const Clock& clock, PlexSettings settings,
                                                  const std::string& folder);

}  // namespace haul::plex
