// A program's file on its way to its place, and what a later start does after a crash or a fault.

#include "engine/child/delivery.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <set>

#include "support/io/at_once_loop.h"
#include "support/io/fake_lander.h"
#include "support/io/open_gate.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

const std::string kStore = "a1b2c3d4e5f6";
const std::string kBoot = "this boot";
constexpr std::string_view kFilm = "\x01\x02 bytes of a film";

// The last word about an item, and the checkpoint that the flow would have stored by then.
class Told final : public Inbox {
 public:
  std::string last;
  std::string checkpoint;

  void push(Sight sight) override {
    if (const auto* fetched = std::get_if<Fetched>(&sight.what)) {
      last = "fetched " + fetched->path;
      checkpoint = fetched->checkpoint;
    }
    if (const auto* failed = std::get_if<Failed>(&sight.what)) {
      last = "failed " + failed->fault.code;
      if (!failed->checkpoint.empty()) checkpoint = failed->checkpoint;
    }
    if (const auto* finished = std::get_if<Finished>(&sight.what))
      last = "finished " + finished->path;
    if (std::holds_alternative<Stopped>(sight.what)) last = "stopped";
  }
};

struct DeliveryBench {
  TempFolder temp;
  AtOnceLoop loop;
  OpenGate gate;
  FakeLander lander;
  child::ChildSettings settings;
  child::ChildEnv env{child::yt_dlp(), loop, gate, lander, system_clock(), settings, kBoot};
  Told told;

  // A job of this lease, as ChildJobs opens it.
  std::shared_ptr<child::ChildJob> job(std::int64_t fence) const {
    auto opened = std::make_shared<child::ChildJob>();
    opened->landing =
        io::landing_folder(io::Folder::open(temp.path(), io::Folder::Missing::fault).value(),
                           {kStore, JobId{1}, 0, fence});
    opened->landing.crowded = true;
    return opened;
  }
  Order order(std::int64_t fence) const {
    Order made{.store = kStore, .job = JobId{1}, .item = 2, .fence = fence, .start = fence};
    made.checkpoint = told.checkpoint;
    return made;
  }
  child::StagedFile staged(const std::string& path) const {
    const std::filesystem::path given = temp / ("out/" + path);
    std::filesystem::create_directories(given.parent_path());
    std::ofstream{given} << kFilm;
    child::StagedFile file{
        .folder = std::make_shared<const io::Folder>(
            io::Folder::open(given.parent_path(), io::Folder::Missing::fault).value()),
        .name = given.filename().string(),
        .path = path,
        .file = {}};
    file.file = std::make_shared<io::File>(file.folder->open_file(file.name).value());
    return file;
  }
  std::string at(const std::string& name) const { return (temp / name).string(); }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{temp.path()})
      if (entry.is_regular_file())
        found.insert(std::filesystem::relative(entry.path(), temp.path()).string());
    return found;
  }
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("a program's file becomes a part, and lands in its folder once that is stored") {
  DeliveryBench bench;
  child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
  delivery.land();  // Too early: there is nothing yet.
  delivery.take(bench.staged("Somebody/film.mp4"));

  CHECK(delivery.is_fetched());
  CHECK(bench.told.last == "fetched " + bench.at("Somebody/film.mp4"));
  CHECK((bench.names() == Names{"film.mp4.haul-a1b2c3d4e5f6-1-2-1.part"}));
  delivery.land();

  CHECK(delivery.is_gone());
  CHECK(bench.told.last == "finished " + bench.at("Somebody/film.mp4"));
  CHECK((bench.names() == Names{"Somebody/film.mp4"}));
}

TEST_CASE("Z-8: when the folder cannot be flushed, a program's file is known again, not fetched") {
  DeliveryBench bench;
  bench.lander.fails = FakeLander::Fails::after;
  {
    child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
    delivery.take(bench.staged("film.mp4"));
    delivery.land();
  }
  CHECK(bench.told.last == "failed disk_error");
  bench.lander.fails = FakeLander::Fails::never;

  child::Delivery again{bench.env, bench.job(2), bench.order(2), bench.told};
  CHECK(again.recognise());

  CHECK(bench.told.last == "finished " + bench.at("film.mp4"));
  REQUIRE(bench.lander.tasks.size() == 2);
  CHECK(bench.lander.tasks.back().named == io::NamedAs::in_place);  // Flushed again.
  CHECK((bench.names() == Names{"film.mp4"}));
}

