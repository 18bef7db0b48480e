#include "support/server/fake_image_api.h"

#include <fmt/core.h>

#include <utility>

#include "base/hash.h"
#include "base/json.h"

namespace haul::testing {
namespace {

constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAAAFUlEQVR42mNQaDhAEmIY1TCqATsCAMv+CBA0ZdWQAAAA"
    "AElFTkSuQmCC";

std::string member(const std::string& json, std::string_view name) {
  const auto fields = read_object(json);
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == name) return field.text;
  return {};
}

// The field of a multipart form, as far as this fake needs it.
std::string form_field(const std::string& body, const std::string& name) {
  const std::string head = fmt::format("name=\"{}\"\r\n\r\n", name);
  const std::size_t at = body.find(head);
  if (at == std::string::npos) return {};
  const std::size_t from = at + head.size();
  return body.substr(from, body.find("\r\n--", from) - from);
}

std::string prompt_of(const std::string& provider, const SentRequest& request) {
  if (provider == "stability") return form_field(request.body, "prompt");
  if (provider == "replicate") return member(member(request.body, "input"), "prompt");
  return member(request.body, "prompt");
}

FakeReply json(int status, std::string body) {
  return {
      .status = status, .body = std::move(body), .headers = {{"content-type", "application/json"}}};
}

std::string openai_error(std::string_view type, std::string_view code, std::string_view message) {
  return fmt::format(R"({{"error":{{"message":{},"type":"{}","param":"","code":"{}"}}}})",
                     json_quoted(message), type, code);
}

}  // namespace

FakeImageApi::FakeImageApi() : image{base64_bytes(kPng).value()} {}

std::optional<FakeReply> FakeImageApi::answer(const io::HttpRequest& sent) {
  log.push_back(read_sent(sent));
  return route(log.back());
}

std::string FakeImageApi::told() {
  std::string text;
  for (; told_ < log.size(); ++told_)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", log[told_].method, log[told_].path);
  return text;
}

std::optional<FakeReply> FakeImageApi::route(const SentRequest& request) {
  const std::string& path = request.path;
  if (path.starts_with("/files/")) return file(request);
  const bool is_basic = path.starts_with("/sdapi/");
  const std::string wanted = is_basic ? "Basic " + base64_of(key) : "Bearer " + key;
  if (!key.empty() && request.header("authorization") != wanted)
    return json(401, openai_error("invalid_request_error", "invalid_api_key",
                                  "Incorrect API key provided: image-s***et."));
  const bool posts = request.method == "POST";
  const auto pays =
      [&](const std::string& provider,
          FakeReply (FakeImageApi::*act)(const SentRequest&)) -> std::optional<FakeReply> {
    if (auto struck = strike(provider, request)) return std::move(struck->reply);
    return (this->*act)(request);
  };
  if (posts && path == "/v1/images/generations") return pays("openai", &FakeImageApi::openai);
  if (posts && path.starts_with("/v2beta/stable-image/generate/"))
    return pays("stability", &FakeImageApi::stability);
  if (posts && path == "/sdapi/v1/txt2img")
    return pays("automatic1111", &FakeImageApi::automatic1111);
  if (posts && path.ends_with("/predictions"))
    return pays("replicate", &FakeImageApi::new_prediction);
  if (posts && path == "/prompt") return pays("comfyui", &FakeImageApi::new_prompt);
  if (path.starts_with("/v1/predictions/")) return prediction(path.substr(16));
  if (path.starts_with("/history/")) return history(path.substr(9));
  if (posts && (path == "/queue" || path == "/interrupt")) return stop_prompts(request);
  if (path == "/queue") return queue();
  if (path == "/view") return FakeReply{.body = drawn()};
  return json(404, R"({"detail":"Not Found"})");
}

FakeReply FakeImageApi::file(const SentRequest& request) {
  if (!request.header("authorization").empty()) ++logins_at_files;
  if (files_expired) return {.status = 404, .body = "expired"};
  return {.body = drawn(), .headers = {{"content-type", "image/png"}}};
}

void FakeImageApi::charge(const std::string& provider, const SentRequest& request,
                          const std::string& id) {
  charged.push_back({provider, prompt_of(provider, request), id});
}

std::optional<FakeImageApi::Struck> FakeImageApi::strike(const std::string& provider,
                                                         const SentRequest& request) {
  is_spoiled_ = false;
  if (trouble == ImageTrouble::none || trouble_for == 0) return std::nullopt;
  if (trouble_for > 0) --trouble_for;
  switch (trouble) {
    case ImageTrouble::hang:
      charge(provider, request);
      return Struck{.is_silent = true};
    case ImageTrouble::lost:
      charge(provider, request);
      return Struck{FakeReply{.fault = Fault{FaultKind::retryable, "connection_lost", "reset"}}};
    case ImageTrouble::no_image:
      is_spoiled_ = true;
      return std::nullopt;
    case ImageTrouble::gateway:
    case ImageTrouble::garbage:
      charge(provider, request);
      break;
    default:
      break;
  }
  return Struck{refusal(provider, trouble)};
}

FakeReply FakeImageApi::refusal(const std::string& provider, ImageTrouble what) const {
  const bool is_openai = provider == "openai";
  switch (what) {
    case ImageTrouble::blocked:
      if (provider == "stability")
        return {.body = image, .headers = {{"finish-reason", "CONTENT_FILTERED"}}};
      return json(400, openai_error("image_generation_user_error", "moderation_blocked",
                                    "Your request was rejected by the safety system. "
                                    "safety_violations=[violence]."));
    case ImageTrouble::bad_request:
      return json(400, openai_error("invalid_request_error", "invalid_size", "Invalid size."));
    case ImageTrouble::unauthorized:
      return json(401, R"({"detail":"Unauthenticated"})");
    case ImageTrouble::unpaid:
      return is_openai ? json(429, openai_error("insufficient_quota", "insufficient_quota",
                                                "You exceeded your current quota."))
                       : json(402, R"({"detail":"Insufficient credit"})");
    case ImageTrouble::rate_limited: {
      FakeReply reply = json(429, openai_error("requests", "rate_limit_exceeded", "Slow down."));
      reply.headers.emplace_back("retry-after-ms", std::to_string(wait.count()));
      return reply;
    }
    case ImageTrouble::gateway:
      return {.status = 504, .body = "<html>504 Gateway Time-out</html>"};
    case ImageTrouble::garbage:
      return {.body = "<!DOCTYPE html><html><body>router</body></html>"};
    default:
      return json(500, R"({"error":{"message":"The server had an error","code":null}})");
  }
}

std::string FakeImageApi::drawn() const {
  return is_spoiled_ ? "GIF89a, which haul does not keep" : image;
}

FakeReply FakeImageApi::openai(const SentRequest& request) {
  charge("openai", request);
  if (member(request.body, "response_format") == "url")
    return json(200, fmt::format(R"({{"created":1,"data":[{{"url":"{}/files/{}.png"}}]}})", address,
                                 charged.size()));
  return json(200,
              fmt::format(R"({{"created":1,"data":[{{"b64_json":"{}"}}]}})", base64_of(drawn())));
}

FakeReply FakeImageApi::stability(const SentRequest& request) {
  charge("stability", request);
  return {.body = drawn(),
          .headers = {{"content-type", "image/png"}, {"finish-reason", "SUCCESS"}, {"seed", "7"}}};
}

FakeReply FakeImageApi::automatic1111(const SentRequest& request) {
  charge("automatic1111", request);
  return json(200, fmt::format(R"({{"images":["{}"],"parameters":{{}},"info":"{{}}"}})",
                               base64_of(drawn())));
}

}  // namespace haul::testing
