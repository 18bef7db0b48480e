// The part of the fake image APIs that has calls to ask about: Replicate and ComfyUI.

#include <fmt/core.h>

#include <algorithm>

#include "base/json.h"
#include "support/server/fake_image_api.h"

namespace haul::testing {
namespace {

FakeReply json(int status, std::string body) {
  return {
      .status = status, .body = std::move(body), .headers = {{"content-type", "application/json"}}};
}

std::string member(const std::string& text, std::string_view name) {
  const auto fields = read_object(text);
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == name) return field.text;
  return {};
}

}  // namespace

bool FakeImageApi::is_open(const std::string& id) const {
  const auto found = calls_.find(id);
  return found != calls_.end() && !found->second.is_stopped && !found->second.is_done;
}

std::size_t FakeImageApi::open_calls() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      calls_, [](const auto& each) { return !each.second.is_stopped && !each.second.is_done; }));
}

bool FakeImageApi::is_over(QueuedCall& call) const {
  if (call.is_stopped) return false;
  call.is_done = call.is_done || ++call.looks >= looks;
  return call.is_done;
}

FakeReply FakeImageApi::new_prediction(const SentRequest& request) {
  const std::string id = fmt::format("rep{:08}", charged.size() + 1);
  charge("replicate", request, id);
  calls_[id] = {.provider = "replicate"};
  return json(201,
              fmt::format(R"({{"id":"{}","status":"starting","output":null,"error":null}})", id));
}

// "ID" or "ID/cancel".
FakeReply FakeImageApi::prediction(const std::string& rest) {
  const std::string id = rest.substr(0, rest.find('/'));
  const auto found = calls_.find(id);
  if (found == calls_.end())
    return json(404, R"({"detail":"The requested resource was not found."})");
  QueuedCall& call = found->second;
  if (rest.ends_with("/cancel")) {
    call.is_stopped = !call.is_done;
    return json(200, fmt::format(R"({{"id":"{}","status":"canceled"}})", id));
  }
  const auto say = [&](std::string_view status, const std::string& more) {
    return json(200, fmt::format(R"({{"id":"{}","status":"{}"{}}})", id, status, more));
  };
  if (call.is_stopped) return say("canceled", R"(,"output":null,"error":null)");
  if (!is_over(call)) return say("processing", R"(,"output":null,"error":null)");
  if (!failure.empty())
    return say("failed", fmt::format(R"(,"output":null,"error":{})", json_quoted(failure)));
  return say("succeeded",
             fmt::format(R"(,"output":["{}/files/{}.png"],"error":null)", address, id));
}

// The server does not compare the client's ids: the same one again is another run.
FakeReply FakeImageApi::new_prompt(const SentRequest& request) {
  std::string id = member(request.body, "prompt_id");
  if (id.empty()) id = fmt::format("own-{}", charged.size() + 1);
  charge("comfyui", request, id);
  calls_[id] = {.provider = "comfyui"};
  return json(200, fmt::format(R"({{"prompt_id":"{}","number":{},"node_errors":{{}}}})", id,
                               charged.size()));
}

FakeReply FakeImageApi::history(const std::string& id) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || !is_over(found->second)) return json(200, "{}");
  if (!failure.empty())
    return json(200, fmt::format(R"({{"{}":{{"outputs":{{}},"status":{{"status_str":"error",)"
                                 R"("completed":false,"messages":[["execution_start",{{}}],)"
                                 R"(["execution_error",{{"exception_type":"RuntimeError",)"
                                 R"("exception_message":{}}}]]}}}}}})",
                                 id, json_quoted(failure)));
  return json(200, fmt::format(R"({{"{}":{{"outputs":{{"9":{{"images":[{{"filename":"a b.png",)"
                               R"("subfolder":"","type":"output"}}]}}}},"status":)"
                               R"({{"status_str":"success","completed":true,"messages":[]}}}}}})",
                               id));
}

FakeReply FakeImageApi::queue() const {
  std::string pending;
  for (const auto& [id, call] : calls_)
    if (call.provider == "comfyui" && !call.is_done && !call.is_stopped)
      pending += fmt::format(R"({}[1,"{}",{{}},{{}},[]])", pending.empty() ? "" : ",", id);
  return json(200, fmt::format(R"({{"queue_running":[],"queue_pending":[{}]}})", pending));
}

FakeReply FakeImageApi::stop_prompts(const SentRequest& request) {
  for (auto& [id, call] : calls_)
    if (request.body.find(id) != std::string::npos) call.is_stopped = !call.is_done;
  return {.status = 200};
}

}  // namespace haul::testing
