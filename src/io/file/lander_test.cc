// The lander: what it flushes when, what it never replaces, and that every task is answered.
// tests/get/flush_test.cc shows the order of its system calls.

#include "io/file/lander.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <stop_token>
#include <vector>

#include "support/io/temp_folder.h"
#include "support/run/skip.h"

namespace haul::testing {
namespace {

// An answer, or "" for success.
using Answer = std::future<std::string>;

struct Disk {
  TempFolder temp;
  std::shared_ptr<const io::Folder> folder = std::make_shared<const io::Folder>(
      io::Folder::open(temp.path(), io::Folder::Missing::fault).value());

  std::shared_ptr<const io::File> part(const std::string& name, std::string_view text) const {
    io::File file = folder->create(name).value();
    REQUIRE(file.write_at(std::as_bytes(std::span{text.data(), text.size()}), 0));
    return std::make_shared<const io::File>(std::move(file));
  }
  std::string content(const std::string& name) const {
    std::ifstream file{temp / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  bool has(const std::string& name) const { return folder->find(name).has_value(); }
};

io::LandDone answer_to(const std::shared_ptr<std::promise<std::string>>& promise) {
  return [promise](const Result<void>& result) {
    promise->set_value(result ? "" : result.error().code);
  };
}

Answer land(io::Lander& lander, io::LandTask task) {
  const auto promise = std::make_shared<std::promise<std::string>>();
  Answer answer = promise->get_future();
  lander.land(std::move(task), answer_to(promise));
  return answer;
}

constexpr io::Durability kAll[] = {io::Durability::each, io::Durability::batch,
                                   io::Durability::off};

}  // namespace

TEST_CASE("one journal saves the flush of each file, none saves it for files that had no name") {
  for (const io::NamedAs named : {io::NamedAs::nothing, io::NamedAs::part, io::NamedAs::in_place}) {
    CHECK(io::flush_order(io::Journal::one, named) == io::FlushOrder::with_folder);
    CHECK(io::flush_order(io::Journal::unknown, named) == io::FlushOrder::before);
  }
  CHECK(io::flush_order(io::Journal::none, io::NamedAs::nothing) == io::FlushOrder::after);
  CHECK(io::flush_order(io::Journal::none, io::NamedAs::in_place) == io::FlushOrder::after);
  CHECK(io::flush_order(io::Journal::none, io::NamedAs::part) == io::FlushOrder::before);
}

TEST_CASE("a part lands under its final name, from its own folder or from another") {
  for (const io::Durability durability : kAll) {
    const Disk disk;
    const auto lander = io::make_lander(durability);
    const auto inner = std::make_shared<const io::Folder>(
        disk.folder->open_inside("in", io::Folder::Missing::create).value());

    Answer beside = land(
        *lander,
        {.folder = disk.folder, .file = disk.part("a.part", "a"), .part = "a.part", .target = "a"});
    Answer below = land(*lander, {.folder = inner,
                                  .file = disk.part("b.part", "b"),
                                  .part = "b.part",
                                  .target = "b",
                                  .from = disk.folder});

    CHECK(beside.get().empty());
    CHECK(below.get().empty());
    CHECK(disk.content("a") == "a");
    CHECK(disk.content("in/b") == "b");
    CHECK_FALSE(disk.has("a.part"));
    CHECK_FALSE(disk.has("b.part"));
  }
}

TEST_CASE("a file without a name gets its final one, and a file in its place keeps it") {
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::batch);
  const auto in_place = disk.part("a", "here");
  CHECK(
      land(*lander,
           {.folder = disk.folder, .file = in_place, .named = io::NamedAs::in_place, .target = "a"})
          .get()
          .empty());
  CHECK(disk.folder->find("a") == in_place->mark());

  auto unnamed = disk.folder->create_unnamed();
  if (!unnamed) return skip("this file system has no files without a name");
  const auto file = std::make_shared<const io::File>(*std::move(unnamed));
  CHECK(land(*lander,
             {.folder = disk.folder, .file = file, .named = io::NamedAs::nothing, .target = "b"})
            .get()
            .empty());
  CHECK(disk.folder->find("b") == file->mark());
}

TEST_CASE("no file is replaced: the part stays where it is") {
  for (const io::Durability durability : kAll) {
    const Disk disk;
    const auto lander = io::make_lander(durability);
    disk.part("a", "first");

    Answer answer = land(*lander, {.folder = disk.folder,
                                   .file = disk.part("a.part", "second"),
                                   .part = "a.part",
                                   .target = "a"});

    CHECK(answer.get() == "name_taken");
    CHECK(disk.content("a") == "first");
    CHECK(disk.content("a.part") == "second");
  }
}

TEST_CASE("a file is replaced if the task says so, or if it is the one that the task names") {
  for (const io::Durability durability : kAll) {
    const Disk disk;
    const auto lander = io::make_lander(durability);
    const auto replacing = [&](const std::string& name, io::Replace how) {
      return land(*lander, {.folder = disk.folder,
                            .file = disk.part(name + ".part", "second"),
                            .part = name + ".part",
                            .target = name,
                            .from = {},
                            .replace = std::move(how)});
    };
    disk.part("any", "first");
    disk.part("this", "first");

    CHECK(replacing("any", {}).get().empty());
    CHECK(replacing("this", {.only = disk.folder->look("this")}).get().empty());

    CHECK(disk.content("any") == "second");
    CHECK(disk.content("this") == "second");
    CHECK_FALSE(disk.has("this.part"));
  }
}

TEST_CASE("a file that changed, was replaced or is gone since the task named it is not replaced") {
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::batch);
  const auto replacing = [&](const std::string& name, const io::FileSeen& only) {
    return land(*lander, {.folder = disk.folder,
                          .file = disk.part(name + ".part", "second"),
                          .part = name + ".part",
                          .target = name,
                          .from = {},
                          .replace = io::Replace{.only = only}})
        .get();
  };
  for (const char* name : {"changed", "touched", "other", "gone"}) disk.part(name, "first");
  const auto seen = [&](const std::string& name) { return disk.folder->look(name).value(); };
  const io::FileSeen changed = seen("changed");
  const io::FileSeen touched = seen("touched");
  const io::FileSeen other = seen("other");
  const io::FileSeen gone = seen("gone");
  std::ofstream{disk.temp / "changed"} << "my own bytes";
  std::filesystem::last_write_time(
      disk.temp / "touched",
      std::filesystem::last_write_time(disk.temp / "touched") + std::chrono::seconds{1});
  disk.part("another", "first");  // Both exist at a time, so that it has another inode.
  std::filesystem::rename(disk.temp / "another", disk.temp / "other");
  disk.folder->remove("gone");

