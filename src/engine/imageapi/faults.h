#pragma once
// What a provider's refusals mean (A4-4, Z-28). Pure.

#include <string>
#include <string_view>

#include "engine/imageapi/provider.h"

namespace haul::imageapi {

// The code of every safety block, whatever the provider calls it.
inline constexpr const char* kSafetyBlock = "safety_block";

// The call was blocked. `reason` is the provider's code or category: its prose may have the prompt.
CallFault blocked(std::string_view reason);

// What a status says that is no success. `message` is the provider's reason, if it gives one.
//   401, 402, and a 403 or 404 about the account, its key or the model: only an operator can help,
//   so they are `environment`.
//   Any other 403 or 404, and redirects: `retryable`. They may be about this call alone.
//   408, 409, 425, 429 and 5xx: `retryable`. Behind a gateway (502, 504, 520, 524) the call may go
//   on, so its outcome is unknown.
//   All others: `permanent`.
CallFault refused(const ProviderReply& reply, std::string_view message);
// The provider wants to be paid first: an empty account or a spent quota, whatever its status.
// `code` is the provider's. Every user of haul may see it.
CallFault wants_payment(std::string_view code);
// The provider reports success, but haul finds no image and no call in its answer. The call may
// have been paid for.
CallFault garbage(std::string_view why);
// haul asked about a call, and the answer does not say what became of it.
NotSeen not_seen(const ProviderReply& reply);

// How long the provider asks to wait, at most ten minutes: Retry-After-Ms, or Retry-After as
// seconds or a date. Zero if it does not say.
Millis asked_wait(const ProviderReply& reply);

// The call did not get through, or its answer did not come back. If no byte can have reached the
// provider, nothing was paid, and the next call meets the same: `environment`. Else its outcome is
// unknown.
CallFault unreached(const Fault& fault);

// A provider's words, short and printable.
std::string provider_words(std::string_view text);

}  // namespace haul::imageapi
