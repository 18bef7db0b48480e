#pragma once
// The bot's texts, in Russian and English.

#include <cstdint>
#include <string_view>

namespace haul::bot {

enum class Language : std::uint8_t { russian, english };

// By Telegram's language code: "ru", "en-US". Russian if the code is empty, because document 003
// speaks Russian.
Language language_of(std::string_view code);

enum class Text : std::uint8_t {
  welcome,
  ask_access,
  asked,
  closed,
  access_over,
  approved,
  library,
  help,
  no_catalogue,
  nothing_here,
  found,
  nothing_found,
  query_too_short,
  back,
  to_start,
  previous,
  next,
  download,
  download_again,
  cancel,
  added,
  queued,
  starting,
  loading,
  loading_percent,
  done,
  cancelled,
  expired,
  failed,
  too_late,
  gone,
  old_button,
  queue_full,
  own_queue_full,
  unavailable,
  why_too_big,
  why_not_found,
  why_no_access,
  why_chat,
  why_other,
  request_of,
  approve,
  deny,
  was_approved,
  was_denied,
  no_requests,
  admins_only,
  refreshing,
  status_queue,
  status_stuck,
  status_beat,
  status_no_worker,
  status_errors,
  alert_failed,
  alert_held,
  access_ends,
  why_unknown,
  maybe_sent,
  alert_paused,
};

// Some have a place for a value: {}.
std::string_view text(Language language, Text which);

}  // namespace haul::bot
