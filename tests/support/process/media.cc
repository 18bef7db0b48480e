#include "support/process/media.h"

#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/process/process.h"

namespace haul::testing {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

// Makes a clip with a test picture and a tone.
void make(const fs::path& folder, const Words& form, int seconds = 3) {
  Words words{"ffmpeg", "-hide_banner", "-loglevel",
              "error",  "-y",           "-f",
              "lavfi",  "-i",           "testsrc=size=160x90:rate=10",
              "-f",     "lavfi",        "-i",
              "sine",   "-t",           std::to_string(seconds),
              "-c:v",   "libx264",      "-g",
              "10",     "-c:a",         "aac"};
  words.insert(words.end(), form.begin(), form.end() - 1);
  words.push_back((folder / form.back()).string());
  const Finished made = run_program(words);
  if (made.code != 0) throw std::runtime_error{"ffmpeg: " + made.err};
}

void write(const fs::path& path, std::string_view text) { std::ofstream{path} << text; }

std::string html(std::string_view title, std::string_view body) {
  return fmt::format("<!doctype html><html><head><title>{}</title></head><body>{}</body></html>\n",
                     title, body);
}

struct Media {
  TempFolder folder;

  Media() {
    make(folder.path(), {"clip.mp4"});
    make(folder.path(), {"-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "hls.m3u8"});
    make(folder.path(), {"-map", "0", "-map", "1", "-f", "dash", "-seg_duration", "1", "dash.mpd"});
    write(folder / "page.html", html("A film", "<video src=\"clip.mp4\"></video>"));
    write(folder / "two.html",
          html("Two films", "<video src=\"clip.mp4\"></video><video src=\"hls.m3u8\"></video>"));
    write(folder / "none.html", html("No film", "<p>words</p>"));
    for (int i = 1; i <= 9; ++i)
      write(folder / fmt::format("{}.jpg", i), fmt::format("picture {}", i));
  }
};

}  // namespace

const fs::path& media_folder() {
  static const Media media;
  return media.folder.path();
}

void make_clip(const fs::path& file, int seconds) {
  make(file.parent_path(), {file.filename().string()}, seconds);
}

std::string MediaServer::page(std::string_view name, std::string_view content) const {
  write(media_folder() / name, content);
  return file(name);
}

std::string streams_of(const fs::path& file) {
  const Finished probed =
      run_program({"ffprobe", "-v", "error", "-show_entries", "stream=codec_name:format=duration",
                   "-of", "default=noprint_wrappers=1:nokey=1", file.string()});
  if (probed.code != 0) return "not a film: " + probed.err;
  std::istringstream lines{probed.out};
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += (all.empty() ? "" : " ") + line.substr(0, line.find('.'));
  return all;
}

}  // namespace haul::testing
