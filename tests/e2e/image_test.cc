// Images through a real daemon, from the command line to the picture on the disk, with a fake of
// OpenAI's API that lists the calls it would have charged for.

#include "support/process/image_daemon.h"
#include "support/run/moment.h"

using namespace haul;
using namespace haul::testing;
namespace fs = std::filesystem;
using nlohmann::json;

TEST_CASE("S4-5, S4-7: haul image pays once and saves exactly what the provider drew") {
  ImageDaemon b;
  const fs::path file = b.pictures / "cat.png";

  const Finished made = b.haul({"image", "a cat", "-o", file.string()});

  CHECK_MESSAGE(made.code == 0, made.out << made.err);
  CHECK(read_file(file) == b.api.image);
  CHECK(b.charged() == 1);
  CHECK(b.wallet() == "19 0 1");
  CHECK(b.trail("1") == "queued > running > completed");
  const Finished again = b.haul({"image", "a cat", "-o", (b.pictures / "again.png").string()});
  CHECK(again.code == 0);
  CHECK(again.out.find("nothing is paid again") != std::string::npos);
  CHECK(read_file(b.pictures / "again.png") == b.api.image);
  CHECK(b.charged() == 1);
  CHECK(b.haul({"image", "a dog", "-o", file.string()}).code == 1);
  CHECK(b.charged() == 1);
  b.check_store();
}

TEST_CASE("S4-5: the file of an image has a thumbnail and ranges, and only its owner gets it") {
  const ImageDaemon b;
  const std::string id = b.add("a cat");
  REQUIRE(b.comes_to(id, "completed"));
  const json result = b.get("/jobs/" + id + "/result");
  CHECK(result["success"] == true);
  REQUIRE(result["assets"].size() == 1);
  const std::string url = result["assets"][0]["url"];

  const RawReply whole = b.daemon.get(url);
  CHECK(whole.status() == 200);
  CHECK(whole.body() == b.api.image);
  CHECK(whole.header("Content-Type") == "image/png");
  CHECK(whole.header("X-Content-Type-Options") == "nosniff");
  CHECK(std::ssize(whole.body()) == result["assets"][0]["size"].get<std::int64_t>());
  const RawReply part = b.daemon.ask("GET", url, {}, "Range: bytes=1-3\r\n");
  CHECK(part.status() == 206);
  CHECK(part.body() == "PNG");
  const RawReply small = b.daemon.get(result["assets"][0]["thumbnail_url"]);
  CHECK(small.status() == 200);
  CHECK(small.body().starts_with("\xff\xd8\xff"));

  const RawReply user = b.daemon.post("/api/v1/users", R"({"name":"eve"})");
  const RawReply key = b.daemon.post(
      "/api/v1/keys",
      fmt::format(R"({{"name":"k","scopes":["read"],"user":{}}})", member_of(user.body(), "id")));
  const RawConnection other{"127.0.0.1", b.daemon.port()};
  other.send(
      fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Api-Key: {}\r\nConnection: "
                  "close\r\n\r\n",
                  url, b.daemon.port(), member_of(key.body(), "key")));
  CHECK(other.read().status() == 404);
}

TEST_CASE("S4-2: a blocked prompt, a long one and an empty wallet create and take nothing") {
  TempFolder folder;
  std::ofstream{folder / "words"} << "forbidden\n";
  const ImageDaemon b{{"HAUL__IMAGE__BLOCKLIST=" + (folder / "words").string(),
                       "HAUL__IMAGE__PROMPT_MAX=40", "HAUL__IMAGE__PRICE=20"}};
  const auto code = [&](const std::string& prompt) {
    const RawReply reply = b.ask_for(prompt);
    CHECK(reply.status() == 422);
    return member_of(reply.body(), "code");
  };

  CHECK(code("a Forbidden cat") == "prompt_blocked");
  CHECK(code("a for\\u200bbidden cat") == "prompt_blocked");
  CHECK(code(std::string(41, 'a')) == "prompt_too_long");
  CHECK(b.wallet() == "20 0 0");
  CHECK(b.get("/jobs")["items"].empty());
  const std::string id = b.add(std::string(40, 'a'));
  CHECK(code("another cat") == "no_credit");
  CHECK(b.comes_to(id, "completed"));
  const Finished refused = b.haul({"image", "one more", "-o", (b.pictures / "x.png").string()});
  CHECK(refused.code == 1);
  CHECK(refused.err.find("haul credits USER grant") != std::string::npos);
  CHECK(b.get("/lifecycles/image")["price"] == 20);
}

TEST_CASE("S4-10, S4-11: a safety block costs the price, is audited and stays for its key") {
  ImageDaemon b;
  b.trouble(ImageTrouble::blocked);
  const Finished made = b.haul({"image", "a cat", "-o", (b.pictures / "cat.png").string()});

  CHECK(made.code == 1);
  CHECK(made.err.find("safety_block") != std::string::npos);
  CHECK(fs::is_empty(b.pictures.path()));
  CHECK(b.trail("1") == "queued > running > rejected");
  CHECK(b.wallet() == "19 0 1");
  const json audit = b.get("/audit");
  const auto blocks = std::count_if(audit["items"].begin(), audit["items"].end(),
                                    [](const json& one) { return one["action"] == "SAFE_BLOCK"; });
  CHECK(blocks == 1);
  CHECK(audit.dump().find("a cat") == std::string::npos);
  b.trouble(ImageTrouble::none);
  const RawReply again = b.ask_for("a cat");
  CHECK(again.status() == 200);
  CHECK(member_of(again.body(), "id") == "1");
  CHECK(b.wallet() == "19 0 1");
  b.check_store();
}

