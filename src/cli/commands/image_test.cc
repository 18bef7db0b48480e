#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "cli/remote/remote.h"
#include "support/api/fake_api.h"
#include "support/api/fake_screen.h"
#include "support/io/temp_folder.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;
using testing::Desk;
using testing::FakeScreen;

const Surroundings kPipe{};
const std::string kPng = "\x89PNG\r\n\x1a\n a cat";

std::string job(const char* state, const char* end, const std::string& more = "") {
  const bool is_whole = std::string_view{end} == "good";
  return fmt::format(
      R"({{"id":7,"lifecycle":"image","state":"{}","end":"{}","request":{{"prompt":"a cat"}},)"
      R"("outcome":{},"allowed":[]{}}})",
      state, end, is_whole ? R"("whole")" : "null", more);
}

const LiveEvent kMoved{"moved", "9", R"({"id":9,"job":7,"type":"MOVED","to":"x"})"};

std::string result(std::size_t size) {
  return fmt::format(
      R"({{"success":true,"assets":[{{"id":3,"url":"/api/v1/assets/3/file","size":{}}}]}})", size);
}

// A daemon that makes the image.
struct ImageDesk {
  ImageDesk() {
    desk.api.on("POST /api/v1/jobs", 201, job("queued", "open"))
        .on("GET /api/v1/jobs/7", 200, job("running", "open"))
        .on("GET /api/v1/jobs/7", 200, job("completed", "good"))
        .on("GET /api/v1/jobs/7/result", 200, result(kPng.size()))
        .on("FETCH /api/v1/assets/3/file", 200, kPng)
        .tells({kMoved});
  }
  ImageOptions asks(const char* name) const {
    return {.prompt = "a cat", .output = dir.path() / name};
  }
  int run(const ImageOptions& options) { return run_image(options, desk.remote(), kPipe, screen); }
  std::string saved(const char* name) const {
    std::ifstream in{dir.path() / name, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  bool has_asked(const std::string& text) const {
    return desk.api.asked.find(text) != std::string::npos;
  }

  testing::TempFolder dir{};
  Desk desk{};
  FakeScreen screen{200};
};

TEST_CASE("image adds a job, follows it and saves its image") {
  ImageDesk d;

  CHECK(d.run(d.asks("cat.png")) == 0);

  CHECK(d.desk.api.asked.starts_with(
      "POST /api/v1/jobs {\"lifecycle\":\"image\",\"request\":{\"prompt\":\"a cat\"}}\n"));
  CHECK(d.saved("cat.png") == kPng);
  CHECK(d.screen.text() == "Job 7 is running\nJob 7 is completed\n");
  CHECK(d.desk.out.str().ends_with("/cat.png  14 B\n"));
  CHECK(d.desk.err.str().empty());
}

TEST_CASE("image --json prints the job and the file, and nothing else") {
  ImageDesk d;

  CHECK(run_image(d.asks("cat.png"), d.desk.json(), {.wants_json = true}, d.screen) == 0);

  CHECK(d.screen.raw.empty());
  CHECK(d.desk.out.str() ==
        fmt::format("{{\"job\":{},\"file\":{{\"path\":\"{}\",\"size\":14,\"type\":\"png\"}}}}\n",
                    job("completed", "good"), (d.dir.path() / "cat.png").string()));
}

TEST_CASE("image names the file after the job and its type if -o is a folder") {
  ImageDesk d;

  CHECK(d.run(d.asks("")) == 0);

  CHECK(d.saved("image-7.png") == kPng);
}

TEST_CASE("image sends parameters as JSON where they read as JSON, else as text") {
  ImageDesk d;
  ImageOptions options = d.asks("cat.png");
  options.params = {"size=1024x1024", "seed=7", "tile=true", "style={\"a\":[1]}", "empty="};

  CHECK(d.run(options) == 0);
  CHECK(d.has_asked(R"("params":{"empty":"","seed":7,"size":"1024x1024",)"
                    R"("style":{"a":[1]},"tile":true})"));

  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"size"}, {"=7"}, {"seed=1", "seed=2"}}) {
    ImageDesk other;
    options.params = wrong;
    options.output = other.dir.path() / "cat.png";
    CHECK(other.run(options) == 2);
    CHECK(other.desk.api.asked.empty());
  }
}

TEST_CASE("image asks for nothing, and pays nothing, if the file cannot be saved") {
  ImageDesk d;
  std::ofstream{d.dir.path() / "cat.png"} << "mine";

  CHECK(d.run(d.asks("cat.png")) == 1);
  CHECK(d.desk.err.str().find("exists already; choose another name, or replace it with --force") !=
        std::string::npos);
  CHECK(d.run(d.asks("none/cat.png")) == 1);
  CHECK(d.desk.err.str().find("no_folder") != std::string::npos);
  CHECK(d.desk.api.asked.empty());
  CHECK(d.saved("cat.png") == "mine");

  ImageOptions forced = d.asks("cat.png");
  forced.force = true;
  CHECK(d.run(forced) == 0);
  CHECK(d.saved("cat.png") == kPng);
}

