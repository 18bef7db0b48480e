#pragma once
// Whether a worker pays for an image, as a pure function (document 004, A4-13).

#include <cstdint>
#include <optional>
#include <string>

#include "lifecycle/words.h"
#include "store/intents.h"

namespace haul::flow {

// What the provider delivered for a call. The call's intent keeps it as JSON, so that a later
// worker lands it instead of paying again.
struct PaidImage {
  std::string path;
  std::int64_t size = 0;
  std::string evidence{};  // What the engine found out about it, JSON. May be empty.

  std::string to_json() const;
  bool operator==(const PaidImage&) const = default;
};
// Nothing if the text is anything else.
std::optional<PaidImage> read_paid_image(const std::string& json);

// An image when a worker gets it.
struct CallView {
  Step step = Step::none;      // Of the job's state.
  std::string handle;          // The provider's name for an earlier call. Empty if there is none.
  std::optional<Intent> last;  // The newest call. An open one is one whose worker was lost.
  int attempt = 0;             // Of the job.
};

struct CallVerdict {
  enum class Act : std::uint8_t {
    none,
    pay,    // For a new call.
    ask,    // The provider about the earlier call.
    land,   // What the earlier call delivered.
    doubt,  // The earlier call has no handle and no answer: it may have been paid.
  } act = Act::none;
  PaidImage image{};        // To land.
  bool is_counted = false;  // The loss of the doubtful call's worker has cost an attempt already.
};

// What a call delivered goes first: the provider may have forgotten the call by now.
CallVerdict judge_call(const CallView& view);

// The data of a call's intent: the job's attempt at that time.
std::string call_data(int attempt);

}  // namespace haul::flow
