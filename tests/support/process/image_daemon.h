#pragma once
// A real daemon that makes images, with a fake of the providers' APIs that lists the calls it would
// have charged for.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/process/daemon.h"
#include "support/server/fake_image_api.h"
#include "support/server/fake_on_port.h"
#include "support/store/invariants.h"

namespace haul::testing {

inline constexpr int kGranted = 20;  // To the admin.

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// The provider is OpenAI, unless the settings name another.
class ImageDaemon {
 public:
  explicit ImageDaemon(const std::vector<std::string>& more = {}) : daemon{environment(more)} {
    api.address = port.url();
    grant(1, kGranted);
  }

  FakeImageApi api;  // Use it only within with() of its port.
  FakeOnPort port{[this](const io::HttpRequest& sent) { return api.answer(sent); }};
  TempFolder pictures;
  Daemon daemon;

  void trouble(ImageTrouble what, int calls = -1) {
    port.with([&] {
      api.trouble = what;
      api.trouble_for = calls;
    });
  }
  std::size_t charged() {
    std::size_t count = 0;
    port.with([&] { count = api.charged.size(); });
    return count;
  }
  void grant(int user, int amount) const {
    const RawReply reply = daemon.ask("POST", fmt::format("/api/v1/users/{}/credits", user),
                                      fmt::format(R"({{"amount":{}}})", amount),
                                      fmt::format("Idempotency-Key: g{}-{}\r\n", user, amount));
    CHECK(reply.status() == 200);
  }
  RawReply ask_for(const std::string& prompt) const {
    return daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"image","request":{{"prompt":"{}"}}}})", prompt));
  }
  std::string add(const std::string& prompt) const {
    const RawReply reply = ask_for(prompt);
    if (reply.status() != 201) MESSAGE(reply.bytes);
    return member_of(reply.body(), "id");
  }
  bool comes_to(const std::string& id, const std::string& state) const {
    if (daemon.comes_to(id, state)) return true;
    MESSAGE(daemon.job(id) << "\n" << daemon.get("/api/v1/jobs/" + id + "/why").body());
    return false;
  }
  nlohmann::json get(const std::string& path) const {
    return nlohmann::json::parse(daemon.get("/api/v1" + path).body());
  }
  std::string member(const std::string& id, const std::string& of) const {
    return member_of(daemon.job(id), of);
  }
  // "available reserved spent".
  std::string wallet(int user = 1) const {
    const nlohmann::json sums = get(fmt::format("/users/{}/credits", user));
    CHECK(sums["available"].get<int>() + sums["reserved"].get<int>() + sums["spent"].get<int>() ==
          sums["granted"].get<int>());
    return fmt::format("{} {} {}", sums["available"].get<int>(), sums["reserved"].get<int>(),
                       sums["spent"].get<int>());
  }
  std::string trail(const std::string& id) {
    return Sql{daemon.data() / "haul.db"}.ask(
        "SELECT group_concat(to_state, ' > ') FROM (SELECT to_state FROM events WHERE job = " + id +
        " AND to_state IS NOT NULL ORDER BY id)");
  }
  Finished haul(std::vector<std::string> words) const {
    words.insert(words.begin(), HAUL_BINARY);
    words.insert(words.end(), {"--url", fmt::format("http://127.0.0.1:{}", daemon.port()), "--data",
                               daemon.data().string()});
    return run_program(words);
  }
  void check_store() {
    CHECK(daemon.stop() == 0);
    Sql store{daemon.data() / "haul.db"};
    CHECK(broken_invariants(store).empty());
  }

 private:
  std::vector<std::string> environment(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"HAUL__IMAGE__PROVIDER=openai",
                                    "HAUL__IMAGE__URL=" + port.url(),
                                    "HAUL__IMAGE__API_KEY=" + api.key};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

}  // namespace haul::testing