TEST_CASE("S4-8, S4-14: a provider that is down makes a dead letter, whose replay is paid again") {
  ImageDaemon b{{"HAUL__IMAGE__RETRIES_MAX=2"}};
  b.trouble(ImageTrouble::server_error);
  const std::string id = b.add("a cat");
  REQUIRE(b.comes_to(id, "dead_letter"));

  CHECK(b.trail(id) == "queued > running > failed > queued > running > failed > dead_letter");
  CHECK(b.wallet() == "20 0 0");
  const json reasons = b.get("/reasons?lifecycle=image&state=dead_letter");
  REQUIRE(reasons["items"].size() == 1);
  CHECK(reasons["items"][0]["count"] == 1);
  const std::string reason = reasons["items"][0]["reason"];
  CHECK(b.get("/jobs?lifecycle=image&reason=" + reason)["items"].size() == 1);
  CHECK(b.get("/jobs?lifecycle=image&reason=other")["items"].empty());

  b.trouble(ImageTrouble::none);
  const RawReply replay = b.daemon.post("/api/v1/jobs/" + id + "/retry", "{}");
  CHECK(replay.status() == 201);
  const std::string anew = member_of(replay.body(), "id");
  CHECK(b.member(anew, "retry_of") == id);
  REQUIRE(b.comes_to(anew, "completed"));
  CHECK(b.wallet() == "19 0 1");
  const json history = b.get("/users/1/credits/history?limit=2");
  CHECK(history["items"].size() == 2);
  CHECK(history["items"][0]["kind"] == "spend");
  CHECK_FALSE(history["next"].is_null());
  b.check_store();
}

TEST_CASE("Z-28: an image that its provider refuses the key for waits and loses no attempt") {
  ImageDaemon b;
  b.trouble(ImageTrouble::unauthorized);
  const std::string id = b.add("a cat");

  REQUIRE(comes_true([&] { return b.member(id, "reason") == "provider_refused_key"; }));
  CHECK(b.member(id, "attempt") == "0");
  CHECK(b.member(id, "end") == "open");
  CHECK(b.wallet() == "19 1 0");
  CHECK(b.charged() == 0);
  CHECK(b.daemon.get("/health/ready").body().find(R"("part":"openai")") != std::string::npos);
  const Finished doctor = b.haul({"doctor"});
  CHECK(doctor.code == 1);
  CHECK(doctor.out.find("provider_refused_key: images wait") != std::string::npos);
  b.check_store();
}

TEST_CASE("S4-15, Z-21: killed during a paid call, haul records the unknown outcome, spends once") {
  ImageDaemon b;
  b.trouble(ImageTrouble::hang);
  const std::string id = b.add("a cat");
  REQUIRE(comes_true([&] { return b.charged() == 1; }));
  b.daemon.kill();
  b.trouble(ImageTrouble::none);
  b.daemon.start();
  REQUIRE(b.comes_to(id, "completed"));

  CHECK(b.charged() == 2);
  CHECK(Sql{b.daemon.data() / "haul.db"}.ask(
            "SELECT count(*) FROM events WHERE type = 'OUTCOME_UNKNOWN' AND job = " + id) == "1");
  CHECK(b.trail(id) == "queued > running > failed > queued > running > completed");
  CHECK(b.member(id, "attempt") == "1");
  CHECK(b.wallet() == "19 0 1");
  CHECK(b.get("/assets?job=" + id)["items"].size() == 1);
  b.check_store();
}

TEST_CASE("on_unknown give_up: after a kill during a paid call haul does not pay again") {
  ImageDaemon b{{"HAUL__IMAGE__ON_UNKNOWN=give_up"}};
  b.trouble(ImageTrouble::hang);
  const std::string id = b.add("a cat");
  REQUIRE(comes_true([&] { return b.charged() == 1; }));
  b.daemon.kill();
  b.trouble(ImageTrouble::none);
  b.daemon.start();
  REQUIRE(b.comes_to(id, "dead_letter"));

  CHECK(b.charged() == 1);
  CHECK(b.wallet() == "20 0 0");
  CHECK(b.trail(id).ends_with("failed > dead_letter"));
  b.check_store();
}

TEST_CASE("a picture that is none is not kept, and its credits come back") {
  ImageDaemon b{{"HAUL__IMAGE__RETRIES_MAX=1"}};
  b.trouble(ImageTrouble::no_image);
  const std::string id = b.add("a cat");
  REQUIRE(b.comes_to(id, "dead_letter"));

  CHECK(b.get("/assets?job=" + id)["items"].empty());
  CHECK(b.wallet() == "20 0 0");
  b.check_store();
}
