#include "bot/admin_screens.h"

#include <fmt/core.h>

#include "bot/label.h"

namespace haul::bot {
namespace {

using Verb = Press::Verb;

template <class Value>
std::string words(Language language, Text which, const Value& value) {
  return fmt::format(fmt::runtime(text(language, which)), value);
}

std::string who(const BotGuest& guest) {
  return fmt::format("{} ({})", label_of(guest.name), guest.id);
}

}  // namespace

BotScreen status_screen(Language language, const BotStatus& status) {
  std::string lines = words(language, Text::status_queue, status.queued);
  for (const auto& [state, jobs] : status.states) lines += fmt::format("\n{}: {}", state, jobs);
  lines += "\n" + words(language, Text::status_stuck, status.stuck);
  lines += "\n" + (status.beat_age_s ? words(language, Text::status_beat, *status.beat_age_s)
                                     : std::string{text(language, Text::status_no_worker)});
  if (!status.errors.empty()) lines += "\n" + std::string{text(language, Text::status_errors)};
  for (const auto& [reason, jobs] : status.errors) lines += fmt::format("\n{}: {}", reason, jobs);
  return {lines};
}

BotScreen request_screen(Language language, const BotGuest& guest) {
  return {words(language, Text::request_of, who(guest)),
          {{{std::string{text(language, Text::approve)}, {Verb::approve, guest.id, 0}},
            {std::string{text(language, Text::deny)}, {Verb::deny, guest.id, 0}}}}};
}

BotScreen decided_screen(Language language, const BotGuest& guest, bool is_approved) {
  return {words(language, is_approved ? Text::was_approved : Text::was_denied, who(guest))};
}

}  // namespace haul::bot
