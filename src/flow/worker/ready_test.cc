// Z-30: a worker begins no job of a lifecycle whose engine or sink is not ready. The job waits, and
// `why` says what to configure.

#include <doctest/doctest.h>

#include <string>

#include "flow/user/why.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

std::string why(Stage& s, JobId id) {
  const auto told = flow::explain(s.store(), id, s.clock.now(), {}, s.worker().all_work());
  return told->code + ": " + told->because;
}

struct Need {
  const Lifecycle* table;
  const char* part;    // Which must be ready first.
  const char* begins;  // The first call when it is.
};

}  // namespace

TEST_CASE("Z-30: jobs of a lifecycle that is not ready wait, unclaimed and not handed over") {
  for (const Need& need :
       {Need{&kBook, "client", "client.start 1"}, Need{&kMedia, "client", "client.start 1"},
        Need{&kMedia, "library", "client.start 1"}, Need{&kBatch, "http", "http.plan 1"},
        Need{&kRelay, "disk", "disk.start 1"}, Need{&kRelay, "chat", "disk.start 1"},
        Need{&kImage, "images", "images.start 1"}, Need{&kImage, "bucket", "images.start 1"}}) {
    CAPTURE(need.table->name);
    CAPTURE(need.part);
    Stage s;
    s.lacks[need.part] = "configure x";
    const JobId id = need.table == &kImage ? s.buy(1) : s.add(*need.table);
    const std::string first = s.state(id);

    s.live(2min);
    CHECK(s.asked().empty());
    CHECK(s.intents(id).empty());
    CHECK(s.state(id) == first);
    CHECK(s.job(id).version.attempt == 0);
    CHECK(why(s, id) == "not_configured: haul cannot begin it: configure x");

    s.lacks.clear();
    CHECK_FALSE(why(s, id).starts_with("not_configured"));
    s.after(15s);
    CHECK(s.asked() == need.begins);
  }
}

TEST_CASE("Z-30: a lifecycle that is not ready does not hold the others up") {
  Stage s;
  s.lacks["disk"] = "configure x";
  s.add(kRelay);
  const JobId batch = s.add(kBatch);

  s.tick();
  CHECK(s.asked() == "http.plan 2");
  CHECK(why(s, batch).starts_with("enumerating"));
}

TEST_CASE("Z-30: a film begins if the engine that it asks for is ready, whatever another lacks") {
  Stage s;
  s.lacks = {{"client", "configure x"}, {"client.http", ""}};
  const JobId torrent = s.add(kMedia);
  const JobId web =
      s.add(kMedia,
            {.request =
                 R"({"engine":"http","release_name":"r","title":"t","uri":"https://h/film.mkv"})"});

  s.tick();
  CHECK(s.asked() == "client.start 2");
  CHECK(why(s, torrent) == "not_configured: haul cannot begin it: configure x");
  CHECK(why(s, web).starts_with("hand_over"));

  s.reply("client.start", Accepted{.handle = "7"});
  for (const char* call : {"client.start", "client.look"})
    CHECK(flow::engine_in(kMedia, s.last(call).request) == "http");
  s.reply("client.look", whole("/in/film"));
  CHECK(s.state(web) == "completed");
  CHECK(s.asked() == "client.look 2, library.land 2");  // The worker takes it, and imports it.
}

TEST_CASE("Z-30: a worker lends no capacity to adds of a lifecycle that is not ready") {
  Stage s;
  s.tick();
  const auto lent = [&] {
    const auto loan = s.worker().spare().lend(kRelay, 1);
    if (loan) s.worker().spare().give_back(*loan, {});
    return loan.has_value();
  };

  CHECK(lent());
  s.lacks["chat"] = "configure x";
  CHECK_FALSE(lent());
  CHECK_FALSE(s.worker().spare().lend(kItem, 1).has_value());
}

TEST_CASE("Z-30: what a client already has is watched and cancelled without the library") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.reply("client.look", Moving{.have = 1});
  s.asked();

  s.lacks["library"] = "configure x";
  s.after(15s);
  CHECK(s.asked() == "client.look 1");
  CHECK(why(s, id).starts_with("downloading"));

  REQUIRE(haul::flow::cancel(s.store(), id, s.clock.now()).wished);
  CHECK(why(s, id).starts_with("cancel_asked"));
  s.after(1s);
  CHECK(s.asked() == "client.stop 1");
  s.reply("client.stop", haul::Stopped{});
  CHECK(s.state(id) == "failed");
}

TEST_CASE("Z-30: a film that waits for its import is not adopted until the library is ready") {
  Stage s;
  const JobId id = s.add(kMedia);
  s.tick();
  s.reply("client.start", Accepted{.handle = "hash"});
  s.lacks["library"] = "configure x";
  s.reply("client.look", whole("/in/film"));
  CHECK(s.state(id) == "completed");
  s.asked();

  s.live(1min);
  CHECK(s.asked().empty());
  CHECK(why(s, id) == "not_configured: haul cannot begin it: configure x");

  s.lacks.clear();
  s.after(1s);
  CHECK(s.asked() == "library.land 1");
}

}  // namespace haul::testing
