#include "cli/remote/declare_remote.h"

#include <doctest/doctest.h>

#include <sstream>

#include "cli/run.h"
#include "support/api/fake_api.h"

namespace haul::cli {
namespace {

using testing::FakeApi;

// Forwards to the test's FakeApi: the command owns its client, the test keeps the fake.
class Borrowed final : public ApiClient {
 public:
  explicit Borrowed(FakeApi& api) : api_{api} {}
  Result<ApiAnswer> ask(const ApiRequest& what) override { return api_.ask(what); }
  Result<ApiAnswer> listen(const std::string& path, const std::string& last_id,
                           const OnEvent& on_event) override {
    return api_.listen(path, last_id, on_event);
  }
  Result<ApiAnswer> fetch(const std::string& path, const OnBytes& on_bytes) override {
    return api_.fetch(path, on_bytes);
  }
  int interrupts() override { return api_.interrupts(); }
  void wait(Millis time) override { api_.wait(time); }
  std::string address() const override { return api_.address(); }
  std::string key_from() const override { return api_.key_from(); }

 private:
  FakeApi& api_;
};

struct Line {
  FakeApi api{};
  ApiAddress address{};
  int examined = 0;
  DoctorOptions doctor{};  // As it was last examined with.
  std::ostringstream out{};
  std::ostringstream err{};

  int run(std::vector<const char*> words) {
    words.insert(words.begin(), "haul");
    testing::ApiClock clock;
    std::istringstream input{"a password\n"};
    const Makers makers{.maintenance = {},
                        .open_get = {},
                        .remote = {.open_client =
                                       [this](const ApiAddress& at) {
                                         address = at;
                                         return std::make_unique<Borrowed>(api);
                                       },
                                   .examine =
                                       [this](const DoctorOptions& options) {
                                         ++examined;
                                         doctor = options;
                                         return std::vector<Finding>{};
                                       },
                                   .clock = clock},
                        .standard_input = input};
    return cli::run(static_cast<int>(words.size()), words.data(), makers, {out, err});
  }
};

std::string asked_by(const std::vector<const char*>& words) {
  Line line;
  line.run(words);
  return line.api.asked;
}

TEST_CASE("Z-31: resume takes jobs or --all, not both") {
  CHECK(asked_by({"resume", "--all"}) == "POST /api/v1/resume {}\n");
  CHECK(asked_by({"resume", "--all", "--json"}) == "POST /api/v1/resume {}\n");
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"resume"}, std::vector<const char*>{"resume", "7", "--all"},
        std::vector<const char*>{"resume", "--all", "--stuck"}}) {
    Line line;
    CHECK(line.run(words) == 2);
    CHECK(line.api.asked.empty());
  }
}

TEST_CASE("cancel, retry, pause, resume and delete take ids or a filter") {
  for (const char* act : {"cancel", "retry", "pause", "resume", "delete"})
    CHECK(asked_by({act, "--state", "FAILED", "--owner", "3", "--dry-run"}) ==
          std::string{"POST /api/v1/jobs/actions {\"action\":\""} + act +
              "\",\"filter\":{\"state\":\"FAILED\",\"owner\":3},\"dry_run\":true}\n");
  CHECK(asked_by({"delete", "--every"}) ==
        "POST /api/v1/jobs/actions {\"action\":\"delete\",\"filter\":{},\"dry_run\":false}\n");
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"cancel"}, std::vector<const char*>{"cancel", "--dry-run"},
        std::vector<const char*>{"cancel", "--state", ""},
        std::vector<const char*>{"cancel", "7", "--every"},
        std::vector<const char*>{"priority", "urgent", "7"}}) {
    Line line;
    CHECK(line.run(words) == 2);
    CHECK(line.api.asked.empty());
  }
}

