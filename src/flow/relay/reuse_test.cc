// A file that the chat's server has already is sent by the server's own name for it (S3-22).

#include <doctest/doctest.h>
#include <fmt/core.h>

#include "flow/relay/disk_file.h"
#include "support/flow/script.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;

// What the disk reports of a file with this content.
Moving reading(char content = 'a') {
  Moving moving{.have = 1, .size = 10, .path = {}, .checkpoint = {}};
  moving.checkpoint =
      fmt::format(R"({{"name":"a.mp4","size":10,"sha256":"{}"}})", std::string(64, content));
  return moving;
}

Sent sent_as(const std::string& file) {
  return {.ack = fmt::format(R"({{"message_id":7,"chat_id":2,"file_id":"{}"}})", file)};
}

// A relay whose file was read and is on its way to the chat.
JobId sending(Stage& s, char content = 'a') {
  const JobId id = s.add(kRelay);
  s.tick();
  s.reply("disk.start", reading(content));
  return id;
}

JobId delivered(Stage& s, const std::string& file) {
  const JobId id = sending(s);
  s.reply("chat.land", sent_as(file));
  s.asked();
  return id;
}

Stage sender(const std::string& name) {
  return Stage{flow::Settings{}, {}, {.relay = {.sender = name}}};
}

}  // namespace

TEST_CASE("S3-22: a file that was delivered before is sent by its name, and not read further") {
  Stage s;
  delivered(s, "BQAC-1");

  const JobId id = sending(s);
  CHECK(s.asked() == "disk.start 2, disk.stop 2, chat.land 2");
  CHECK(s.last("chat.land").path == "telegram:BQAC-1");
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING");
  CHECK(s.intents(id) == "chat_send open");
  s.reply("disk.stop", Stopped{});
  s.reply("chat.land", sent_as("BQAC-1"));
  CHECK(s.state(id) == "DELIVERED");
  CHECK(s.job(id).version.attempt == 0);
}

TEST_CASE("S3-22: a file with another content, or one that never arrived, is uploaded") {
  Stage s;
  sending(s);
  s.reply("chat.land", failed(FaultKind::permanent, "chat_not_found"));
  sending(s);
  CHECK(s.last("chat.land").path.empty());
  s.reply("chat.land", sent_as("BQAC-1"));
  sending(s, 'b');
  CHECK(s.last("chat.land").path.empty());
  CHECK(s.last("chat.land").size == 10);
}

TEST_CASE("S3-22: what another sender has uploaded is no use") {
  Stage s = sender("77");
  delivered(s, "BQAC-1");
  sending(s);
  CHECK(s.last("chat.land").path == "telegram:BQAC-1");

  const auto fingerprint_of = [](const std::string& name) {
    return flow::fingerprint_of({.name = "a.mp4", .size = 10, .sha256 = std::string(64, 'a')},
                                name);
  };
  CHECK((s.store().deliveries().find(fingerprint_of("77")) == "BQAC-1"));
  CHECK_FALSE(s.store().deliveries().find(fingerprint_of("78")).has_value());
}

TEST_CASE("S3-22: a stale name is forgotten, the file is uploaded, and that counts no attempt") {
  Stage s;
  delivered(s, "BQAC-1");
  const JobId id = sending(s);
  s.asked();

  s.reply("chat.land", failed(FaultKind::permanent, "stale_file_id"));
  CHECK(s.asked() == "disk.start 2");
  CHECK(s.intents(id) == "chat_send failed");
  s.reply("disk.start", reading());
  CHECK(s.asked() == "chat.land 2");
  CHECK(s.last("chat.land").path.empty());
  s.reply("chat.land", sent_as("BQAC-2"));
  CHECK(s.trail(id) == "QUEUED > CLAIMED > DOWNLOADING > STREAMING > DELIVERED");
  CHECK(s.job(id).version.attempt == 0);

  sending(s);
  CHECK(s.last("chat.land").path == "telegram:BQAC-2");
}

TEST_CASE("S3-22: a server that calls an upload stale fails the relay, and does not loop") {
  Stage s;
  const JobId id = sending(s);
  s.reply("chat.land", failed(FaultKind::permanent, "stale_file_id"));
  CHECK(s.state(id) == "FAILED");
}

TEST_CASE("promise 5: a send by name whose outcome is unknown is flagged like any other") {
  Stage s{flow::Settings{}, {}, {.relay = {.on_unknown = flow::OnUnknown::pause}}};
  delivered(s, "BQAC-1");
  const JobId id = sending(s);
  s.reply("chat.land", unknown_outcome());
  CHECK(s.job(id).paused);
  CHECK(s.intents(id) == "chat_send unknown, pause done");
}

TEST_CASE("S3-22: a worker lost between the chat's answer and the move loses no name") {
  int commits_left = -1;
  Stage s{{}, [&](CommitPhase phase) {
            if (phase == CommitPhase::before && commits_left >= 0 && commits_left-- == 0)
              throw StoreFault{StoreFault::Kind::gone, "killed"};
          }};
  const JobId id = sending(s);
  commits_left = 1;  // The answer is stored, the move is not.
  CHECK_THROWS_AS(s.reply("chat.land", sent_as("BQAC-1")), StoreFault);
  s.crash();
  s.hire();
  s.live(31s);
  CHECK(s.state(id) == "DELIVERED");
  CHECK(s.count("chat.land") == 1);

  sending(s);
  CHECK(s.last("chat.land").path == "telegram:BQAC-1");
}

TEST_CASE("S3-22: a pause while the known file is sent waits for the chat's answer") {
  Stage s;
  delivered(s, "BQAC-1");
  const JobId id = sending(s);
  REQUIRE(flow::pause(s.store(), id, s.clock.now()).wished);
  s.live(3s);
  CHECK(s.state(id) == "STREAMING");
  s.reply("chat.stop", sent_as("BQAC-1"));
  CHECK(s.state(id) == "DELIVERED");
}

}  // namespace haul::testing
