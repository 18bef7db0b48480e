#pragma once
// The states of a file on its way to its place, and the decisions between them. Pure.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fault.h"
#include "io/file/checkpoint.h"
#include "io/file/folder.h"
#include "seam/leftovers.h"

namespace haul::io {

enum class LandingState : std::uint8_t {
  filling,   // Bytes are written to the part, or will be.
  whole,     // All bytes are here and the final name is chosen. The caller stores that.
  placing,   // The lander puts the file in its place.
  stopping,  // The same, and a stop was asked for meanwhile.
  keeping,   // The lander flushes the part, so that a later start can resume it.
  ended,     // The end was reported. Nothing follows.
};

bool may_follow(LandingState from, LandingState to);

// How an earlier start left the file that its checkpoint describes.
enum class FoundAs : std::uint8_t {
  nothing,   // Not at all, or not provably whole.
  part,      // All bytes are in the part.
  in_place,  // Under its final name. It may not be flushed.
};
struct FilesSeen {
  std::optional<FileMark> target;  // Under the checkpoint's final name.
  std::optional<FileMark> part;    // Under the part's name.
  std::string_view boot;           // The machine's current boot. Empty if it is not known.
};
FoundAs judge_found(const Checkpoint& kept, const FilesSeen& seen);

// What came of putting the file in its place.
enum class PlaceEnd : std::uint8_t {
  done,       // It is there and flushed.
  taken,      // Another file has the name. Choose another name.
  stopped,    // It is not there, or it was not checked, and a stop was asked for.
  unflushed,  // It is there, but could not be flushed. The stored checkpoint identifies it.
  failed,     // It is not there, or its bytes are wrong.
};
struct PlaceSeen {
  LandingState state = LandingState::placing;
  std::string_view fault_code{};  // Empty if the lander reported success.
  bool is_there = false;          // The file has its final name.
};
PlaceEnd judge_place(const PlaceSeen& seen);

// What a later start could do with the part.
struct PartSeen {
  bool is_named = false;      // A file without a name is lost once it is closed.
  bool is_resumable = false;  // It has bytes, and the rest can be proven to belong to them.
};

// What a stop or a failure does with the part.
enum class StopStep : std::uint8_t {
  wait,    // The end was reported, or the lander's answer will lead to it.
  remove,  // Remove the part.
  leave,   // Leave the part as it is: the stored checkpoint identifies it.
  flush,   // Flush the part for a later start.
};
StopStep judge_stop(LandingState state, Leftovers leftovers, const PartSeen& part);
StopStep judge_fail(LandingState state, const Fault& fault, const PartSeen& part);

}  // namespace haul::io
