// F28: a clean beside a thread that exchanges files, folders, links and mounts as fast as it can.
// Each round has a fixed number of turns. Whatever haul meets, files that are not listed survive.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mount.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>

#include "support/io/clean_scene.h"
#include "support/io/own_mounts.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/run/skip.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;

namespace {

constexpr int kTurns = 100;  // Of one round. A clean takes about as long as some ten turns.

enum class Mounting : std::uint8_t { no, yes };

// Every turn changes what a path leads to, and changes it back. haul may have taken the entry
// meanwhile: then a step fails, and the others go on.
class Racer {
 public:
  Racer(const CleanScene& scene, unsigned seed, Mounting mounting)
      : root_{io::open_root(scene.root()).value()},
        outside_{scene.outside()},
        folder_{scene.folder()},
        mounting_{mounting},
        random_{seed} {}

  void turn() {
    switch (between(random_, 0, mounting_ == Mounting::yes ? 5 : 3)) {
      case 0:
        return twice([this] { exchange("Film/film.mkv", "Film/mine.mkv"); });
      case 1:
        return twice([this] { exchange("Film", "Decoy"); });
      case 2:
        move("Film", "away");
        ::symlinkat(outside_.c_str(), root_.get(), "Film");
        ::unlinkat(root_.get(), "Film", 0);
        return move("away", "Film");
      case 3:
        move("Film/film.mkv", "Film/spare.mkv");
        move("Film/mine.mkv", "Film/film.mkv");
        move("Film/film.mkv", "Film/mine.mkv");
        return move("Film/spare.mkv", "Film/film.mkv");
      case 4:
        return mount_on(folder_);
      default:
        return mount_on(folder_ / "film.mkv");
    }
  }

 private:
  template <class Act>
  static void twice(const Act& act) {
    act();
    act();
  }
  void exchange(const char* one, const char* other) const {
    ::renameat2(root_.get(), one, root_.get(), other, RENAME_EXCHANGE);
  }
  void move(const char* from, const char* to) const {
    ::renameat2(root_.get(), from, root_.get(), to, RENAME_NOREPLACE);
  }
  void mount_on(const fs::path& at) const {
    const fs::path from = at == folder_ ? outside_ : outside_ / "film.mkv";
    if (::mount(from.c_str(), at.c_str(), nullptr, MS_BIND, nullptr) == 0)
      ::umount2(at.c_str(), MNT_DETACH);
  }

  const io::Descriptor root_;
  const fs::path outside_;
  const fs::path folder_;
  const Mounting mounting_;
  std::mt19937 random_;
};

// The bytes of every file of the scene, by inode.
std::map<std::string, std::string> files_of(const CleanScene& scene) {
  std::map<std::string, std::string> files;
  for (const auto& [path, fact] : scene.facts()) {
    if (!fact.starts_with("file ") || path.find("index.json") != std::string::npos) continue;
    const std::size_t blank = fact.find(' ', 5);
    files[fact.substr(5, blank - 5)] = fact.substr(blank + 1);
  }
  return files;
}

// A mount goes with the file when haul gives that another name, and then the racer misses it. What
// lies beneath it is still there.
void unmount_all(const CleanScene& scene) {
  for (const auto& [path, fact] : scene.facts())
    ::umount2((scene.home() / path).c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
}

// What is wrong after one clean beside a racer. Empty if nothing is.
std::string race(unsigned seed, Mounting mounting, library::CleanBy by) {
  CleanScene scene;
  LibraryBench::write(scene.folder() / "mine.mkv", "of a user");
  LibraryBench::write(scene.root() / "Decoy/film.mkv", "of a user");
  std::map<std::string, std::string> before = files_of(scene);
  const std::string source = std::to_string(scene.listed().inode);
  Racer racer{scene, seed, mounting};
  std::atomic<bool> has_begun = false;
  std::thread thread{[&] {
    for (int turn = 0; turn < kTurns; ++turn) {
      racer.turn();
      has_begun = true;
    }
  }};
  while (!has_begun) std::this_thread::yield();
  const CleanScene::Said said = scene.clean(by);
  thread.join();
  if (mounting == Mounting::yes) unmount_all(scene);

  const std::map<std::string, std::string> after = files_of(scene);
  const bool is_gone = !after.contains(source);
  std::string text;
  if (is_gone != (said.outcome == "deleted"))
    text += fmt::format("the source is not {}: {}\n", said.outcome, said.detail);
  if (is_gone) before.erase(source);
  for (const auto& [inode, bytes] : before)
    if (const auto now = after.find(inode); now == after.end() || now->second != bytes)
      text += "a file is gone: " + bytes + "\n";
  return text;
}

std::string race_many(std::mt19937& random, int rounds, Mounting mounting) {
  std::string text;
  for (int round = 0; round < rounds && text.empty(); ++round) {
    const unsigned seed = static_cast<unsigned>(random());
    const bool has_trash = between(random, 0, 1) == 1;
    text =
        race(seed, mounting, has_trash ? library::CleanBy::trashing : library::CleanBy::deleting);
  }
  return text;
}

}  // namespace

TEST_CASE("F28: a hundred races for the source's path cost no other file (proof: twenty thousand)" *
          doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};

  CHECK(race_many(random, rounds(100, 20'000), Mounting::no) == "");
}

TEST_CASE("F28: a hundred races with mounts cost no other file (proof: ten thousand)" *
          doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const int count = rounds(100, 10'000);

  std::string problems;
  const std::string why =
      in_own_mounts([&] { problems = race_many(random, count, Mounting::yes); });

  if (!why.empty()) return skip(why);
  CHECK(problems == "");
}
