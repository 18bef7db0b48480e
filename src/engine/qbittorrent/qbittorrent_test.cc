// Giving torrents to a client, asking about them, taking them back.

#include "engine/qbittorrent/qbittorrent.h"

#include <doctest/doctest.h>

#include <fstream>

#include "engine/qbittorrent/withdraw.h"
#include "support/client/client_bench.h"
#include "support/io/temp_folder.h"

namespace haul::testing {
namespace {

using namespace std::chrono_literals;
using Shape = FakeQbittorrent::Shape;

const std::string kTorrent =
    "d4:infod6:lengthi5e4:name1:a12:piece lengthi16384e6:pieces20:aaaaaaaaaaaaaaaaaaaaee";
const std::string kTorrentHash = "d0d24694da2b8aa2fb5978c5a9f0ded040b4fb36";
const std::string kOther(40, 'b');

// The client stays connected and answers nothing to this action.
FakeQbittorrent::Instead silence(const std::string& action) { return {action, {.status = 0}, 1}; }

// Every sight of the next `within`: how many were Stopped, and how many were others, for each job.
struct StopsTold {
  std::map<std::int64_t, int> stopped;
  std::map<std::int64_t, int> others;
};
StopsTold all_told(ClientBench& b, Millis within) {
  StopsTold told;
  for (const Steady until = b.clock.steady() + within; b.clock.steady() < until;) {
    b.loop.run();
    for (const Sight& sight : b.letters.take())
      ++(std::holds_alternative<Stopped>(sight.what) ? told.stopped : told.others)[sight.job.value];
    b.clock.pass(Millis{100});
  }
  return told;
}

}  // namespace

TEST_CASE("S0-25: a magnet is looked for by tag and hash, added once, with its tag") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape};
    CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
    CHECK(b.client.told() ==
          "auth/login app/webapiVersion torrents/info?tag=haul-a1b2c3d4e5f6-7"
          " torrents/info?hashes=" +
              kHash + " torrents/add torrents/info?tag=haul-a1b2c3d4e5f6-7");
    const FakeRequest& add = *std::ranges::find(b.client.log, "torrents/add", &FakeRequest::action);
    CHECK(add.fields.at("urls") == magnet());
    CHECK(add.fields.at("category") == "haul");
    CHECK(add.fields.at("paused") == "false");
    CHECK(add.fields.at("stopped") == "false");
    CHECK(b.client.torrents.at(kHash).tags == std::set<std::string>{"haul-a1b2c3d4e5f6-7"});
  }
}

TEST_CASE("S0-25: started again after a crash, the tag finds what the first one left") {
  ClientBench b;
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.client.count("torrents/add") == 1);
}

