// F28, list C of the hostile inputs: folders that cannot be roots are refused with both keys and
// the fix.

#include "sink/library/roots.h"

#include <doctest/doctest.h>
#include <sys/mount.h>

#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::library {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

// A folder that exists, on one disk with all others.
RootFacts root(std::string key, const std::string& path) {
  return {.key = std::move(key),
          .given = path,
          .real = path,
          .on_disk = {.disk = "8:1", .path = path},
          .is = RootFacts::Is::folder};
}

RootRules rules() {
  return {.data = root("", "/var/lib/haul"),
          .data_downloads = "/var/lib/haul/downloads",
          .home = root("", "/home/ann")};
}

// The problems, one per line.
std::string problems(const std::vector<RootFacts>& roots) {
  std::string text;
  for (const RootProblem& problem : check_roots(roots, rules()))
    text += (text.empty() ? "" : "\n") + problem.detail;
  return text;
}
std::string alone(const std::string& path) { return problems({root("library.movies", path)}); }

}  // namespace

TEST_CASE("C: roots side by side are good, also in the home folder and in the data's downloads") {
  CHECK(problems({root("download_root", "/srv/torrents"), root("library.movies", "/srv/movies"),
                  root("library.series", "/srv/series")})
            .empty());
  CHECK(alone("/home/ann/films").empty());
  CHECK(alone("/var/lib/haul/downloads").empty());
  CHECK(alone("/media").empty());
  CHECK(alone("/mnt/disk").empty());
  CHECK(alone("/run/media/ann/disk").empty());
  CHECK(problems({root("download_root", "/srv/films"), root("library.movies", "/srv/films2")})
            .empty());
}

TEST_CASE("C1, C2, C12: the root of the file system, nothing and relative paths are no roots") {
  CHECK(alone("/") ==
        "library.movies: \"/\" is the root of the file system: choose a folder for this alone");
  CHECK(alone("") == "library.movies: is empty: set it to the absolute path of a folder");
  for (const char* path : {"films", "~/films", "$HOME/films", "./films"})
    CHECK(alone(path).find("is not absolute, and haul expands neither ~ nor variables") !=
          std::string::npos);
  CHECK(check_roots(std::vector{root("a", "films"), root("b", "/srv/films")}, rules()).size() == 1);
}

TEST_CASE("F28: folders of the system are no roots, nor what lies in those of the system alone") {
  for (const char* path : {"/usr", "/etc", "/var", "/boot", "/proc", "/sys", "/dev", "/home",
                           "/tmp", "/opt", "/usr/share/films", "/etc/films", "/dev/shm/films"})
    CHECK_MESSAGE(alone(path).find("is a folder of the system") != std::string::npos, path);
  for (const char* path : {"/opt/films", "/tmp/films", "/var/films", "/usr2", "/home/bob"})
    CHECK_MESSAGE(alone(path).empty(), path);
}

TEST_CASE("F28: the home folder, haul's data and what is above them are no roots") {
  CHECK(alone("/home/ann") ==
        "library.movies: \"/home/ann\" is the home folder: choose a folder in it");
  CHECK(alone("/var/lib/haul") ==
        "library.movies: \"/var/lib/haul\" is haul's data folder: choose another folder");
  CHECK(alone("/var/lib/haul/films") ==
        "library.movies: \"/var/lib/haul/films\" lies in haul's data folder /var/lib/haul: choose "
        "another folder");
  RootRules deeper = rules();
  deeper.home = root("", "/srv/homes/ann");
  deeper.data = root("", "/srv/haul/data");
  CHECK(check_roots(std::vector{root("k", "/srv/homes")}, deeper).at(0).detail ==
        "k: the home folder /srv/homes/ann lies in \"/srv/homes\": choose a folder for this alone");
  CHECK(check_roots(std::vector{root("k", "/srv/haul")}, deeper).at(0).detail ==
        "k: haul's data folder /srv/haul/data lies in \"/srv/haul\": choose another folder");
}

TEST_CASE("C4, C6, C11: equal and nested roots name both keys and the fix") {
  CHECK(problems({root("download_root", "/srv/a"), root("library.movies", "/srv/a")}) ==
        "library.movies: \"/srv/a\" is the same folder as \"/srv/a\" of download_root: choose two "
        "folders");
  CHECK(problems({root("download_root", "/srv/a"), root("library.movies", "/srv/a/b")}) ==
        "library.movies: \"/srv/a/b\" lies in \"/srv/a\" of download_root: choose two folders side "
        "by side");
  CHECK(problems({root("download_root", "/srv/a/b"), root("library.movies", "/srv/a")}) ==
        "library.movies: \"/srv/a/b\" of download_root lies in \"/srv/a\": choose two folders side "
        "by side");
}

