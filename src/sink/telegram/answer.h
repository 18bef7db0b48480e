#pragma once
// What Telegram's answer to a sent file means (document 003 §4: S3-11, S3-12).

#include <cstdint>
#include <string>

#include "seam/sight.h"

namespace haul::telegram {

// What the request named the file by.
enum class SentAs : std::uint8_t { bytes, file_id };

struct SendAnswer {
  int status = 0;
  std::string body;
  std::string retry_after{};  // The header. Empty if it is absent.
  bool is_early = false;      // It came before the end of the request, which had no effect so.
};

struct SendOutcome {
  What what;               // Sent or Failed.
  std::string new_chat{};  // The group has become another chat. Empty if it has not.
  bool is_disks = false;   // The disk has failed, not the chat.
};

SendOutcome judge_answer(const SendAnswer& answer, SentAs sent_as);

}  // namespace haul::telegram
