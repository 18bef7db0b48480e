#pragma once
// The decisions of a download, as pure functions. Download acts on them.

#include <cstdint>

#include "engine/http/reply.h"

namespace haul::http {

// How the file is asked for. A download goes from one to a later one, never back.
enum class Round : std::uint8_t {
  first,    // As it is.
  again,    // The same from the first byte, because the file changed on the way.
  decoded,  // From the first byte, and the loop decodes the body.
};

// How many connections may fetch the file.
enum class Connections : std::uint8_t {
  several,
  one,  // The server refuses more, or the file cannot be split.
};

// What a download does with the head of a reply.
enum class HeadStep : std::uint8_t {
  take_whole,      // The body is the file from its first byte.
  take_part,       // The body is the range that was asked for.
  refuse,          // The server refuses one more connection. Another one fetches the range.
  finish,          // All bytes are here.
  restart,         // Ask again from the first byte.
  decode,          // Ask again, decoded.
  hop,             // Follow the redirect.
  changed_again,   // The file changed twice: fail.
  unknown_coding,  // The body cannot be decoded: fail.
  fail,            // With the reply's fault.
};
struct HeadSeen {
  Meaning meaning = Meaning::fault;
  Round round = Round::first;
  bool is_extra = false;      // Other connections fetch other ranges of the file.
  bool keeps_coding = false;  // The file's name says that it is compressed itself.
};
HeadStep judge_head(const HeadSeen& seen);

// What a download does when a connection ends by itself.
enum class EndStep : std::uint8_t {
  learn_size,  // The end of the body tells the size of the file.
  give_slot,   // Others go on. Give back its slot at the host.
  stay_few,    // The same, and open no more: the server refused it or broke off.
  go_on,       // It was the last. Ask for what is missing, if anything.
  fail,
};
struct EndSeen {
  bool is_accepted = false;    // Its reply was as expected.
  bool is_whole = false;       // All bytes of its range came.
  bool is_broken = false;      // The connection failed.
  bool is_stopped = false;     // The download ended it.
  bool is_size_known = false;  // Of the file.
  bool is_last = false;        // No other connection fetches the file.
};
EndStep judge_end(const EndSeen& seen);

}  // namespace haul::http