TEST_CASE("C7: a link to another root is the same folder, and the message shows where it leads") {
  RootFacts link = root("library.movies", "/srv/torrents");
  link.given = "/srv/link";
  CHECK(problems({root("download_root", "/srv/torrents"), link}) ==
        "library.movies: \"/srv/link\" (/srv/torrents) is the same folder as \"/srv/torrents\" of "
        "download_root: choose two folders");
}

TEST_CASE("F28: bind mounts do not hide that roots are the same or nested") {
  RootFacts bound = root("library.movies", "/mnt/bound");
  bound.on_disk.path = "/srv/torrents/films";
  CHECK(problems({root("download_root", "/srv/torrents"), bound}).find("lies in") !=
        std::string::npos);
  bound.on_disk.path = "/srv/torrents";
  CHECK(problems({root("download_root", "/srv/torrents"), bound}).find("is the same folder as") !=
        std::string::npos);
  bound.on_disk.disk = "8:2";
  CHECK(problems({root("download_root", "/srv/torrents"), bound}).empty());

  RootFacts twin = root("download_root", "/srv/torrents");
  twin.on_disk.disk.clear();
  twin.id = bound.id = io::FolderId{.device = 1, .inode = 2};
  CHECK(problems({twin, bound}).find("is the same folder as") != std::string::npos);
}

TEST_CASE("C9: a root that is a file is refused, and one that is missing is not") {
  RootFacts file = root("library.movies", "/srv/films");
  file.is = RootFacts::Is::other;
  CHECK(problems({file}) == "library.movies: \"/srv/films\" is not a folder: choose a folder");
  file.is = RootFacts::Is::missing;
  CHECK(problems({file}).empty());
}

TEST_CASE("a path's place on its disk is found through the last of the longest mounts") {
  constexpr std::string_view kMounts =
      "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "21 20 8:2 / /srv rw - ext4 /dev/sdb1 rw\n"
      "22 21 8:1 /home/films /srv/bound rw - ext4 /dev/sda1 rw\n"
      "23 21 8:3 / /srv/a\\040b rw - ext4 /dev/sdc1 rw\n"
      "24 21 8:4 /sub /srv/twice rw - btrfs /dev/sdd1 rw\n"
      "25 21 8:5 / /srv/twice rw - ext4 /dev/sde1 rw\n"
      "broken\n";
  CHECK((disk_path_of("/etc/x", kMounts) == DiskPath{"8:1", "/etc/x"}));
  CHECK((disk_path_of("/", kMounts) == DiskPath{"8:1", "/"}));
  CHECK((disk_path_of("/srv", kMounts) == DiskPath{"8:2", "/"}));
  CHECK((disk_path_of("/srv/boundless", kMounts) == DiskPath{"8:2", "/boundless"}));
  CHECK((disk_path_of("/srv/bound", kMounts) == DiskPath{"8:1", "/home/films"}));
  CHECK((disk_path_of("/srv/bound/x/y", kMounts) == DiskPath{"8:1", "/home/films/x/y"}));
  CHECK((disk_path_of("/srv/a b/c", kMounts) == DiskPath{"8:3", "/c"}));
  CHECK((disk_path_of("/srv/twice/x", kMounts) == DiskPath{"8:5", "/x"}));
  CHECK((disk_path_of("/srv/x", "") == DiskPath{}));
}

TEST_CASE("C7, C12: a real folder is seen without links, slashes and dots") {
  const TempFolder temp;
  fs::create_directories(temp / "a/b");
  fs::create_directory_symlink(temp / "a", temp / "link");
  const std::string mounts = read_mounts();
  const RootFacts plain = look_at_root("k", (temp / "a").string(), mounts);

  CHECK((plain.is == RootFacts::Is::folder));
  CHECK(plain.id);
  CHECK_FALSE(plain.on_disk.disk.empty());
  for (const char* way : {"link", "a/", "a//", "a/.", "a/b/.."}) {
    const RootFacts seen = look_at_root("k", (temp.path() / way).string(), mounts);
    CHECK_MESSAGE(seen.real == plain.real, way);
    CHECK((seen.on_disk == plain.on_disk));
  }
  CHECK((look_at_root("k", (temp / "none/x").string(), mounts).is == RootFacts::Is::missing));
  CHECK((look_at_root("k", "", mounts).is == RootFacts::Is::missing));
}

TEST_CASE("F28: a real bind mount of a folder in another root is found") {
  const TempFolder temp;
  fs::create_directories(temp / "torrents/films");
  fs::create_directories(temp / "library");
  const bool is_mounted = ::mount((temp / "torrents/films").c_str(), (temp / "library").c_str(),
                                  nullptr, MS_BIND, nullptr) == 0;
  if (!is_mounted) return testing::skip("only root can mount a folder");
  const std::string mounts = read_mounts();

  const std::string text =
      problems({look_at_root("download_root", (temp / "torrents").string(), mounts),
                look_at_root("library.movies", (temp / "library").string(), mounts)});

  ::umount2((temp / "library").c_str(), MNT_DETACH);
  CHECK(text.find("lies in") != std::string::npos);
}

}  // namespace haul::library