TEST_CASE("each command sends its request to the daemon") {
  CHECK(asked_by({"delete", "7"}) == "DELETE /api/v1/jobs/7\n");
  CHECK(asked_by({"priority", "low", "7"}) == "POST /api/v1/jobs/7/priority {\"priority\":-1}\n");
  CHECK(asked_by({"jobs", "--sort", "moved"}) == "GET /api/v1/jobs?sort=moved&limit=20\n");
  CHECK(asked_by({"jobs", "--end", "bad", "--limit", "5"}) == "GET /api/v1/jobs?end=bad&limit=5\n");
  CHECK(asked_by({"show", "7"}) == "GET /api/v1/jobs/7\n");
  CHECK(asked_by({"show", "7", "--all", "--receipts"}) == "GET /api/v1/jobs/7\n");
  CHECK(asked_by({"verify", "7"}) == "GET /api/v1/jobs/7/items?limit=100\n");
  CHECK(asked_by({"verify", "7", "--json"}) == "GET /api/v1/jobs/7/items?limit=100\n");
  CHECK(asked_by({"why", "7"}) == "GET /api/v1/jobs/7/why\n");
  CHECK(asked_by({"stuck"}) == "GET /api/v1/stuck?limit=100\n");
  CHECK(asked_by({"audit", "--all"}) == "GET /api/v1/audit?limit=100\n");
  CHECK(asked_by({"pause", "7"}) == "POST /api/v1/jobs/7/pause {}\n");
  CHECK(asked_by({"resume", "7", "8"}) ==
        "POST /api/v1/jobs/7/resume {}\nPOST /api/v1/jobs/8/resume {}\n");
  CHECK(asked_by({"import", "7"}) == "POST /api/v1/jobs/7/import {}\n");
  CHECK(asked_by({"import", "7", "--as", "S01", "--file", "a=b.mkv=S01E02", "--file", "c.mkv=skip",
                  "--dry-run", "--json"}) ==
        "POST /api/v1/jobs/7/import {\"as\":\"S01\",\"files\":{\"a=b.mkv\":\"S01E02\","
        "\"c.mkv\":\"skip\"},\"dry_run\":true}\n");
  CHECK(asked_by({"relay", "disk:/a.mp4", "--to", "-1001", "--user", "eve", "--nonce", "n"}) ==
        R"(POST /api/v1/jobs {"lifecycle":"relay","request":{"user_id":"eve","chat_id":"-1001",)"
        R"("file_id":"disk:/a.mp4","nonce":"n"}})"
        "\n");
  CHECK_FALSE(asked_by({"relay", "disk:/a.mp4"}).starts_with("POST"));
  CHECK(asked_by({"trash"}) == "GET /api/v1/trash?limit=20\n");
  CHECK(asked_by({"trash", "ls", "--limit", "5", "--json"}) == "GET /api/v1/trash?limit=5\n");
  CHECK(asked_by({"trash", "restore", "7"}) == "POST /api/v1/trash/restore {\"job\":7}\n");
  CHECK(asked_by({"trash", "restore", "7", "a b.mkv"}) ==
        "POST /api/v1/trash/restore {\"job\":7,\"path\":\"a b.mkv\"}\n");
  CHECK(asked_by({"trash", "empty"}) == "POST /api/v1/trash/empty {}\n");
  CHECK(asked_by({"trash", "empty", "--job", "7", "--older-than", "7d"}) ==
        "POST /api/v1/trash/empty {\"job\":7,\"older_than\":\"7d\"}\n");
  CHECK_FALSE(asked_by({"trash", "empty", "--older-than", ""}).starts_with("POST"));
  CHECK_FALSE(asked_by({"trash", "restore", "7", ""}).starts_with("POST"));
  CHECK(asked_by({"users"}) == "GET /api/v1/users?limit=100\n");
  CHECK(asked_by({"users", "add", "bob", "--role", "viewer", "--json"}) ==
        "POST /api/v1/users {\"name\":\"bob\",\"role\":\"viewer\"}\n");
  CHECK(asked_by({"users", "set", "2", "--password"}) ==
        "POST /api/v1/users/2 {\"password\":\"a password\"}\n");
  CHECK(asked_by({"keys", "add", "ci", "--scopes", "read,add"}) ==
        "POST /api/v1/keys {\"name\":\"ci\",\"scopes\":[\"read\",\"add\"]}\n");
  CHECK(asked_by({"keys", "revoke", "3"}) == "DELETE /api/v1/keys/3\n");
  CHECK(asked_by({"credits", "2"}) == "GET /api/v1/users/2/credits\n");
  CHECK(asked_by({"credits", "2", "grant", "5"})
            .starts_with("POST /api/v1/users/2/credits {\"amount\":5} key="));
  CHECK(asked_by({"watch", "7"}) == "LISTEN /api/v1/events?job=7\n");
  CHECK(asked_by({"watch"}) == "LISTEN /api/v1/events\n");
  CHECK(asked_by({"events", "7", "-f"}) == "GET /api/v1/jobs/7/events?limit=100\n");
  CHECK(asked_by({"add", "https://a/b", "--key", "k", "--paused"}) ==
        "POST /api/v1/jobs {\"lifecycle\":\"batch\",\"request\":{\"url\":\"https://a/b\"},"
        "\"paused\":true} key=k\n");
  CHECK(
      asked_by({"get", "--daemon", "https://a/b"}) ==
      "POST /api/v1/jobs "
      "{\"lifecycle\":\"batch\",\"request\":{\"remote_time\":true,\"urls\":[\"https://a/b\"]}}\n");
}

