// Logging in to a client, and staying logged in.

#include <doctest/doctest.h>

#include "support/client/client_bench.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Shape = FakeQbittorrent::Shape;

}  // namespace

TEST_CASE("S0-27: one login and one question for the version, then the cookie is enough") {
  ClientBench b;
  CHECK(b.look(1) == "1 missing");
  CHECK(b.look(1) == "1 missing");
  CHECK(b.client.told() == "auth/login app/webapiVersion torrents/info?hashes=" + kHash +
                               " torrents/info?tag=haul-a1b2c3d4e5f6-1 torrents/info?hashes=" +
                               kHash + " torrents/info?tag=haul-a1b2c3d4e5f6-1");
}

TEST_CASE("S0-27: whatever the cookie is called it goes back as it came") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape};
    b.client.cookie_name = "QBT_SID_18080";
    b.look(1);
    CHECK(b.client.log.back().cookie == "QBT_SID_18080=ab/+1==");
  }
}

TEST_CASE("S0-27: forgotten, it logs in once more, and the question is asked again") {
  ClientBench b;
  b.client.torrents[kHash] = {
      .id = kHash, .state = "downloading", .have = 5, .tags = {"haul-a1b2c3d4e5f6-1"}};
  CHECK(b.look(1) == "1 moving 5");
  b.client.restart();
  b.client.told();
  CHECK(b.look(1) == "1 moving 5");
  CHECK(b.client.told() == "torrents/info?hashes=" + kHash + " auth/login app/webapiVersion" +
                               " torrents/info?hashes=" + kHash);
}

TEST_CASE("S0-27: one login at most for a client that says 403 to everything") {
  ClientBench b;
  b.client.instead = {{"torrents/info", {.status = 403, .body = "Forbidden"}, 100}};
  CHECK(b.look(1) == "1 unseen client_not_let_in");
  CHECK(b.client.count("auth/login") == 2);
  CHECK(b.client.count("torrents/info") == 2);
}

TEST_CASE("a wrong password is tried once, never again, and said") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape};
    b.client.password = "another";
    CHECK(b.look(1) == "1 unseen client_refused_login");
    for (int i = 0; i < 1'000; ++i) {
      b.clock.pass(15s);
      CHECK(b.look(1) == "1 unseen client_refused_login");
      CHECK(b.start(b.order(2)) == "2 failed environment client_refused_login");
    }
    CHECK(b.client.count("auth/login") == 1);
    CHECK(b.client.bad_logins == 1);
    CHECK(b.troubles == std::vector<std::string>{"client_refused_login"});
  }
}

TEST_CASE("a ban is waited out: it is not asked for ten minutes") {
  ClientBench b;
  b.client.bad_logins = 5;
  CHECK(b.look(1) == "1 unseen client_banned");
  b.clock.pass(599s);
  CHECK(b.look(1) == "1 unseen client_banned");
  CHECK(b.client.count("auth/login") == 1);
  b.clock.pass(1s);
  b.client.restart();  // It forgets bans.
  CHECK(b.look(1) == "1 missing");
}

TEST_CASE("an API key goes with each request, and haul does not log in") {
  ClientBench b{Shape::v5,
                [](qbittorrent::QbittorrentSettings& settings) { settings.api_key = "qbt_key"; }};
  b.client.api_key = "qbt_key";
  CHECK(b.look(1) == "1 missing");
  CHECK(b.client.count("auth/login") == 0);
  CHECK(b.client.log.back().authorization == "Bearer qbt_key");
}

TEST_CASE("an API key that is refused is not tried again") {
  ClientBench b{Shape::v5,
                [](qbittorrent::QbittorrentSettings& settings) { settings.api_key = "wrong"; }};
  b.client.api_key = "qbt_key";
  CHECK(b.look(1) == "1 unseen client_not_let_in");
  CHECK(b.look(1) == "1 unseen client_not_let_in");
  CHECK(b.client.log.size() == 1);
}

