#pragma once
// What the providers of images have in common: which requests haul sends, and what their answers
// mean. Pure: the engine sends the requests and acts on the answers.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fault.h"
#include "base/time.h"
#include "engine/imageapi/image_request.h"
#include "engine/imageapi/settings.h"
#include "io/web/http.h"

namespace haul::imageapi {

struct ProviderRequest {
  std::string method = "GET";
  std::string path;                    // With its query. Below the provider's address.
  std::vector<std::string> headers{};  // "Name: value", without the login.
  std::string body{};
};

struct ProviderReply {
  io::HttpHead head;
  std::string body;
  Time now{};  // When it came, for dates in its head.
  std::string_view
      prompt{};  // What it answers. A provider may repeat it: those are no words of its.
};

// What a reply means:
struct GivenBytes {  // The image itself.
  std::string bytes;
};
struct GivenAddress {  // Where the image is.
  enum class At : std::uint8_t {
    anywhere,  // An address that the provider chose: haul trusts it as little as a user's.
    provider,  // A path below the provider's own address.
  };
  std::string address;
  At at = At::anywhere;
};
struct CallAtWork {  // The provider has the call and names it so.
  std::string handle;
  std::string detail{};
};
struct NoSuchCall {};  // A healthy answer: the provider knows no such call.
struct NotSeen {       // The provider did not say what became of the call.
  Fault fault;
  Millis wait{0};
};
struct CallFault {  // The call failed, or was never made.
  Fault fault;
  Millis wait{0};                // The provider asked to wait at least this long.
  bool outcome_unknown = false;  // It may have been paid for.
};
using ProviderMeaning =
    std::variant<GivenBytes, GivenAddress, CallAtWork, NoSuchCall, NotSeen, CallFault>;

class ImageProvider {
 public:
  virtual ~ImageProvider() = default;

  // The request that pays, unless the provider does not take the parameters.
  virtual ParamResult<ProviderRequest> submit(const ImageRequest& wanted) const = 0;
  // What its answer means: all but NoSuchCall and NotSeen.
  virtual ProviderMeaning read_submit(const ProviderReply& reply) const = 0;

  // Whether the provider gives the image with its answer. Then nothing can be asked about a call.
  virtual bool answers_at_once() const { return true; }
  // haul chooses the name of a call itself: ImageRequest::id.
  virtual bool takes_own_id() const { return false; }
  // The requests that ask about a call, sent one after the other while the answers are NoSuchCall.
  virtual std::vector<ProviderRequest> look(const std::string& /*handle*/) const { return {}; }
  virtual ProviderMeaning read_look(const std::string& /*handle*/, std::size_t /*request*/,
                                    const ProviderReply&) const {
    return NoSuchCall{};
  }
  // The requests that end a call. Each is answered with success, or 404 if the call is over.
  virtual std::vector<ProviderRequest> cancel(const std::string& /*handle*/) const { return {}; }
  // The headers that log in, for every request to the provider.
  virtual std::vector<std::string> login() const = 0;
};

// The settings outlive the provider.
std::unique_ptr<ImageProvider> make_openai(const ImageSettings& settings);
std::unique_ptr<ImageProvider> make_stability(const ImageSettings& settings);
std::unique_ptr<ImageProvider> make_replicate(const ImageSettings& settings);
std::unique_ptr<ImageProvider> make_automatic1111(const ImageSettings& settings);
std::unique_ptr<ImageProvider> make_comfyui(const ImageSettings& settings);
// The one that the settings name.
std::unique_ptr<ImageProvider> make_provider(const ImageSettings& settings);

// Says which parameter of a job's request, JSON, the provider does not take, so that a job with it
// is never added. Pure; keeps a copy of the settings.
using CheckParams = std::function<std::optional<BadParam>(std::string_view request)>;
CheckParams params_check(const ImageSettings& settings);

// "Authorization: Bearer …"; nothing without a key.
std::vector<std::string> bearer(const std::string& key);

}  // namespace haul::imageapi