TEST_CASE("Z-8: a file that cannot land for now stays whole, and the next start lands it") {
  for (const FaultKind kind : {FaultKind::environment, FaultKind::retryable}) {
    DeliveryBench bench;
    bench.lander.fails = FakeLander::Fails::before;
    bench.lander.fault = {kind, "no_permission", ""};
    {
      child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
      delivery.take(bench.staged("film.mp4"));
      delivery.land();
      CHECK(delivery.is_gone());
    }
    CHECK(bench.told.last == "failed no_permission");
    bench.lander.fails = FakeLander::Fails::never;

    child::Delivery again{bench.env, bench.job(2), bench.order(2), bench.told};
    CHECK(again.recognise());
    CHECK(bench.told.last == "fetched " + bench.at("film.mp4"));
    again.land();

    CHECK((bench.names() == Names{"film.mp4"}));
  }
}

TEST_CASE("a file that cannot land for good, or has lost bytes, is removed and forgotten") {
  for (const Fault& fault : {Fault{FaultKind::permanent, "file_too_large", ""},
                             Fault{FaultKind::retryable, "checksum_mismatch", ""},
                             Fault{FaultKind::environment, "disk_error", ""}}) {
    CAPTURE(fault.code);
    DeliveryBench bench;
    bench.lander.fails = FakeLander::Fails::before;
    bench.lander.fault = fault;
    child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
    delivery.take(bench.staged("film.mp4"));
    delivery.land();

    CHECK(bench.told.last == "failed " + fault.code);
    CHECK(bench.told.checkpoint == "{}");
    CHECK(bench.names().empty());
  }
}

TEST_CASE("a file in its place that fails its checksum is fetched again, under another name") {
  DeliveryBench bench;
  bench.lander.fails = FakeLander::Fails::after;
  {
    child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
    delivery.take(bench.staged("film.mp4"));
    delivery.land();
  }
  bench.lander.fails = FakeLander::Fails::before;
  bench.lander.fault = {FaultKind::retryable, "checksum_mismatch", ""};
  {
    child::Delivery damaged{bench.env, bench.job(2), bench.order(2), bench.told};
    CHECK(damaged.recognise());
    CHECK(bench.told.last == "failed checksum_mismatch");
  }
  bench.lander.fails = FakeLander::Fails::never;

  child::Delivery again{bench.env, bench.job(3), bench.order(3), bench.told};
  CHECK_FALSE(again.recognise());
  again.take(bench.staged("film.mp4"));
  again.land();

  CHECK(bench.told.last == "finished " + bench.at("film (2).mp4"));
}

TEST_CASE("S2-27: a part whose start was lost before it landed is fetched for the next start") {
  DeliveryBench bench;
  {
    child::Delivery lost{bench.env, bench.job(1), bench.order(1), bench.told};
    lost.take(bench.staged("film.mp4"));
  }
  child::Delivery next{bench.env, bench.job(2), bench.order(2), bench.told};
  CHECK(next.recognise());
  CHECK(bench.told.last == "fetched " + bench.at("film.mp4"));
  next.land();

  CHECK((bench.names() == Names{"film.mp4"}));
}

TEST_CASE("an item without a file of an earlier start is not recognised, and its old parts go") {
  DeliveryBench bench;
  {
    child::Delivery lost{bench.env, bench.job(1), bench.order(1), bench.told};
    lost.take(bench.staged("film.mp4"));
  }
  bench.told.checkpoint.clear();
  child::Delivery next{bench.env, bench.job(2), bench.order(2), bench.told};

  CHECK_FALSE(next.recognise());

  CHECK_FALSE(next.is_fetched());
  CHECK(bench.names().empty());
}

TEST_CASE("A2-16: a stop keeps a fetched part, and a cancel removes it") {
  for (const Leftovers leftovers : {Leftovers::keep, Leftovers::remove}) {
    DeliveryBench bench;
    child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
    delivery.take(bench.staged("film.mp4"));

    delivery.stop(leftovers);

    CHECK(bench.told.last == "stopped");
    CHECK(delivery.is_gone());
    CHECK(bench.names().empty() == (leftovers == Leftovers::remove));
  }
}

TEST_CASE("an item is one file: what comes after it, or after its end, changes nothing") {
  DeliveryBench bench;
  child::Delivery delivery{bench.env, bench.job(1), bench.order(1), bench.told};
  delivery.take(bench.staged("film.mp4"));
  delivery.take(bench.staged("second.mp4"));
  CHECK(bench.told.last == "fetched " + bench.at("film.mp4"));
  delivery.land();

  delivery.fail({FaultKind::permanent, "late", ""});
  delivery.stop(Leftovers::remove);

  CHECK(bench.told.last == "finished " + bench.at("film.mp4"));
  CHECK(bench.names().contains("film.mp4"));
}

}  // namespace haul::testing
