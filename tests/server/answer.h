#pragma once
// An answer as a list of steps, decided at once when the request is in. What the steps say is pure;
// only connection.cc acts on them.

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace haul::server {

// No faster than `piece` bytes every `every`; a piece of zero is as fast as it goes.
struct Pace {
  std::uint64_t piece = 0;
  std::chrono::microseconds every{0};
};

enum class Role : std::uint8_t { framing, body };

struct Text {
  std::string text;
  std::uint64_t times = 1;  // A million headers need not be held to be sent.
  Role role = Role::framing;
  Pace pace = {};
};

// Bytes of a generated file.
struct Content {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  Pace pace = {};
};

struct Wait {
  std::chrono::milliseconds time{0};
};

// Nothing more until the client goes.
struct Stall {};

// The last step: what becomes of the connection.
enum class End : std::uint8_t { keep, close, reset };

using Step = std::variant<Text, Content, Wait, Stall, End>;

struct Answer {
  int status = 0;
  std::vector<Step> steps;
};

}  // namespace haul::server
