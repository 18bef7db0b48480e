#pragma once
// The image APIs of OpenAI, Stability, Replicate, AUTOMATIC1111 and ComfyUI in memory, each under
// its own paths. It keeps its own list of the calls that it would have charged for.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/server/fake_web.h"

namespace haul::testing {

// A call that was charged for.
struct ChargedCall {
  std::string provider;  // "openai"
  std::string prompt;    // For comfyui the whole graph.
  std::string id;        // Of the prediction or the prompt. Empty if the provider names none.
};

// What goes wrong with the calls that pay.
enum class ImageTrouble : std::uint8_t {
  none,
  blocked,       // The safety filter's answer.
  bad_request,   // 400
  unauthorized,  // 401
  unpaid,        // 402, or 429 insufficient_quota
  rate_limited,  // 429 with a time to wait
  server_error,  // 500
  gateway,       // 504. The call was made and charged for.
  hang,          // No answer. Charged for.
  lost,          // The connection ends without an answer. Charged for.
  garbage,       // 200 and a page. Charged for.
  no_image,      // 200 and bytes of another kind. Charged for.
};

class FakeImageApi {
 public:
  FakeImageApi();

  std::string key = "image-secret";  // Every request needs it, but those for files. Empty: none.
  std::string address = "http://images.test";  // Where its files are.
  std::string image;                           // A PNG of 16 by 12.
  ImageTrouble trouble = ImageTrouble::none;
  int trouble_for = -1;   // Calls that it strikes; below zero: all.
  Millis wait{7'000};     // What a rate limit asks for.
  int looks = 1;          // Replicate and ComfyUI are done at this many looks.
  std::string failure{};  // Replicate and ComfyUI then fail with this text.
  bool files_expired = false;

  std::vector<ChargedCall> charged;
  std::vector<SentRequest> log;
  std::size_t logins_at_files = 0;  // Requests for files that came with a login.
  bool is_open(const std::string& id) const;
  std::size_t open_calls() const;  // Predictions and prompts that are neither done nor stopped.

  std::optional<FakeReply> answer(const io::HttpRequest& sent);
  // The requests since the last call: "POST /v1/images/generations, GET /files/0.png".
  std::string told();

 private:
  struct QueuedCall {
    std::string provider;
    int looks = 0;
    bool is_stopped = false;
    bool is_done = false;
  };

  std::optional<FakeReply> route(const SentRequest& request);
  FakeReply file(const SentRequest& request);
  // The answer to a call that pays, if something goes wrong with it. `is_silent`: there is none.
  struct Struck {
    std::optional<FakeReply> reply;
    bool is_silent = false;
  };
  std::optional<Struck> strike(const std::string& provider, const SentRequest& request);
  FakeReply refusal(const std::string& provider, ImageTrouble what) const;
  void charge(const std::string& provider, const SentRequest& request, const std::string& id = {});

  std::string drawn() const;  // The image of the newest call.

  FakeReply openai(const SentRequest& request);
  FakeReply stability(const SentRequest& request);
  FakeReply automatic1111(const SentRequest& request);
  FakeReply new_prediction(const SentRequest& request);
  FakeReply prediction(const std::string& id);
  FakeReply new_prompt(const SentRequest& request);
  FakeReply history(const std::string& id);
  FakeReply queue() const;
  FakeReply stop_prompts(const SentRequest& request);
  // Looks at a call, which may end it by that.
  bool is_over(QueuedCall& call) const;

  std::map<std::string, QueuedCall> calls_;
  bool is_spoiled_ = false;  // The newest call draws something else than a PNG.
  std::size_t told_ = 0;
};

}  // namespace haul::testing
