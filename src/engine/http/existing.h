#pragma once
// Z-24: whether a file of an earlier run is what the server has. Pure.

#include <cstdint>

#include "base/receipt.h"
#include "engine/get_request.h"
#include "engine/http/reply.h"

namespace haul::http {

// What a download does after it has asked the server about such a file, without a body.
enum class LookStep : std::uint8_t {
  here,   // It is what the server has, or the server does not say.
  fetch,  // The server has another version.
  hop,    // Follow the redirect.
  fail,   // With the reply's fault. A later try may get an answer.
};
// A length of 0 proves no change: many servers say so whenever they send no body. An update fetches
// the file if nothing tells its versions apart.
LookStep judge_look(const Receipt& receipt, const Reply& reply,
                    engine::IfExists existing = engine::IfExists::normal);

// The validators that the server named for the file and a moment before it, without a body. One
// that it makes up for each answer tells nothing about the file.
Given agreed(const Given& before, const Given& now);

// Whether the server refused the question by closing the connection.
bool is_dropped(const Fault& fault);

}  // namespace haul::http
