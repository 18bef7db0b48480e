#pragma once
// `haul get --cookies-from-browser`: yt-dlp reads the cookies of a browser, and every engine uses
// them.

#include "app/config/programs.h"
#include "cli/commands/get.h"

namespace haul::app {

// Has yt-dlp write the cookies of a browser, such as firefox or firefox:PROFILE, into a private
// file. It runs as the user and outside of the sandbox, because it reads the user's own browser; it
// makes no request. Takes at most a minute.
Result<cli::CookieFile> read_browser_cookies(const std::string& browser,
                                             const ProgramSettings& programs);

}  // namespace haul::app