TEST_CASE("wrong usage exits with 2 and sends no request") {
  for (const std::vector<const char*>& words :
       std::vector<std::vector<const char*>>{{"show"},
                                             {"show", "x"},
                                             {"show", "0"},
                                             {"cancel"},
                                             {"import"},
                                             {"import", "x"},
                                             {"import", "7", "--file"},
                                             {"import", "7", "--file", "a.mkv"},
                                             {"import", "7", "8"},
                                             {"trash", "restore"},
                                             {"trash", "restore", "x"},
                                             {"trash", "empty", "7"},
                                             {"jobs", "--limit", "101"},
                                             {"jobs", "--limit", "5", "--all"},
                                             {"users", "add"},
                                             {"users", "set", "2", "--role", "x"},
                                             {"keys", "add", "ci", "--scopes", "all"},
                                             {"credits"},
                                             {"credits", "2", "grant", "-5"},
                                             {"watch", "-1"},
                                             {"add"}}) {
    Line line;
    CHECK(line.run(words) == 2);
    CHECK(line.api.asked.empty());
  }
}

TEST_CASE("each command takes --url and --data") {
  Line line;

  line.run({"jobs", "--url", "http://h:1", "--data", "/d"});

  CHECK(line.address.url == "http://h:1");
  CHECK(line.address.url_given);
  CHECK(line.address.data == "/d");
  CHECK(line.address.data_given);
  Line usual;
  usual.run({"jobs"});
  CHECK(!usual.address.data_given);
  Line get;
  get.run({"get", "--daemon", "--daemon-url", "http://h:2", "http://example.org/a"});
  CHECK(get.address.url == "http://h:2");
}

TEST_CASE("doctor runs its checks and sends no other request") {
  Line line;

  CHECK(line.run({"doctor", "--json"}) == 0);

  CHECK(line.examined == 1);
  CHECK((line.doctor.scope == DoctorScope::all));
  CHECK(line.out.str() == "{\"healthy\":true,\"items\":[],\"next\":null}\n");
  CHECK(line.api.asked.empty());
}

TEST_CASE("S1-23: doctor paths runs the checks of paths alone, with the options of doctor") {
  Line line;

  CHECK(line.run({"doctor", "paths", "--json", "--config", "/c.toml", "--data", "/d"}) == 0);

  CHECK(line.examined == 1);
  CHECK((line.doctor.scope == DoctorScope::paths));
  CHECK(line.doctor.config == "/c.toml");
  CHECK(line.doctor.address.data == "/d");
  CHECK(line.out.str() == "{\"healthy\":true,\"items\":[],\"next\":null}\n");
  CHECK(Line{}.run({"doctor", "path"}) == 2);
}

TEST_CASE("the error for an unknown command names the nearest one, for subcommands too") {
  const auto complaint = [](const std::vector<const char*>& words) {
    Line line;
    CHECK(line.run(words) == 2);
    return line.err.str();
  };

  CHECK(complaint({"gt", "https://h/x"}) ==
        "haul: no such command \"gt\"; did you mean \"get\"?\n");
  CHECK(complaint({"config", "shwo"}) ==
        "haul: no such command \"shwo\"; did you mean \"show\"?\n");
  CHECK(complaint({"xyzzyx"}) == "haul: no such command \"xyzzyx\"; haul --help lists them\n");
  CHECK(complaint({"\x1b[2J"}).find('\x1b') == std::string::npos);
}

TEST_CASE("--version prints the same as version") {
  Line flag;
  Line command;

  CHECK(flag.run({"--version"}) == 0);
  CHECK(command.run({"version"}) == 0);

  CHECK(flag.out.str() == command.out.str());
  CHECK(flag.out.str().starts_with("haul "));
}

}  // namespace
}  // namespace haul::cli
