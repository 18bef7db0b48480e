#pragma once
// Media files and pages like those of real sites: ffmpeg makes them once, the fault server serves
// them.

#include <string>
#include <string_view>

#include "support/io/temp_folder.h"
#include "support/server/fault_server.h"

namespace haul::testing {

// Holds clip.mp4, hls.m3u8, dash.mpd with separate audio and video, page.html with one video,
// two.html with two, none.html without any, and the pictures 1.jpg to 9.jpg.
const std::filesystem::path& media_folder();

// Makes a clip of so many seconds. The clips of two lengths have different bytes and sizes.
void make_clip(const std::filesystem::path& file, int seconds);

class MediaServer : public FaultServer {
 public:
  MediaServer() : FaultServer{"127.0.0.1", media_folder().string()} {}

  // The whole URL of a file in the folder: "/d/clip.mp4".
  std::string file(std::string_view name) const { return url("/d/" + std::string{name}); }
  // Writes a page into the media folder and returns its URL. No two tests may use the same name.
  std::string page(std::string_view name, std::string_view content) const;
};

// Codecs and length in seconds, as ffprobe reports them: "h264 aac 3".
std::string streams_of(const std::filesystem::path& file);

}  // namespace haul::testing
