// Images of the providers beside OpenAI, through a real daemon.

#include "support/process/image_daemon.h"
#include "support/run/moment.h"
#include "support/server/image_bench.h"

using namespace haul;
using namespace haul::testing;
using nlohmann::json;

namespace {

// A daemon with this provider, and the workflow that ComfyUI needs.
class ProviderDaemon {
 public:
  explicit ProviderDaemon(const std::string& provider) : daemon_{settings(provider)} {}

  ImageDaemon* operator->() { return &daemon_; }
  ImageDaemon& operator*() { return daemon_; }
  // Lets generations run until they are looked at this often.
  void looks(int count) {
    daemon_.port.with([&] { daemon_.api.looks = count; });
  }
  std::string handle() {
    return Sql{daemon_.daemon.data() / "haul.db"}.ask("SELECT coalesce(handle, '') FROM jobs");
  }

 private:
  std::vector<std::string> settings(const std::string& provider) const {
    std::ofstream{folder_ / "graph.json"} << kGraph;
    return {"HAUL__IMAGE__PROVIDER=" + provider, "HAUL__IMAGE__MODEL=" + model_of(provider),
            "HAUL__IMAGE__WORKFLOW=" + (folder_ / "graph.json").string()};
  }
  static std::string model_of(const std::string& provider) {
    return provider == "replicate" ? "me/flux" : provider == "stability" ? "core" : "";
  }

  const TempFolder folder_;
  ImageDaemon daemon_;
};

}  // namespace

TEST_CASE("S4-5, S4-7: haul image pays each provider once and saves exactly what it drew") {
  for (const char* provider : {"stability", "replicate", "automatic1111", "comfyui"}) {
    CAPTURE(provider);
    ProviderDaemon b{provider};
    const std::filesystem::path file = b->pictures / "cat.png";

    const testing::Finished made = b->haul({"image", "a cat", "-o", file.string()});

    CHECK_MESSAGE(made.code == 0, made.out << made.err);
    CHECK(read_file(file) == b->api.image);
    CHECK(b->charged() == 1);
    CHECK(b->api.charged.front().provider == provider);
    CHECK(b->wallet() == "19 0 1");
    CHECK(b->trail("1") == "queued > running > completed");
    CHECK(b->api.logins_at_files == 0);
    b->check_store();
  }
}

TEST_CASE("A4-13: killed while a generation runs, haul takes up the same one and pays no second") {
  for (const char* provider : {"replicate", "comfyui"}) {
    CAPTURE(provider);
    ProviderDaemon b{provider};
    b.looks(1'000'000);
    const std::string id = b->add("a cat");
    REQUIRE(comes_true([&] { return b->charged() == 1 && !b.handle().empty(); }));
    const std::string handle = b.handle();

    b->daemon.kill();
    b.looks(1);
    b->daemon.start();

    REQUIRE(b->comes_to(id, "completed"));
    CHECK(b->charged() == 1);
    CHECK(b->api.charged.front().id == handle);
    CHECK(b->wallet() == "19 0 1");
    CHECK(b->trail(id).ends_with(" > completed"));
    CHECK(b->get("/assets?job=" + id)["items"].size() == 1);
    b->check_store();
  }
}

TEST_CASE("S4-2: a parameter that the provider does not take is refused by its path, for nothing") {
  ProviderDaemon b{"automatic1111"};
  const auto ask = [&](const std::string& params) {
    return b->daemon.post(
        "/api/v1/jobs",
        fmt::format(R"({{"lifecycle":"image","request":{{"prompt":"a cat","params":{}}}}})",
                    params));
  };

  const RawReply range = ask(R"({"steps":151})");
  CHECK(range.status() == 422);
  CHECK(json::parse(range.body())["code"] == "bad_params");
  CHECK(json::parse(range.body())["fields"].contains("request.params.steps"));
  CHECK(json::parse(ask(R"({"stepz":1})").body())["fields"].contains("request.params.stepz"));
  CHECK(b->get("/jobs")["items"].empty());
  CHECK(b->wallet() == "20 0 0");
  const testing::Finished refused =
      b->haul({"image", "a cat", "--params", "steps=151", "-o", (b->pictures / "x.png").string()});
  CHECK(refused.code == 1);
  CHECK(refused.err.find("params.steps: expected a whole number from 1 to 150") !=
        std::string::npos);
  CHECK(ask(R"({"steps":150})").status() == 201);
  CHECK(b->comes_to("1", "completed"));
}