TEST_CASE("image pays for nothing that it could not save, and replaces plain files only") {
  const auto refuses = [](const char* name, const auto& prepare) {
    ImageDesk d;
    prepare(d.dir.path());
    ImageOptions options = d.asks(name);
    options.force = true;
    CHECK(d.run(options) == 1);
    CHECK(d.desk.api.asked.empty());
    return d.desk.err.str();
  };
  const auto link = [](const fs::path& dir) { fs::create_symlink("/dev/null", dir / "cat.png"); };
  CHECK(refuses("cat.png", link).find("not_a_file") != std::string::npos);
  const std::string longest(256, 'x');
  CHECK(refuses(longest.c_str(), [](const fs::path&) {}).find("255") != std::string::npos);

  ImageDesk d;
  ImageOptions options = d.asks("cat.png");
  options.prompt = "a \xff cat";
  CHECK(d.run(options) == 2);
  CHECK(d.desk.api.asked.empty());
}

TEST_CASE("image -o - writes the image to standard output, and nothing else") {
  ImageDesk d;
  CHECK(d.run({.prompt = "a cat", .output = "-"}) == 0);
  CHECK(d.desk.out.str() == kPng);
  CHECK(d.desk.err.str().empty());

  ImageDesk json;
  CHECK(run_image({.prompt = "a cat", .output = "-"}, json.desk.json(), {.wants_json = true},
                  json.screen) == 2);
  CHECK(json.desk.api.asked.empty());
}

TEST_CASE("Z-15: image says that an equal request within the minute is not paid again") {
  ImageDesk first;
  first.desk.api = {};
  first.desk.api.on("POST /api/v1/jobs", 200, job("completed", "good"))
      .on("GET /api/v1/jobs/7", 200, job("completed", "good"))
      .on("GET /api/v1/jobs/7/result", 200, result(kPng.size()))
      .on("FETCH /api/v1/assets/3/file", 200, kPng)
      .tells({});

  CHECK(first.run(first.asks("cat.png")) == 0);
  CHECK(first.screen.text().find("Job 7 already exists for this request: nothing is paid again") !=
        std::string::npos);
  CHECK(first.screen.text().find("wait a minute") != std::string::npos);

  ImageDesk again;
  again.desk.api = {};
  again.desk.api.on("POST /api/v1/jobs", 200, job("completed", "good"))
      .on("GET /api/v1/jobs/7", 200, job("completed", "good"))
      .on("GET /api/v1/jobs/7/result", 200, result(kPng.size()))
      .on("FETCH /api/v1/assets/3/file", 200, kPng)
      .tells({});
  ImageOptions repeated = again.asks("cat.png");
  repeated.key = "k1";
  CHECK(again.run(repeated) == 0);
  CHECK(again.screen.text().find("use another --key") != std::string::npos);

  ImageDesk other;
  ImageOptions keyed = other.asks("cat.png");
  keyed.key = "k1";
  CHECK(other.run(keyed) == 0);
  CHECK(other.has_asked(" key="));
}

TEST_CASE("S4-2: image names the next step for each refusal") {
  struct Refused {
    const char* code;
    const char* next;
  };
  for (const Refused& each :
       {Refused{"prompt_too_long", "shorten the prompt"},
        Refused{"prompt_blocked", "change the prompt; nothing was paid"},
        Refused{"no_credit", "haul credits USER grant AMOUNT"},
        Refused{"too_many_open", "haul jobs --lifecycle image --end open"},
        Refused{"too_fast", "wait a minute"}, Refused{"not_configured", "no thanks"}}) {
    ImageDesk d;
    d.desk.api = {};
    d.desk.api.on("POST /api/v1/jobs", 422,
                  fmt::format(R"({{"code":"{}","detail":"no thanks"}})", each.code));
    CHECK(d.run(d.asks("cat.png")) == 1);
    CHECK(d.desk.err.str().starts_with(fmt::format("haul: no thanks ({})", each.code)));
    CHECK(d.desk.err.str().find(each.next) != std::string::npos);
    CHECK_FALSE(fs::exists(d.dir.path() / "cat.png"));
  }
}

