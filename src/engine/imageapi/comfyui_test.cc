#include <doctest/doctest.h>

#include "support/server/provider_reply.h"

namespace haul::imageapi {
namespace {

using namespace testing;

struct ComfyUiBench {
  ComfyUiBench() { provider = make_comfyui(settings); }
  std::string look(std::size_t request, const std::string& body, int status = 200) const {
    return meaning_text(provider->read_look("id-1", request, provider_reply(status, body)));
  }
  // The history of the call, with this status and these outputs.
  std::string history(const std::string& status, const std::string& outputs) const {
    return look(
        0, fmt::format(R"({{"id-1":{{"prompt":[],"outputs":{},"status":{}}}}})", outputs, status));
  }

  ImageSettings settings{.provider = ProviderKind::comfyui,
                         .workflow = R"({"6":{"class_type":"C","inputs":{"text":"{{prompt}}"}}})"};
  std::unique_ptr<ImageProvider> provider;
};

constexpr const char* kSuccess = R"({"status_str":"success","completed":true,"messages":[]})";

std::string failed_with(const char* message) {
  return fmt::format(
      R"({{"status_str":"error","completed":false,"messages":[["execution_start",{{}}],{}]}})",
      message);
}

}  // namespace

TEST_CASE("A4-13: comfyui: haul names the call itself") {
  const ComfyUiBench b;
  const auto request = b.provider->submit(request_with());

  REQUIRE(request);
  const std::string id = uuid_of("call");
  CHECK(request->path == "/prompt");
  CHECK(request->body ==
        R"({"prompt":{"6":{"class_type":"C","inputs":{"text":"a \"red\" fox"}}},"client_id":")" +
            id + R"(","prompt_id":")" + id + R"("})");
  CHECK(b.provider->takes_own_id());
}

TEST_CASE("comfyui: a graph that it refuses is permanent") {
  const ComfyUiBench b;
  const auto means = [&](int status, const char* body) {
    return meaning_text(b.provider->read_submit(provider_reply(status, body)));
  };
  CHECK(means(200, R"({"prompt_id":"id-1","number":4,"node_errors":{}})") == "at work id-1");
  CHECK(means(400, R"({"error":{"type":"prompt_outputs_failed_validation","message":"bad",)"
                   R"("details":"","extra_info":{}},"node_errors":{}})") ==
        "permanent provider_refused");
  CHECK(means(200, "{}") == "retryable provider_garbage unknown");
  CHECK(means(500, "oops") == "retryable provider_error");
}

TEST_CASE("comfyui: history, queue and history again say where a call is") {
  const ComfyUiBench b;
  const auto requests = b.provider->look("id-1");
  REQUIRE(requests.size() == 3);
  CHECK(requests[0].path == "/history/id-1");
  CHECK(requests[1].path == "/queue");
  CHECK(requests[2].path == "/history/id-1");

  CHECK(b.look(0, "{}") == "none");
  CHECK(b.look(1, R"({"queue_running":[[1,"id-1",{},{},[]]],"queue_pending":[]})") ==
        "at work id-1");
  CHECK(b.look(1, R"({"queue_running":[],"queue_pending":[[2,"id-0"],[3,"id-1"]]})") ==
        "at work id-1");
  CHECK(b.look(1, R"({"queue_running":[["id-1"]],"queue_pending":[[2,"id-11"],7]})") == "none");
  CHECK(b.look(1, "<html>") == "not seen provider_garbage");
  CHECK(b.look(0, "", 502) == "not seen provider_error");
}

TEST_CASE("comfyui: the image is the first one that a node has saved") {
  const ComfyUiBench b;
  CHECK(
      b.history(kSuccess,
                R"({"4":{"images":[{"filename":"t.png","subfolder":"","type":"temp"}]},)"
                R"("9":{"images":[{"filename":"a b.png","subfolder":"x/y","type":"output"}]}})") ==
      "own address /view?filename=a%20b.png&subfolder=x%2Fy&type=output");
  CHECK(b.history(kSuccess, "{}") == "permanent no_image");
  CHECK(b.history(kSuccess, R"({"9":{"text":["x"]}})") == "permanent no_image");
}

TEST_CASE("comfyui: a failed graph is tried again; one that a user stopped is gone") {
  const ComfyUiBench b;
  CHECK(b.history(failed_with(R"(["execution_error",{"exception_type":"ValueError",)"
                              R"("exception_message":"bad shape"}])"),
                  "{}") == "retryable generation_failed");
  CHECK(b.history(failed_with(R"(["execution_error",{"exception_type":)"
                              R"("torch.OutOfMemoryError","exception_message":"x"}])"),
                  "{}") == "retryable provider_out_of_memory");
  CHECK(b.history(failed_with(R"(["execution_interrupted",{}])"), "{}") == "none");
  CHECK(b.history(failed_with("7"), "{}") == "retryable generation_failed");
}

TEST_CASE("comfyui: a cancel names the call, so that no other one is interrupted") {
  const ComfyUiBench b;
  const auto requests = b.provider->cancel("id-1");
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].body == R"({"delete":["id-1"]})");
  CHECK(requests[1].path == "/interrupt");
  CHECK(requests[1].body == R"({"prompt_id":"id-1"})");
}

}  // namespace haul::imageapi
