#include "bot/decide.h"

#include <array>

#include "base/ensured.h"
#include "bot/label.h"

namespace haul::bot {
namespace {

using Kind = BotCommand::Kind;
using Verb = Press::Verb;

constexpr std::size_t kQueryMin = 2;  // Bytes; one letter would list nearly all.

// One decision in the making.
class Deciding {
 public:
  Deciding(const Asked& asked, const BotFacts& facts, const DecideSettings& settings, Time now)
      : update_{asked.update},
        command_{asked.command},
        facts_{facts},
        settings_{settings},
        now_{now} {}

  Decision run() && {
    if (command_.kind == Kind::none || (!facts_.guest && facts_.standing != Standing::admin))
      return std::move(decision_);
    if (is_for_admin())
      for_admin();
    else if (has_access(facts_.standing))
      with_access();
    else
      without_access();
    return std::move(decision_);
  }

 private:
  std::string_view words(Text which) const { return text(facts_.language, which); }

  // In place of the message with the clicked button, or as a new message.
  void show(const BotScreen& screen) {
    const bool edits = update_.is_click() && update_.message != 0;
    decision_.calls.push_back(edits ? edit_screen(update_.chat, update_.message, screen)
                                    : send_screen(update_.chat, screen));
  }
  // Every click gets an answer, else its button keeps waiting.
  void answer(std::string_view said = "") {
    if (update_.is_click()) decision_.calls.push_back(answer_click(update_.callback, said));
  }
  // A short text: over the button, or as a message.
  void tell(Text which) {
    if (update_.is_click())
      answer(words(which));
    else
      show({std::string{words(which)}});
  }

  bool is_for_admin() const {
    if (command_.kind == Kind::press)
      return command_.press.verb == Verb::approve || command_.press.verb == Verb::deny;
    return command_.kind == Kind::status || command_.kind == Kind::requests ||
           command_.kind == Kind::refresh;
  }

  void for_admin() {
    if (facts_.standing != Standing::admin) {
      decision_.is_denied = true;
      if (facts_.standing != Standing::blocked || update_.is_click()) tell(Text::admins_only);
      return;
    }
    if (command_.kind == Kind::status) return show(status_screen(facts_.language, facts_.status));
    if (command_.kind == Kind::requests) return show_requests();
    if (command_.kind == Kind::press) return judge_guest(command_.press.verb == Verb::approve);
    decision_.refresh = true;
    tell(Text::refreshing);
  }

  void show_requests() {
    if (facts_.waiting.empty()) return tell(Text::no_requests);
    for (const BotGuest& guest : facts_.waiting)
      decision_.calls.push_back(send_screen(update_.chat, request_screen(facts_.language, guest)));
  }

  void judge_guest(bool is_approved) {
    if (!facts_.other) return tell(Text::old_button);
    const BotGuest& other = *facts_.other;
    const GuestState wanted = is_approved ? GuestState::active : GuestState::blocked;
    answer();
    show(decided_screen(facts_.language, other, is_approved));
    const bool is_over = other.until && *other.until <= now_;
    if (other.state == wanted && !(is_approved && is_over)) return;
    GuestChange change{.to = other, .seen = other.state};
    change.to.state = wanted;
    change.to.until = std::nullopt;
    if (is_approved && settings_.access_for > Millis{0})
      change.to.until = now_ + settings_.access_for;
    if (is_approved)
      change.then.push_back(
          send_screen(other.id, {std::string{text(language_of(other.language), Text::approved)}}));
    decision_.change = std::move(change);
  }

  void without_access() {
    if (facts_.standing == Standing::blocked) return answer(words(Text::closed));
    const bool asks = command_.kind == Kind::press && command_.press.verb == Verb::ask_access;
    if (facts_.standing == Standing::pending) {
      if (asks) show({std::string{words(Text::asked)}});
      return tell(Text::asked);
    }
    if (asks) return ask_access();
    answer();
    show(closed_screen());
  }

  BotScreen closed_screen() const {
    const Text why = facts_.standing == Standing::over ? Text::access_over : Text::welcome;
    return {std::string{words(why)},
            {{{std::string{words(Text::ask_access)}, {Verb::ask_access, 0, 0}}}}};
  }

  void ask_access() {
    answer();
    show({std::string{words(Text::asked)}});
    const BotGuest& guest = ensured(facts_.guest, "who asks for access is a guest");
    GuestChange change{.to = guest, .seen = guest.state};
    change.to.state = GuestState::pending;
    change.to.until = std::nullopt;
    if (settings_.admin != 0)
      change.then.push_back(
          send_screen(settings_.admin, request_screen(facts_.admin_language, guest)));
    decision_.change = std::move(change);
  }

  void with_access() {
    switch (command_.kind) {
      case Kind::start:
        return open_entry(0);
      case Kind::search:
        return search();
      case Kind::press:
        return press();
      case Kind::old_press:
        return tell(Text::old_button);
      case Kind::help:
        return tell(Text::help);
      case Kind::none:
      case Kind::status:
      case Kind::requests:
      case Kind::refresh:
        return;
    }
  }

  void press() {
    switch (command_.press.verb) {
      case Verb::home:
        return open_entry(0);
      case Verb::open:
        return open_entry(command_.press.page);
      case Verb::found:
        answer();
        return show(found_screen(facts_.language, facts_.page, command_.press.page));
      case Verb::download:
        return download();
      case Verb::cancel:
        return cancel();
      case Verb::ask_access:
        answer();
        return show({std::string{words(Text::approved)}});
      case Verb::approve:
      case Verb::deny:
        return;  // For the administrator, above.
    }
  }

  void open_entry(std::size_t page) {
    const bool is_start = command_.kind == Kind::start || command_.press.verb == Verb::home;
    if (!facts_.entry) return tell(is_start ? Text::no_catalogue : Text::gone);
    if (facts_.entry->is_gone) return tell(Text::gone);
    answer();
    show(facts_.entry->is_folder ? folder_screen(facts_.language, *facts_.entry, facts_.page, page)
                                 : file_screen(facts_.language, *facts_.entry));
  }

  void search() {
    if (folded(command_.query).size() < kQueryMin) return tell(Text::query_too_short);
    decision_.query = command_.query;
    show(found_screen(facts_.language, facts_.page, 0));
  }

  // The click is answered when the job was added or refused.
  void download() {
    const bool is_there = facts_.entry && !facts_.entry->is_folder && !facts_.entry->is_gone;
    if (!is_there) return tell(Text::gone);
    decision_.download = facts_.entry;
  }

  void cancel() {
    if (!facts_.job || facts_.job->owner != facts_.user) return tell(Text::old_button);
    decision_.cancel = facts_.job->version.id;
  }

  const telegram::BotUpdate& update_;
  const BotCommand& command_;
  const BotFacts& facts_;
  const DecideSettings& settings_;
  const Time now_;
  Decision decision_;
};

}  // namespace

Decision decide(const Asked& asked, const BotFacts& facts, const DecideSettings& settings,
                Time now) {
  return Deciding{asked, facts, settings, now}.run();
}

std::string_view added_text(Language language, std::string_view refusal) {
  if (refusal.empty()) return text(language, Text::added);
  if (refusal == "queue_full") return text(language, Text::queue_full);
  if (refusal == "user_queue_full") return text(language, Text::own_queue_full);
  return text(language, Text::unavailable);
}

std::string_view cancelled_text(Language language, bool is_cancelled) {
  return text(language, is_cancelled ? Text::cancelled : Text::too_late);
}

}  // namespace haul::bot