TEST_CASE("image says why a job ended without an image, and how to go on") {
  const auto said = [](const std::string& ended) {
    ImageDesk d;
    d.desk.api = {};
    d.desk.api.on("POST /api/v1/jobs", 201, job("queued", "open"))
        .on("GET /api/v1/jobs/7", 200, ended)
        .tells({kMoved});
    CHECK(d.run(d.asks("cat.png")) == 1);
    return d.desk.err.str();
  };

  CHECK(said(job("rejected", "bad", R"(,"reason":"safety_block","detail":"violence")")) ==
        "haul: job 7 is rejected: violence (safety_block); change the prompt: the provider refuses "
        "this one\n");
  const std::string letter = R"({"id":7,"state":"dead_letter","end":"bad","outcome":"nothing",)"
                             R"("reason":"http_500","detail":"it broke","allowed":["retry"]})";
  CHECK(said(letter) ==
        "haul: job 7 is dead_letter: it broke (http_500); haul why 7 explains it; haul retry 7 "
        "tries again as a new job, which is paid again\n");
}

TEST_CASE("image shows each failed attempt and when the next one is due") {
  ImageDesk d;
  d.desk.api = {};
  d.desk.api.on("POST /api/v1/jobs", 201, job("queued", "open"))
      .on("GET /api/v1/jobs/7", 200,
          job("failed", "open",
              R"(,"reason":"http_503","detail":"busy","due_at":"2026-02-03T04:05:06.789Z")"))
      .on("GET /api/v1/jobs/7", 200, job("completed", "good"))
      .on("GET /api/v1/jobs/7/result", 200, result(kPng.size()))
      .on("FETCH /api/v1/assets/3/file", 200, kPng)
      .tells({kMoved});

  CHECK(d.run(d.asks("cat.png")) == 0);

  CHECK(d.screen.text().starts_with("Job 7 is failed: http_503 (busy), due 2026-02-03 04:05:06\n"));
}

TEST_CASE("an image whose download fails is not lost: image --job gets it later") {
  ImageDesk d;
  d.desk.api.on("GET /api/v1/jobs/7/result", 200, result(kPng.size()));
  const auto failed = [](const std::string& body, int status, std::size_t size) {
    ImageDesk one;
    one.desk.api = {};
    one.desk.api.on("POST /api/v1/jobs", 201, job("queued", "open"))
        .on("GET /api/v1/jobs/7", 200, job("completed", "good"))
        .on("GET /api/v1/jobs/7/result", 200, result(size))
        .on("FETCH /api/v1/assets/3/file", status, body)
        .tells({kMoved});
    CHECK(one.run(one.asks("cat.png")) == 1);
    CHECK(fs::is_empty(one.dir.path()));
    return one.desk.err.str();
  };

  CHECK(failed(R"({"code":"gone","detail":"it is gone"})", 404, 5)
            .find("it is gone (gone); nothing is lost: haul image --job 7 -o ") !=
        std::string::npos);
  CHECK(failed(kPng, 200, kPng.size() + 1).find("wrong_size") != std::string::npos);

  ImageOptions later = d.asks("cat.png");
  later.prompt.clear();
  later.job = 7;
  CHECK(d.run(later) == 0);
  CHECK(d.saved("cat.png") == kPng);
  CHECK_FALSE(d.has_asked("POST"));
}

TEST_CASE("Ctrl-C leaves the job running and says how to get its image") {
  ImageDesk d;
  d.desk.api = {};
  d.desk.api.interrupt_in_silence = true;
  d.desk.api.on("POST /api/v1/jobs", 201, job("queued", "open"))
      .on("GET /api/v1/jobs/7", 200, job("running", "open"))
      .tells({});

  CHECK(d.run(d.asks("cat.png")) == 1);

  CHECK(d.desk.err.str().find("job 7 continues; get its image later: haul image --job 7 -o ") !=
        std::string::npos);
}

TEST_CASE("image draws one line on a terminal and leaves only its lines there") {
  ImageDesk d;
  const Surroundings terminal{.is_terminal = true, .term = "xterm", .no_color = "1"};

  CHECK(run_image(d.asks("cat.png"), d.desk.remote(), terminal, d.screen) == 0);

  CHECK(d.screen.raw.find("· a cat: running, 0.0 s") != std::string::npos);
  CHECK(d.screen.text() == "Job 7 is running\nJob 7 is completed\n");
}

TEST_CASE("image takes a prompt or a job, and options that fit") {
  for (const ImageOptions& wrong : {ImageOptions{}, ImageOptions{.prompt = "a", .job = 7},
                                    ImageOptions{.prompt = "", .params = {"a=1"}, .job = 7},
                                    ImageOptions{.prompt = "", .key = "k", .job = 7}}) {
    Desk desk;
    FakeScreen screen{80};
    CHECK(run_image(wrong, desk.remote(), kPipe, screen) == 2);
    CHECK(desk.api.asked.empty());
  }
}

TEST_CASE("image notes a name that says another type than the image has") {
  ImageDesk d;

  CHECK(d.run(d.asks("cat.webp")) == 0);

  CHECK(d.desk.err.str().find("cat.webp is a png image, in spite of its name") !=
        std::string::npos);
}

}  // namespace
}  // namespace haul::cli