TEST_CASE("S0-14: started many times at once it is handed over once, and answered once") {
  ClientBench b;
  for (int i = 0; i < 1'000; ++i) b.engine().start(b.order(7), b.letters);
  CHECK(b.told() == "7 accepted " + kHash);
  CHECK(b.client.count("torrents/add") == 1);
}

TEST_CASE("a torrent's file is fetched by haul, and its bytes are given to the client") {
  ClientBench b;
  b.web = [](const io::HttpRequest& request) {
    return request.url == "https://t.example/a.torrent" ? FakeReply{.body = kTorrent}
                                                        : FakeReply{.status = 404};
  };
  CHECK(b.start(b.order(7, "", "https://t.example/a.torrent")) == "7 accepted " + kTorrentHash);
  const FakeRequest& add = *std::ranges::find(b.client.log, "torrents/add", &FakeRequest::action);
  CHECK(add.file == kTorrent);
  CHECK(add.fields.at("tags") == "haul-a1b2c3d4e5f6-7");
  CHECK_FALSE(add.fields.contains("urls"));
}

TEST_CASE("an address that leads to a magnet link is that link") {
  ClientBench b;
  b.web = [](const io::HttpRequest& request) {
    if (request.url.ends_with("/first"))
      return FakeReply{.status = 302, .headers = {{"location", "/second"}}};
    return FakeReply{.status = 302, .headers = {{"location", magnet()}}};
  };
  CHECK(b.start(b.order(7, "", "https://t.example/first")) == "7 accepted " + kHash);
}

TEST_CASE("what cannot be a torrent fails for good, what may come later does not") {
  struct Row {
    FakeReply reply;
    std::string told;
  };
  for (const Row& row : std::vector<Row>{
           {{.status = 404}, "failed permanent http_404"},
           {{.status = 503}, "failed retryable http_503"},
           {{.status = 429}, "failed retryable http_429"},
           {{.status = 501}, "failed permanent http_501"},  // As for any other download.
           {{.body = "<html>"}, "failed permanent bad_torrent"},
           {{.status = 302, .headers = {{"location", "file:///etc/passwd"}}},
            "failed permanent bad_redirect"},
           {{.status = 302, .headers = {{"location", "http://t.example/"}}},
            "failed permanent insecure_redirect"},
           {{.status = 302, .headers = {{"location", "/a"}}},
            "failed permanent too_many_redirects"},
           {{.fault = Fault{FaultKind::rejected, "private_address", ""}},
            "failed permanent private_address"},
           {{.fault = Fault{FaultKind::retryable, "timeout", ""}}, "failed retryable timeout"},
           {{.fault = Fault{FaultKind::environment, "network_down", ""}},
            "failed environment network_down"}}) {
    ClientBench b;
    b.web = [&](const io::HttpRequest&) { return row.reply; };
    CHECK(b.start(b.order(7, "", "https://t.example/a")) == "7 " + row.told);
    CHECK(b.client.count("torrents/add") == 0);
  }
}

TEST_CASE("an address that is none, a path of the client's disk among them, goes nowhere") {
  for (const char* uri : {"/etc/passwd", "file:///etc/passwd", "", "magnet:?dn=x", "ftp://h/x"}) {
    ClientBench b;
    CHECK(b.start(b.order(7, "", uri)).starts_with("7 failed permanent bad_"));
    CHECK(b.client.log.empty());
  }
}

TEST_CASE("Q6: nothing new is looked for again: there, it is shared; not there, it failed") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    ClientBench b{shape};
    const FakeReply nothing_new =
        shape == Shape::v5 ? FakeReply{.status = 409} : FakeReply{.body = "Fails."};
    b.client.instead = {{"torrents/add", nothing_new, 1}};
    CHECK(b.start(b.order(7)) == "7 failed retryable enqueue_failed");

    // A hybrid torrent that a link named by its v1 hash. The client now lists it by its v2 hash.
    b.client.torrents[kOther] = {.id = kOther, .v1 = kHash};
    CHECK(b.start(b.order(7)) == "7 accepted " + kOther);
    CHECK(b.client.torrents.at(kOther).tags ==
          std::set<std::string>{"haul-a1b2c3d4e5f6-7", "haul-a1b2c3d4e5f6-found"});
  }
}

TEST_CASE("Q6, Z-1: nothing new from a client that still reads its own list costs no attempt") {
  for (const Shape shape : {Shape::v4, Shape::v5}) {
    const FakeReply nothing_new =
        shape == Shape::v5 ? FakeReply{.status = 409} : FakeReply{.body = "Fails."};
    ClientBench b{shape};
    b.client.is_down = true;
    CHECK(b.look(1) == "1 unseen client_unreachable");
    b.client.is_down = false;
    b.client.is_empty = true;
    b.client.instead = {{"torrents/add", nothing_new, 4}};
    for (int i = 0; i < 3; ++i)
      CHECK(b.start(b.order(7)) == "7 failed environment client_restarting");
    b.clock.pass(300s);
    CHECK(b.start(b.order(7)) == "7 failed retryable enqueue_failed");
    b.client.is_empty = false;
    CHECK(b.start(b.order(7)) == "7 accepted " + kHash);

    // haul did not see the restart. One torrent in the list shows it.
    ClientBench partial{shape};
    partial.client.torrents[kOther] = {.id = kOther, .state = "checkingResumeData"};
    partial.client.instead = {{"torrents/add", nothing_new, 1}};
    CHECK(partial.start(partial.order(7)) == "7 failed environment client_restarting");
    CHECK(partial.start(partial.order(7)) == "7 accepted " + kHash);
  }
}

TEST_CASE("S0-6, Q7: what the client answers to an add, and what is made of it") {
  struct Row {
    FakeReply reply;
    std::string told;
  };
  for (const Row& row :
       std::vector<Row>{{{.status = 415}, "failed permanent enqueue_failed"},
                        {{.status = 400}, "failed permanent enqueue_failed"},
                        {{.status = 500}, "failed retryable enqueue_unavailable unknown"},
                        {{.body = "<html>"}, "failed retryable enqueue_unavailable unknown"},
                        {{.fault = Fault{FaultKind::retryable, "connection_lost", ""}},
                         "failed retryable enqueue_unavailable unknown"}}) {
    ClientBench b;
    b.client.instead = {{"torrents/add", row.reply, 1}};
    CHECK(b.start(b.order(7)) == "7 " + row.told);
    CHECK(b.start(b.order(7)) == "7 accepted " + kHash);  // The failed start gave its turn back.
  }
  ClientBench b;
}