TEST_CASE("S0-27: a client that asks for no login from here is used without one") {
  ClientBench b{Shape::v4, [](qbittorrent::QbittorrentSettings& settings) {
                  settings.username.clear();
                  settings.password.clear();
                }};
  b.client.asks_for_login = false;
  CHECK(b.look(1) == "1 missing");
  CHECK(b.client.count("auth/login") == 0);
}

TEST_CASE("who needs a login and has none is told so, and may be let in later") {
  ClientBench b{Shape::v4, [](qbittorrent::QbittorrentSettings& settings) {
                  settings.username.clear();
                  settings.password.clear();
                }};
  CHECK(b.look(1) == "1 unseen client_not_let_in");
  b.client.asks_for_login = false;
  CHECK(b.look(1) == "1 missing");
}

TEST_CASE("a server that is not qBittorrent, or is too old, is reported as such") {
  for (const auto& [reply, code] :
       {std::pair{FakeReply{.body = "<html>router</html>"}, "client_unknown"},
        {FakeReply{.status = 404}, "client_unknown"},
        {FakeReply{.body = "2.8.2"}, "client_too_old"},
        {FakeReply{.body = "2.1"}, "client_too_old"}}) {
    ClientBench b;
    b.client.instead = {{"app/webapiVersion", reply, 1}};
    CHECK(b.look(1) == "1 unseen " + std::string{code});
    CHECK(b.look(1) == "1 missing");
  }
}

TEST_CASE("Z-1, F11: a client whose proxy answers 502 is away, and settles from its first answer") {
  const FakeReply bad_gateway{.status = 502, .body = "<html>Bad Gateway</html>"};
  for (const bool was_down : {false, true}) {
    CAPTURE(was_down);
    ClientBench b;
    CHECK(b.look(1) == "1 missing");
    b.client.is_down = was_down;
    if (was_down) CHECK(b.look(1) == "1 unseen client_unreachable");
    b.client.is_down = false;
    b.client.instead = {{"torrents/info", bad_gateway, 6}};
    for (int minute = 0; minute < 6; ++minute) {
      CHECK(b.look(1) == "1 unseen client_unreachable");
      b.clock.pass(60s);
    }

    b.client.is_empty = true;
    CHECK(b.look(1) == "1 unseen client_restarting");
    b.clock.pass(299'999ms);
    CHECK(b.look(1) == "1 unseen client_restarting");
    b.clock.pass(1ms);
    CHECK(b.look(1) == "1 missing");
  }
}

TEST_CASE("Z-1: a proxy that answers 502 to the login or to the version says the client is away") {
  for (const auto& [action, code] :
       {std::pair{"auth/login", "client_unknown"}, {"app/webapiVersion", "client_unreachable"}}) {
    CAPTURE(action);
    ClientBench b;
    b.client.instead = {{action, {.status = 502}, 1}};
    CHECK(b.look(1) == "1 unseen " + std::string{code});
    CHECK(b.look(1) == "1 unseen client_restarting");
    b.clock.pass(300s);
    CHECK(b.look(1) == "1 missing");
  }
}

TEST_CASE("Q29: a client that takes the question and never answers is unreachable, in 30 s") {
  ClientBench b;
  b.client.instead = {{"torrents/info", {.status = 0}, 1}};
  b.engine().look(std::vector{b.order(1, kHash)}, b.letters);
  b.loop.run();
  b.clock.pass(29'999ms);
  b.loop.run();
  CHECK(b.letters.sights.empty());
  b.clock.pass(1ms);
  CHECK(b.told() == "1 unseen client_unreachable");
}

TEST_CASE("trouble is told when it begins and when it is over, not at every question") {
  ClientBench b;
  b.look(1);
  b.client.is_down = true;
  for (int i = 0; i < 5; ++i) CHECK(b.look(1) == "1 unseen client_unreachable");
  b.client.is_down = false;
  b.look(1);
  b.look(1);
  CHECK(b.troubles == std::vector<std::string>{"client_unreachable", "well"});
}

}  // namespace haul::testing
