#pragma once
// Media and pages as sites have them, made by the real ffmpeg once, served by the fault server.

#include <string>
#include <string_view>

#include "support/fault_server.h"
#include "support/temp_folder.h"

namespace haul::testing {

// clip.mp4; hls.m3u8 and dash.mpd with sound and picture apart; page.html with one video, two.html
// with two, none.html without any; album.html with pictures.
const std::filesystem::path& media_folder();

class MediaServer : public FaultServer {
 public:
  MediaServer() : FaultServer{"127.0.0.1", media_folder().string()} {}

  // "/d/clip.mp4" as a whole address.
  std::string file(std::string_view name) const { return url("/d/" + std::string{name}); }
  // Puts a page of its own beside the media, under a name nobody else has.
  std::string page(std::string_view name, std::string_view content) const;
};

// Sound, picture and length of a file, as ffprobe finds them: "h264 aac 3".
std::string streams_of(const std::filesystem::path& file);

}  // namespace haul::testing