TEST_CASE("S0-6: a client that is off costs no try: the torrent was never sent") {
  ClientBench b;
  b.client.is_down = true;
  CHECK(b.start(b.order(7)) == "7 failed environment client_unreachable");

  b.client.is_down = false;
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
}

TEST_CASE("Q4: taken but never shown is accepted under the hash that was found beforehand") {
  ClientBench b;
  b.client.shows_added = false;
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.look(7) == "7 missing");
}

TEST_CASE("one question about a hundred, and one more by tag for each that is missing") {
  ClientBench b;
  std::vector<Order> orders;
  for (int i = 1; i <= 100; ++i) {
    const std::string id = fmt::format("{:040x}", i);
    orders.push_back(b.order(i, id));
    if (i > 2) b.client.torrents[id] = {.id = id, .state = "downloading", .have = i};
  }
  b.look(1);
  b.client.told();
  const std::string told = b.look(orders);
  CHECK(told.find("1 missing") != std::string::npos);
  CHECK(told.find("2 missing") != std::string::npos);
  CHECK(told.find("100 moving 100") != std::string::npos);
  const std::string asked = b.client.told();
  CHECK(asked.starts_with("torrents/info?hashes=" + orders.front().handle + "|"));
  CHECK(asked.ends_with(
      orders.back().handle +
      " torrents/info?tag=haul-a1b2c3d4e5f6-1 torrents/info?tag=haul-a1b2c3d4e5f6-2"));
}

TEST_CASE("Q9, S0-10: a torrent that changed its id is found by its tag, and its new id is told") {
  ClientBench b;
  b.client.torrents[kOther] = {.id = kOther,
                               .v1 = kHash,
                               .state = "downloading",
                               .have = 3,
                               .tags = {"haul-a1b2c3d4e5f6-7"}};
  CHECK(b.look(7) == "7 accepted " + kOther + ", 7 moving 3");
}

TEST_CASE("a handle that is no hash never asks for everything") {
  ClientBench b;
  b.client.torrents[kOther] = {.id = kOther, .state = "downloading"};
  b.look(1, "");
  CHECK(b.client.told() == "auth/login app/webapiVersion torrents/info?tag=haul-a1b2c3d4e5f6-1");
  CHECK(b.look(1, "x|y") == "1 missing");
}

