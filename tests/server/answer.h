#pragma once
// An answer as a list of steps, decided when the request is complete. The steps are plain data;
// only connection.cc acts on them.

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace haul::server {

// At most `piece` bytes every `every`. With a piece of 0 there is no limit.
struct Pace {
  std::uint64_t piece = 0;
  std::chrono::microseconds every{0};
};

enum class Role : std::uint8_t { framing, body };

struct Text {
  std::string text;
  std::uint64_t times = 1;  // A million headers are sent without holding them in memory.
  Role role = Role::framing;
  Pace pace = {};
};

inline constexpr std::uint64_t kNoDamage = ~std::uint64_t{0};

// Bytes of a generated file.
struct Content {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  Pace pace = {};
  std::uint64_t damaged = kNoDamage;  // The byte that is sent wrong.
};

struct Wait {
  std::chrono::milliseconds time{0};
};

// Sends nothing more until the client disconnects.
struct Stall {};

// The last step: what happens to the connection.
enum class End : std::uint8_t { keep, close, reset };

using Step = std::variant<Text, Content, Wait, Stall, End>;

struct Answer {
  int status = 0;
  std::vector<Step> steps;
};

}  // namespace haul::server
