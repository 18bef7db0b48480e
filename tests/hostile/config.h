#pragma once
// Settings that would do harm, list C of the hostile inputs: the text of a config file, and what
// the start says about it. In a text %T is a folder that has: films, series, torrents with films in
// it, link (to torrents), file (no folder), home, and data, which is haul's own.

#include <string>
#include <vector>

namespace haul::testing {

struct HostileConfig {
  const char* id;
  std::string text;
  std::string refused;  // Part of the refusal, with %T as in the text. Empty if haul starts.
};

// A file that sets the two libraries and the folder that films come from. An empty one is not set.
struct HostileRoots {
  const char* movies = "";
  const char* series = "";
  const char* downloads = "";
};
inline std::string roots_toml(const HostileRoots& roots) {
  const auto root = [](const char* section, const char* key, const std::string& path) {
    return path.empty() ? "" : std::string{"["} + section + "]\n" + key + " = \"" + path + "\"\n";
  };
  return root("library.movies", "root", roots.movies) +
         root("library.series", "root", roots.series) +
         root("importer", "download_root", roots.downloads);
}

// clang-format off
inline const std::vector<HostileConfig> kHostileConfigs = {
    {"C1",  roots_toml({.movies = "/"}),
            ":2: library.movies.root: \"/\" is the root of the file system"},
    {"C1",  roots_toml({.downloads = "/"}),
            ":2: importer.download_root: \"/\" is the root of the file system"},
    {"C1",  roots_toml({.downloads = "/."}), "is the root of the file system"},
    {"C1",  roots_toml({.downloads = "//"}), "is the root of the file system"},
    {"C1",  roots_toml({.downloads = "/etc"}), "is a folder of the system"},
    {"C1",  roots_toml({.downloads = "/usr/share/films"}), "is a folder of the system"},
    {"C1",  roots_toml({.series = "%T/home"}), "\"%T/home\" is the home folder"},
    {"C1",  roots_toml({.series = "%T/data"}), "\"%T/data\" is haul's data folder"},
    {"C1",  roots_toml({.series = "%T/data/films"}), "lies in haul's data folder %T/data"},
    {"C2",  "[library.movies]\nroot = \"\"\n", ""},
    {"C2",  "[importer]\ndownload_root = \"\"\n", ""},
    {"C2",  "[transfer]\nfolder = \"\"\n", ""},
    {"C4",  roots_toml({.movies = "%T/torrents", .downloads = "%T/torrents"}),
            ":4: importer.download_root: \"%T/torrents\" is the same folder as \"%T/torrents\" of "
            "library.movies.root: choose two folders"},
    {"C6",  roots_toml({.movies = "%T/torrents/films", .downloads = "%T/torrents"}),
            "\"%T/torrents/films\" of library.movies.root lies in \"%T/torrents\""},
    {"C6",  roots_toml({.movies = "%T/films", .downloads = "%T/films/in"}),
            "\"%T/films/in\" lies in \"%T/films\" of library.movies.root"},
    {"C6",  roots_toml({.movies = "%T/films", .downloads = "%T/films2"}), ""},
    {"C7",  roots_toml({.movies = "%T/link", .downloads = "%T/torrents"}),
            "is the same folder as \"%T/link\" (%T/torrents) of library.movies.root"},
    {"C7",  roots_toml({.movies = "%T/link/films", .downloads = "%T/torrents"}), "lies in"},
    {"C9",  roots_toml({.movies = "%T/file"}), "\"%T/file\" is not a folder: choose a folder"},
    {"C9",  roots_toml({.movies = "%T/missing"}), ""},
    {"C11", roots_toml({.movies = "%T/films", .series = "%T/films"}),
            ":4: library.series.root: \"%T/films\" is the same folder as \"%T/films\" of "
            "library.movies.root: choose two folders"},
    {"C12", roots_toml({.movies = "%T/films", .series = "%T/films/"}), "is the same folder as"},
    {"C12", roots_toml({.movies = "%T/films", .series = "%T//films"}), "is the same folder as"},
    {"C12", roots_toml({.movies = "%T/films", .series = "%T/films/."}), "is the same folder as"},
    {"C12", roots_toml({.movies = "%T/series/../films"}),
            ":2: library.movies.root: \"%T/series/../films\" has \"..\" in it"},
    {"C12", roots_toml({.movies = "~/films"}), "library.movies.root: expected an absolute path"},
    {"C12", roots_toml({.movies = "$HOME/films"}), "expected an absolute path"},
    {"C12", roots_toml({.movies = "${NOT_SET}"}), "expected an absolute path"},
    {"C12", roots_toml({.movies = "films"}), "expected an absolute path"},
    {"C14", "[engine.qbittorrent]\npoll = \"61s\"\n",
            ":2: engine.qbittorrent.missing_grace: "},
    {"C14", "[engine.qbittorrent]\npoll = \"60s\"\n", ""},
    {"C16", "[transfer]\nper_host = 0\n",
            ":2: transfer.per_host: expected a whole number from 1 to 1000"},
    {"C16", "[transfer]\nmax_attempts = 0\n", ":2: unknown key 'transfer.max_attempts'"},
    {"C17", "[transfer]\njitter = 2\n", ":2: unknown key 'transfer.jitter'"},
    {"C19", "[log]\nlevel = \"info\"\nlevel = \"debug\"\n", "haul.toml:"},
    {"C19", "[log]\nlevel = \"info\"\n[log]\n", "haul.toml:"},
    {"C21", "[server]\nlisten = \"0.0.0.0:4285\"\nauth = false\n",
            ":3: unknown key 'server.auth'"},
    {"C21", "[server]\nlisten = \"0.0.0.0:4285\"\n", ""},
    {"C22", "[log]\r\nlevel = \"debug\"\r\n", ""},
    {"C22", "\xef\xbb\xbf[log]\nlevel = \"debug\"\n", ""},
    {"C22", "[log]\nlevel = \"\xe9\"\n", "haul.toml:"},
    {"C24", "[server]\nlisten = \"127.0.0.1:65536\"\n",
            ":2: server.listen: \"127.0.0.1:65536\" is not an address and a port"},
    {"C24", "[server]\nlisten = \"127.0.0.1:80\"\n", ""},
};
// clang-format on

}  // namespace haul::testing