TEST_CASE("S0-10, Q2: unreachable, not let in and garbage are not missing, for any job") {
  struct Row {
    FakeReply reply;
    const char* code;
  };
  for (const Row& row : std::vector<Row>{
           {{.body = "null"}, "client_garbage"},
           {{.body = "{}"}, "client_garbage"},
           {{.body = "<html>log in</html>"}, "client_garbage"},
           {{.body = R"([{"hash":"0123)"}, "client_garbage"},
           {{.status = 404}, "client_garbage"},
           {{.status = 500}, "client_unreachable"},
           {{.status = 401}, "client_not_let_in"},
           {{.fault = Fault{FaultKind::retryable, "cannot_connect", ""}}, "client_unreachable"},
           {{.fault = Fault{FaultKind::retryable, "truncated", ""}}, "client_unreachable"}}) {
    ClientBench b;
    b.client.instead = {{"torrents/info", row.reply, 1}};
    CHECK(b.look({b.order(1, kHash), b.order(2, kOther)}) ==
          fmt::format("1 unseen {0}, 2 unseen {0}", row.code));
    // The same if the question by tag fails.
    ClientBench c;
    c.look(1);
    c.client.instead = {{"torrents/info", {.body = "[]"}, 1}, {"torrents/info", row.reply, 1}};
    CHECK(c.look(1) == fmt::format("1 unseen {}", row.code));
  }
}

TEST_CASE("Z-1, F11, Q1: a client that was away may not know all it has, for five minutes") {
  ClientBench b;
  CHECK(b.look(1) == "1 missing");
  b.client.is_down = true;
  CHECK(b.look(1) == "1 unseen client_unreachable");
  b.client.is_down = false;
  b.client.restart();
  b.client.is_empty = true;
  CHECK(b.look(1) == "1 unseen client_restarting");
  b.clock.pass(299'999ms);
  CHECK(b.look(1) == "1 unseen client_restarting");
  b.clock.pass(1ms);
  CHECK(b.look(1) == "1 missing");
}

TEST_CASE("Z-1: a session that expired, with or without a login, says nothing of the torrents") {
  ClientBench b;
  CHECK(b.look(1) == "1 missing");
  b.client.restart();
  CHECK(b.look(1) == "1 missing");

  ClientBench open{Shape::v4, [](qbittorrent::QbittorrentSettings& settings) {
                     settings.username.clear();
                     settings.password.clear();
                   }};
  open.client.asks_for_login = false;
  for (const char* cookie : {"SID=1", "SID=2"}) {
    open.client.instead = {
        {"torrents/info", {.body = "[]", .headers = {{"set-cookie", cookie}}}, 1}};
    CHECK(open.look(1) == "1 missing");
  }
}

TEST_CASE("Z-1: one that still reads its own list does not know all of it, for five minutes") {
  ClientBench b;
  b.client.torrents[kOther] = {.id = kOther, .state = "checkingResumeData"};
  const std::vector<Order> both{b.order(1, kHash), b.order(2, kOther)};
  CHECK(b.look(both) == "2 waiting client_restarting, 1 unseen client_restarting");
  b.clock.pass(299'999ms);
  CHECK(b.look(both) == "2 waiting client_restarting, 1 unseen client_restarting");
  b.clock.pass(1ms);
  CHECK(b.look(both) == "2 waiting client_restarting, 1 missing");
}

TEST_CASE("Z-2: finished is told with the file in its place") {
  const TempFolder folder;
  std::ofstream{folder / "a"} << std::string(1'000, 'x');
  ClientBench b;
  b.client.torrents[kHash] = {.id = kHash,
                              .state = "stalledUP",
                              .have = 1'000,
                              .save_path = folder.path(),
                              .content_path = folder / "a"};
  CHECK(b.look(1) == "1 finished");
  b.client.torrents[kHash].content_path = folder / "b";
  CHECK(b.look(1) == "1 pending asset_pending");
  b.client.torrents[kHash].content_path = "/etc/passwd";
  CHECK(b.look(1) == "1 pending path_refused");
}

TEST_CASE("S0-12: a cancel keeps the files, unless the request says otherwise") {
  for (const auto& [more, files] : {std::pair{"", "false"},
                                    {R"(,"delete_files_on_cancel":false)", "false"},
                                    {R"(,"delete_files_on_cancel":true)", "true"}}) {
    ClientBench b;
    b.start(b.order(7));
    CHECK(b.stop(b.order(7, kHash, magnet(), more)) == "7 stopped");
    const FakeRequest& removed =
        *std::ranges::find(b.client.log, "torrents/delete", &FakeRequest::action);
    CHECK(removed.fields.at("deleteFiles") == files);
    CHECK(removed.fields.at("hashes") == kHash);
    CHECK(b.client.torrents.empty());
  }
}

TEST_CASE("S0-12: stopped is said only when the client does not list it any more") {
  ClientBench b;
  b.start(b.order(7));
  b.client.instead = {{"torrents/delete", {.body = ""}, 1}};  // Says yes and does nothing.
  CHECK(b.stop(b.order(7, kHash)) == "7 failed retryable client_slow");
  CHECK(b.stop(b.order(7, kHash)) == "7 stopped");
  CHECK(b.stop(b.order(7, kHash)) == "7 stopped");  // It is already gone.
  b.client.is_down = true;
  CHECK(b.stop(b.order(7, kHash)) == "7 failed retryable client_unreachable");
}

TEST_CASE("S0-12: a stop that the client does not answer fails in two seconds, and only once") {
  for (const char* action : {"torrents/info", "torrents/delete"}) {
    CAPTURE(action);
    ClientBench b;
    b.start(b.order(7));
    b.client.instead = {silence(action)};

    const Steady before = b.clock.steady();
    CHECK(b.stop(b.order(7, kHash)) == "7 failed retryable client_silent");
    CHECK(b.clock.steady() - before < 2s);

    for (int second = 0; second < 60; ++second) {  // The request of the first stop times out.
      b.clock.pass(1s);
      b.loop.run();
    }
    CHECK(b.letters.take().empty());
    CHECK(b.stop(b.order(7, kHash)) == "7 stopped");
    CHECK(b.client.torrents.empty());
  }
}

TEST_CASE("S0-12: a stop that waits for another order's turn fails in two seconds too") {
  ClientBench b;
  b.start(b.order(7));
  b.client.instead = {silence("torrents/info")};
  b.engine().stop(b.order(7, kHash), Leftovers::remove, b.letters);
  b.loop.run();

  CHECK(b.stop(b.order(8, kHash)) ==
        "7 failed retryable client_silent, 8 failed retryable client_silent");
}

TEST_CASE("S0-12: many books that were never accepted are cancelled at once, and all are stopped") {
  ClientBench b;
  for (int job = 1; job <= 20; ++job) b.engine().stop(b.order(job), Leftovers::remove, b.letters);

  const StopsTold told = all_told(b, 2s);

  CHECK(told.stopped.size() == 20);
  CHECK(told.others.empty());
}

TEST_CASE("S0-12: a slow client is answered for in two seconds, and every stop ends all the same") {
  ClientBench b;
  b.loop.takes = 200ms;
  for (int job = 1; job <= 20; ++job) b.engine().stop(b.order(job), Leftovers::remove, b.letters);

  CHECK(all_told(b, 2s).others.size() == 20);

  const StopsTold later = all_told(b, 60s);
  CHECK(later.stopped.size() == 20);
  for (const auto& [job, times] : later.stopped) CHECK(times == 1);
  CHECK(later.others.empty());
}

TEST_CASE("S0-12: a stop that is asked for again joins the one that goes on, and is answered too") {
  ClientBench b;
  b.start(b.order(7));
  b.client.instead = {silence("torrents/info")};
  CHECK(b.stop(b.order(7, kHash)) == "7 failed retryable client_silent");
  const std::size_t asked = b.client.log.size();

  CHECK(b.stop(b.order(7, kHash)) == "7 failed retryable client_silent");
  CHECK(b.client.log.size() == asked);
}

TEST_CASE("A0-8: two owners share one torrent, and only the last takes it away") {
  ClientBench b;
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.start(b.order(8)) == "8 accepted " + kHash);
  CHECK(b.client.count("torrents/add") == 1);
  CHECK(b.client.torrents.at(kHash).tags ==
        std::set<std::string>{"haul-a1b2c3d4e5f6-7", "haul-a1b2c3d4e5f6-8"});
  CHECK(b.stop(b.order(7, kHash)) == "7 stopped");
  CHECK(b.client.torrents.at(kHash).tags == std::set<std::string>{"haul-a1b2c3d4e5f6-8"});
  CHECK(b.stop(b.order(8, kHash)) == "8 stopped");
  CHECK(b.client.torrents.empty());
}

TEST_CASE("A0-8: two owners who cancel at once decide one after the other") {
  ClientBench b;
  b.start(b.order(7));
  b.start(b.order(8));
  b.engine().stop(b.order(7, kHash), Leftovers::remove, b.letters);
  b.engine().stop(b.order(8, kHash), Leftovers::remove, b.letters);
  CHECK(b.told() == "7 stopped, 8 stopped");
  CHECK(b.client.count("torrents/delete") == 1);
  CHECK(b.client.torrents.empty());
}

TEST_CASE("what was there before haul stays, whatever haul's jobs do") {
  ClientBench b;
  b.client.torrents[kHash] = {.id = kHash, .tags = {"sonarr"}};
  CHECK(b.start(b.order(7)) == "7 accepted " + kHash);
  CHECK(b.stop(b.order(7, kHash)) == "7 stopped");
  CHECK(b.client.torrents.at(kHash).tags == std::set<std::string>{"sonarr"});
  CHECK(b.client.count("torrents/delete") == 0);
}

TEST_CASE("S0-25: a cancel while it is handed over leaves no torrent behind") {
  ClientBench b;
  b.engine().start(b.order(7), b.letters);
  b.engine().stop(b.order(7), Leftovers::remove, b.letters);
  CHECK(b.told() == "7 stopped");
  CHECK(b.client.torrents.empty());

  // A cancel while the server of the torrent file does not answer: the torrent is never added.
  b.web = [](const io::HttpRequest&) -> std::optional<FakeReply> { return std::nullopt; };
  b.engine().start(b.order(8, "", "https://t.example/a"), b.letters);
  b.loop.run();
  CHECK(b.stop(b.order(8)) == "8 stopped");
  b.clock.pass(60s);
  CHECK(b.told().empty());
  CHECK(b.client.torrents.empty());
}

}  // namespace haul::testing
