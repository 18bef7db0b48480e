// ComfyUI on a machine of the operator. haul names each call itself, so that it finds the call
// again, whatever happens to either of them.

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/query.h"
#include "engine/imageapi/answer_json.h"
#include "engine/imageapi/faults.h"
#include "engine/imageapi/graph.h"
#include "engine/imageapi/provider.h"

namespace haul::imageapi {
namespace {

constexpr std::size_t kQueueRequest = 1;  // The second of look().

class ComfyUi final : public ImageProvider {
 public:
  explicit ComfyUi(const ImageSettings& settings) : settings_{settings} {}

  bool answers_at_once() const override { return false; }
  bool takes_own_id() const override { return true; }

  ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const override {
    const auto graph = fill_graph(settings_.workflow, wanted);
    if (!graph) return std::unexpected{graph.error()};
    return ProviderRequest{
        .method = "POST",
        .path = "/prompt",
        .headers = {"Content-Type: application/json"},
        .body = fmt::format(R"({{"prompt":{},"client_id":"{}","prompt_id":"{}"}})", *graph,
                            wanted.id, wanted.id)};
  }

  ProviderMeaning read_submit(const ProviderReply& reply) const override {
    const auto answer = AnswerJson::read(reply.body);
    if (reply.head.status != 200) return read_refusal(reply, answer);
    const std::string id = answer ? answer->text("prompt_id") : std::string{};
    if (id.empty()) return garbage("the provider's answer names no prompt");
    return CallAtWork{id, "queued"};
  }

  // A call that ends between the first two questions is in the history by the third.
  std::vector<ProviderRequest> look(const std::string& handle) const override {
    const ProviderRequest history{.path = "/history/" + percent_encoded(handle)};
    return {history, {.path = "/queue"}, history};
  }

  ProviderMeaning read_look(const std::string& handle, std::size_t request,
                            const ProviderReply& reply) const override {
    const auto answer = AnswerJson::read(reply.body);
    if (reply.head.status != 200 || !answer) return not_seen(reply);
    if (request == kQueueRequest) return read_queue(handle, *answer);
    const auto call = answer->object(handle);
    return call ? read_history(*call) : ProviderMeaning{NoSuchCall{}};
  }

  std::vector<ProviderRequest> cancel(const std::string& handle) const override {
    const std::vector<std::string> headers{"Content-Type: application/json"};
    const std::string id = json_quoted(handle);
    return {{.method = "POST",
             .path = "/queue",
             .headers = headers,
             .body = fmt::format(R"({{"delete":[{}]}})", id)},
            {.method = "POST",
             .path = "/interrupt",
             .headers = headers,
             .body = fmt::format(R"({{"prompt_id":{}}})", id)}};
  }

  std::vector<std::string> login() const override { return bearer(settings_.api_key); }

 private:
  // 400 is about the graph, which the operator wrote and the parameters filled in.
  static ProviderMeaning read_refusal(const ProviderReply& reply,
                                      const std::optional<AnswerJson>& answer) {
    const auto error = answer ? answer->object("error") : std::nullopt;
    if (!error) return refused(reply, {});
    return refused(reply, fmt::format("{}: {}", error->text("type"), error->text("message")));
  }

  // An entry of the queue is an array whose second element is the id.
  static ProviderMeaning read_queue(const std::string& handle, const AnswerJson& answer) {
    for (const char* part : {"queue_running", "queue_pending"})
      for (const std::string& entry : answer.array(part)) {
        const auto elements = read_array(entry);
        if (elements && elements->size() > 1 && (*elements)[1] == handle)
          return CallAtWork{handle,
                            part == std::string_view{"queue_running"} ? "running" : "queued"};
      }
    return NoSuchCall{};
  }

  static ProviderMeaning read_history(const AnswerJson& call) {
    const auto status = call.object("status");
    if (status && status->text("status_str") == "error") return read_error(*status);
    const auto outputs = call.object("outputs");
    for (const JsonField& node : outputs ? outputs->members() : std::vector<JsonField>{})
      if (auto image = image_in(node.json)) return *std::move(image);
    return CallFault{.fault = {FaultKind::permanent, "no_image",
                               "the workflow saved no image: it needs a SaveImage node"}};
  }

  static std::optional<GivenAddress> image_in(const std::string& output) {
    const auto node = AnswerJson::read(output);
    if (!node) return std::nullopt;
    for (const std::string& each : node->array("images")) {
      const auto image = AnswerJson::read(each);
      if (!image || image->text("type") != "output" || image->text("filename").empty()) continue;
      return GivenAddress{with_query("/view", {{"filename", image->text("filename")},
                                               {"subfolder", image->text("subfolder")},
                                               {"type", "output"}}),
                          GivenAddress::At::provider};
    }
    return std::nullopt;
  }

  // The messages are pairs of a name and its facts.
  static ProviderMeaning read_error(const AnswerJson& status) {
    for (const std::string& each : status.array("messages")) {
      const auto message = read_array(each);
      if (!message || message->size() < 2) continue;
      // A user of ComfyUI stopped it.
      if (message->front() == "execution_interrupted") return NoSuchCall{};
      if (message->front() != "execution_error") continue;
      const auto facts = AnswerJson::read((*message)[1]);
      if (!facts) break;
      const std::string why =
          fmt::format("{}: {}", facts->text("exception_type"), facts->text("exception_message"));
      const bool is_memory = lower(why).find("memory") != std::string::npos;
      return CallFault{.fault = {FaultKind::retryable,
                                 is_memory ? "provider_out_of_memory" : "generation_failed",
                                 "the provider failed: " + provider_words(why)}};
    }
    return CallFault{.fault = {FaultKind::retryable, "generation_failed", "the provider failed"}};
  }

  const ImageSettings& settings_;
};

}  // namespace

std::unique_ptr<ImageProvider> make_comfyui(const ImageSettings& settings) {
  return std::make_unique<ComfyUi>(settings);
}

}  // namespace haul::imageapi