  CHECK(replacing("changed", changed) == "name_taken");
  CHECK(replacing("touched", touched) == "name_taken");
  CHECK(replacing("other", other) == "name_taken");
  CHECK(replacing("gone", gone) == "name_taken");

  CHECK(disk.content("changed") == "my own bytes");
  CHECK(disk.content("touched") == "first");
  CHECK(disk.content("other") == "first");
  CHECK_FALSE(disk.has("gone"));
  for (const char* part : {"changed.part", "touched.part", "other.part", "gone.part"})
    CHECK(disk.content(part) == "second");
}

TEST_CASE("a file whose wanted checksum this machine cannot compute does not land") {
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::off);
  auto ended = land(*lander, {.folder = disk.folder,
                                    .file = disk.part("a.part", "abc"),
                                    .part = "a.part",
                                    .target = "a",
                                    .wanted = {"md4", "a448017aaf21d8525fc10ae87aa6729d"}});

  CHECK(ended.get() == "hash_unavailable");
  CHECK_FALSE(disk.has("a"));
  CHECK(disk.has("a.part"));
}

TEST_CASE("a file with another checksum than the wanted one does not land") {
  // SHA-256 of "abc".
  const Checksum abc{"sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::off);
  const auto task = [&](const std::string& name, std::string_view text) {
    return io::LandTask{.folder = disk.folder,
                        .file = disk.part(name + ".part", text),
                        .part = name + ".part",
                        .target = name,
                        .wanted = abc};
  };

  CHECK(land(*lander, task("good", "abc")).get().empty());
  CHECK(land(*lander, task("bad", "abd")).get() == "checksum_mismatch");

  CHECK(disk.has("good"));
  CHECK_FALSE(disk.has("bad"));
  CHECK(disk.has("bad.part"));
}

TEST_CASE("a stop ends the check of a huge file, and the files behind it land") {
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::off);
  std::stop_source stop;
  std::vector<Answer> huge;
  for (const char* const name : {"a.part", "b.part"}) {  // One for each thread of the lander.
    const auto file = disk.part(name, "x");
    std::filesystem::resize_file(disk.temp / name, std::uintmax_t{1} << 40U);  // Sparse.
    huge.push_back(land(*lander, {.folder = disk.folder,
                                  .file = file,
                                  .part = name,
                                  .target = std::string{name} + ".whole",
                                  .wanted = {"sha256", "00"},
                                  .stop = stop.get_token()}));
  }
  Answer small = land(
      *lander,
      {.folder = disk.folder, .file = disk.part("c.part", "c"), .part = "c.part", .target = "c"});

  stop.request_stop();

  for (Answer& answer : huge) CHECK(answer.get() == "stopped");
  CHECK(small.get().empty());
  CHECK(disk.has("a.part"));
  CHECK_FALSE(disk.has("a.part.whole"));
}

TEST_CASE("more files than one group has all land, and one that fails spoils no other") {
  constexpr int kFiles = 300;
  const Disk disk;
  const auto lander = io::make_lander(io::Durability::batch);
  disk.part("7", "taken");
  std::vector<Answer> answers;
  for (int n = 0; n < kFiles; ++n) {
    const std::string name = std::to_string(n);
    answers.push_back(land(*lander, {.folder = disk.folder,
                                     .file = disk.part(name + ".part", name),
                                     .part = name + ".part",
                                     .target = name}));
  }

  for (int n = 0; n < kFiles; ++n) {
    CAPTURE(n);
    CHECK(answers[static_cast<std::size_t>(n)].get() == (n == 7 ? "name_taken" : ""));
    CHECK(disk.content(std::to_string(n)) == (n == 7 ? "taken" : std::to_string(n)));
  }
}

TEST_CASE("flushes are answered too, and an end answers all that waits") {
  const Disk disk;
  const auto file = disk.part("a.part", "a");
  const auto flushed = std::make_shared<std::promise<std::string>>();
  const auto began = std::make_shared<std::promise<void>>();
  std::vector<Answer> answers;
  {
    const auto lander = io::make_lander(io::Durability::each);
    lander->flush(file, answer_to(flushed));
    lander->begin_flush(file, [began] { began->set_value(); });
    CHECK(flushed->get_future().get().empty());
    began->get_future().wait();
    for (int n = 0; n < 50; ++n)
      answers.push_back(land(*lander, {.folder = disk.folder,
                                       .file = file,
                                       .named = io::NamedAs::in_place,
                                       .target = "a.part"}));
  }

  for (Answer& answer : answers) {
    const std::string code = answer.get();
    CHECK((code.empty() || code == "stopped"));
  }
}

}  // namespace haul::testing
