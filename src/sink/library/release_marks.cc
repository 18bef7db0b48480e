#include "sink/library/release_marks.h"

#include <algorithm>

namespace haul::library {
namespace {

using enum MarkKind;

// clang-format off
constexpr bool kEnds = true;
constexpr ReleaseMark kMarks[] = {
    {"360p",               resolution, "360p",  kEnds},
    {"480p",               resolution, "480p",  kEnds},
    {"480i",               resolution, "480i",  kEnds},
    {"540p",               resolution, "540p",  kEnds},
    {"576p",               resolution, "576p",  kEnds},
    {"720p",               resolution, "720p",  kEnds},
    {"1080p",              resolution, "1080p", kEnds},
    {"1080i",              resolution, "1080i", kEnds},
    {"1440p",              resolution, "1440p", kEnds},
    {"2160p",              resolution, "2160p", kEnds},
    {"4320p",              resolution, "4320p", kEnds},
    {"848x480",            resolution, "480p",  kEnds},
    {"1280x720",           resolution, "720p",  kEnds},
    {"1920x1080",          resolution, "1080p", kEnds},
    {"3840x2160",          resolution, "2160p", kEnds},
    {"4k",                 about,      "2160p", kEnds},
    {"uhd",                about,      "2160p", kEnds},
    {"bluray",             source,     "Bluray", kEnds},
    {"blu ray",            source,     "Bluray", kEnds},
    {"bdrip",              source,     "Bluray", kEnds},
    {"brrip",              source,     "Bluray", kEnds},
    {"bd",                 source,     "Bluray"},
    {"remux",              source,     "Remux", kEnds},
    {"bdremux",            source,     "Remux", kEnds},
    {"webdl",              source,     "WEBDL", kEnds},
    {"web dl",             source,     "WEBDL", kEnds},
    {"webrip",             source,     "WEBRip", kEnds},
    {"web rip",            source,     "WEBRip", kEnds},
    {"web",                source,     "WEBDL"},
    {"hdrip",              source,     "HDRip", kEnds},
    {"hdtv",               source,     "HDTV", kEnds},
    {"hdtvrip",            source,     "HDTV", kEnds},
    {"pdtv",               source,     "SDTV", kEnds},
    {"sdtv",               source,     "SDTV", kEnds},
    {"dsr",                source,     "SDTV"},
    {"tvrip",              source,     "SDTV", kEnds},
    {"satrip",             source,     "SDTV", kEnds},
    {"dvdrip",             source,     "DVD", kEnds},
    {"dvd rip",            source,     "DVD", kEnds},
    {"dvd",                source,     "DVD"},
    {"dvdr",               source,     "DVD-R", kEnds},
    {"dvd5",               source,     "DVD-R", kEnds},
    {"dvd9",               source,     "DVD-R", kEnds},
    {"dvdscr",             source,     "DVDSCR", kEnds},
    {"screener",           source,     "DVDSCR"},
    {"cam",                source,     "CAM"},
    {"camrip",             source,     "CAM", kEnds},
    {"hdcam",              source,     "CAM", kEnds},
    {"ts",                 source,     "TELESYNC"},
    {"hdts",               source,     "TELESYNC", kEnds},
    {"telesync",           source,     "TELESYNC", kEnds},
    {"tc",                 source,     "TELECINE"},
    {"hdtc",               source,     "TELECINE", kEnds},
    {"telecine",           source,     "TELECINE", kEnds},
    {"workprint",          source,     "WORKPRINT"},
    {"vhsrip",             source,     "VHS", kEnds},
    {"x264",               codec,      "x264", kEnds},
    {"x265",               codec,      "x265", kEnds},
    {"h264",               codec,      "h264", kEnds},
    {"h265",               codec,      "h265", kEnds},
    {"h 264",              codec,      "h264", kEnds},
    {"h 265",              codec,      "h265", kEnds},
    {"x 264",              codec,      "x264", kEnds},
    {"x 265",              codec,      "x265", kEnds},
    {"hevc",               codec,      "h265", kEnds},
    {"avc",                codec,      "h264"},
    {"av1",                codec,      "av1", kEnds},
    {"vp9",                codec,      "vp9", kEnds},
    {"xvid",               codec,      "xvid", kEnds},
    {"divx",               codec,      "divx", kEnds},
    {"mpeg2",              codec,      "mpeg2", kEnds},
    {"vc1",                codec,      "vc1", kEnds},
    {"vc 1",               codec,      "vc1", kEnds},
    {"proper",             proper,     "Proper"},
    {"repack",             repack,     "Repack"},
    {"rerip",              repack,     "Repack"},
    {"directors cut",      edition,    "Directors Cut"},
    {"final cut",          edition,    "Final Cut"},
    {"extended",           edition,    "Extended"},
    {"extended cut",       edition,    "Extended"},
    {"extended edition",   edition,    "Extended"},
    {"theatrical",         edition,    "Theatrical"},
    {"theatrical cut",     edition,    "Theatrical"},
    {"special edition",    edition,    "Special Edition"},
    {"ultimate edition",   edition,    "Ultimate"},
    {"ultimate cut",       edition,    "Ultimate"},
    {"collectors edition", edition,    "Collectors Edition"},
    {"anniversary edition", edition,   "Anniversary Edition"},
    {"unrated",            edition,    "Unrated"},
    {"uncut",              edition,    "Uncut"},
    {"uncensored",         edition,    "Uncensored"},
    {"remastered",         edition,    "Remastered"},
    {"criterion",          edition,    "Criterion"},
    {"imax",               edition,    "IMAX"},
    {"redux",              edition,    "Redux"},
    {"open matte",         edition,    "Open Matte"},
};
constexpr std::string_view kNoise[] = {
    "10bit", "8bit", "aac", "aac2", "ac3", "amzn", "atmos", "atvp", "complete", "dd5", "ddp",
    "ddp2", "ddp5", "dl", "dsnp", "dts", "dual", "dubbed", "dv", "eac3", "english", "flac",
    "french", "german", "hdr", "hdr10", "hi10p", "hmax", "hulu", "internal", "italian",
    "limited", "multi", "nf", "nordic", "opus", "pcok", "russian", "sdr", "spanish", "subbed",
    "swedish", "truefrench", "truehd", "vostfr",
};
// clang-format on
constexpr ReleaseMark kNoiseMark{{}, noise, {}};

// The number of words in the phrase if the name has all of them from `i` on, joined. Else zero.
std::size_t matched(const ReleaseWords& words, std::size_t i, std::string_view phrase) {
  std::size_t count = 0;
  while (!phrase.empty()) {
    const std::size_t at = i + count;
    const std::string_view wanted = phrase.substr(0, phrase.find(' '));
    if (at >= words.size() || words.low(at) != wanted) return 0;
    if (count > 0 && !words.is_joined(at)) return 0;
    phrase.remove_prefix(std::min(phrase.size(), wanted.size() + 1));
    ++count;
  }
  return count;
}

}  // namespace

FoundMark mark_at(const ReleaseWords& words, std::size_t i) {
  FoundMark found;
  for (const ReleaseMark& mark : kMarks) {
    const std::size_t count = matched(words, i, mark.phrase);
    if (count > found.count) found = {&mark, count};
  }
  if (found.count == 0 && std::ranges::find(kNoise, words.low(i)) != std::end(kNoise))
    found = {&kNoiseMark, 1};
  return found;
}

std::size_t first_title_end(const ReleaseWords& words, std::size_t from) {
  for (std::size_t i = from; i < words.size(); ++i)
    if (const FoundMark found = mark_at(words, i); found.count > 0 && found.mark->ends_title)
      return i;
  return words.size();
}

}  // namespace haul::library
