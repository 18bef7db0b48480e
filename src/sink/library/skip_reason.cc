#include "sink/library/skip_reason.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "sink/library/media_file.h"

namespace haul::library {
namespace {

// Unfinished files of qBittorrent, µTorrent, BitComet, aria2, browsers and haul.
constexpr std::string_view kPartial[] = {".!qb",   ".!ut",        ".bc!",      ".part",
                                         ".aria2", ".crdownload", ".filepart", ".tmp"};
constexpr std::string_view kHiddenFolders[] = {"__macosx", "@eadir", "#recycle", "$recycle.bin"};
constexpr std::string_view kDiscFolders[] = {"bdmv", "videots",
                                             "hvdvdts"};  // As folded() gives it.
// The folders that Plex and Jellyfin read as extras, and the names that releases give them.
constexpr std::string_view kExtraFolders[] = {
    "extra",      "extras",      "trailer",         "trailers",
    "featurette", "featurettes", "behindthescenes", "deletedscenes",
    "interviews", "bonus",       "bonusfeatures",   "specialfeatures",
    "makingof",   "backdrops",   "creditless",      "proof",
};
constexpr std::string_view kSampleFolders[] = {"sample", "samples"};
constexpr std::string_view kExtraWords[] = {"trailer",         "featurette",   "interview",
                                            "behindthescenes", "deletedscene", "teaser"};

bool is_one_of(std::string_view text, const auto& list) {
  return std::ranges::find(list, text) != std::end(list);
}

// Calls `visit` for every folder of the path.
void each_folder(std::string_view path, const auto& visit) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    visit(path.substr(0, slash));
    path.remove_prefix(slash + 1);
  }
}

bool has_folder(std::string_view path, const auto& list) {
  bool has = false;
  each_folder(path, [&](std::string_view folder) { has = has || is_one_of(folded(folder), list); });
  return has;
}

bool is_hidden(std::string_view path) {
  bool hidden = name_of(path).starts_with('.');
  each_folder(path, [&](std::string_view folder) {
    hidden = hidden || folder.starts_with('.') || is_one_of(lower(folder), kHiddenFolders);
  });
  return hidden;
}

// Openings and endings without credits, which anime packs add: "Show - NCOP1v2".
bool is_creditless(std::string_view word) {
  if (!word.starts_with("ncop") && !word.starts_with("nced")) return false;
  return word.find_first_not_of("0123456789v", 4) == std::string_view::npos;
}

// Calls `visit` for every word of letters and digits of a name, in lower case.
void each_word(std::string_view name, const auto& visit) {
  std::string word;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c) || !is_ascii(c)) {
      word += lower(c);
      continue;
    }
    if (!word.empty()) visit(word);
    word.clear();
  }
  if (!word.empty()) visit(word);
}

}  // namespace

std::size_t shared_folder(std::span<const ImportFile> files) {
  if (files.empty()) return 0;
  const std::string_view first = files[0].path;
  std::size_t size = first.rfind('/') + 1;  // Zero if it has no folder.
  for (const ImportFile& file : files) {
    const std::string_view path = file.path;
    const std::size_t most = std::min(size, path.size());
    std::size_t same = 0;
    while (same < most && path[same] == first[same]) ++same;
    size = same == 0 ? 0 : first.substr(0, same).rfind('/') + 1;
  }
  return size;
}

bool is_of_disc(std::string_view path) { return has_folder(path, kDiscFolders); }

std::string_view skip_reason(std::string_view path, std::int64_t size) {
  if (is_one_of(extension_of(path), kPartial)) return "partial";
  if (is_hidden(path)) return "hidden";
  if (is_of_disc(path)) return "disc";
  if (has_folder(path, kExtraFolders)) return "extra";
  if (!is_video(path) && !is_subtitle(path)) return "not_video";
  bool creditless = false;
  each_word(stem_of(path),
            [&](std::string_view word) { creditless = creditless || is_creditless(word); });
  if (creditless) return "extra";
  return size > 0 ? std::string_view{} : "empty";
}

std::string_view reason_if_small(std::string_view path) {
  if (has_folder(path, kSampleFolders)) return "sample";
  std::string_view reason;
  each_word(stem_of(path), [&](std::string_view word) {
    if (word == "sample") reason = "sample";
    if (reason.empty() && is_one_of(word, kExtraWords)) reason = "extra";
  });
  return reason;
}

}  // namespace haul::library
