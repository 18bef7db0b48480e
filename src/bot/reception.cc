#include "bot/reception.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensured.h"
#include "base/json.h"
#include "bot/label.h"
#include "lifecycle/tables.h"

namespace haul::bot {
namespace {

using Kind = BotCommand::Kind;
using Verb = Press::Verb;

constexpr std::size_t kRequestsMax = 20;
constexpr std::size_t kEndedMax = 100;
constexpr std::chrono::hours kWarnBefore{24};
constexpr std::chrono::hours kAuditEvery{1};

std::string relay_request(UserId user, std::int64_t chat, const std::string& path,
                          const std::string& nonce) {
  return fmt::format(R"({{"chat_id":"{}","file_id":{},"nonce":{},"user_id":"{}"}})", chat,
                     json_quoted(path), json_quoted(nonce), user.value);
}

bool is_press(const BotCommand& command, Verb verb) {
  return command.kind == Kind::press && command.press.verb == verb;
}

}  // namespace

std::string user_name_of(std::int64_t guest) { return fmt::format("telegram:{}", guest); }

Received Reception::handle(const telegram::BotUpdate& update) {
  const BotCommand command = read_command(update);
  if (command.kind == Kind::none) return {};
  const Time now = clock_.now();
  const BotFacts facts = load(update, command);
  Decision decision = decide({update, command}, facts, settings_.decide, now);
  Received received{.calls = std::move(decision.calls), .refresh = decision.refresh};
  if (decision.query && facts.guest) store_.bot().guests().keep_query(update.from, *decision.query);
  if (decision.change && change(*decision.change))
    std::ranges::move(decision.change->then, std::back_inserter(received.calls));
  if (decision.download) add_job(update, facts, *decision.download, received.calls);
  if (decision.cancel) {
    const bool is_cancelled = flow::cancel(store_, decision.cancel, now).moved;
    received.calls.push_back(
        answer_click(update.callback, cancelled_text(facts.language, is_cancelled)));
  }
  if (decision.is_denied) audit_denied(update.from, facts.guest ? facts.guest->user : UserId{});
  return received;
}

void Reception::audit_denied(std::int64_t from, UserId user) {
  const Steady now = clock_.steady();
  std::erase_if(audited_, [&](const auto& each) { return now - each.second >= kAuditEvery; });
  if (audited_.size() >= settings_.guests_max || !audited_.try_emplace(from, now).second) return;
  store_.ledger().audit(user, {}, "BOT_DENIED", "an administrator's command", clock_.now());
}

BotFacts Reception::load(const telegram::BotUpdate& update, const BotCommand& command) {
  BotGuests& guests = store_.bot().guests();
  StandingFacts known{
      .is_admin = settings_.decide.admin != 0 && update.from == settings_.decide.admin,
      .guest = guests.find(update.from)};
  if (!known.guest) {
    guests.add({.id = update.from,
                .name = update.name,
                .language = update.language,
                .changed_at = clock_.now()},
               settings_.guests_max);
    known.guest = guests.find(update.from);
  }
  if (known.guest && known.guest->user) known.user = store_.users().find(known.guest->user);
  BotFacts facts{.standing = standing_of(known, clock_.now()),
                 .language = language_of(update.language),
                 .guest = known.guest};
  if (is_press(command, Verb::ask_access))
    facts.admin_language = language_of_guest(guests, settings_.decide.admin);
  if (!has_access(facts.standing)) return facts;
  facts.user = facts.standing == Standing::admin ? kAdmin : known.guest->user;
  load_catalogue(command, facts);
  if (facts.standing == Standing::admin) load_admin(command, facts);
  return facts;
}

void Reception::load_catalogue(const BotCommand& command, BotFacts& facts) {
  BotCatalogue& catalogue = store_.bot().catalogue();
  EntryId entry;
  if (command.kind == Kind::start || is_press(command, Verb::home)) entry = catalogue.root();
  if (is_press(command, Verb::open) || is_press(command, Verb::download))
    entry.value = command.press.id;
  if (entry) facts.entry = catalogue.find(entry);
  if (facts.entry && facts.entry->is_folder)
    facts.page = catalogue.children(entry, range_of(command.press.page));
  if (command.kind == Kind::search)
    facts.page = catalogue.search(folded(command.query), range_of(0));
  if (is_press(command, Verb::found) && facts.guest)
    facts.page = catalogue.search(folded(facts.guest->query), range_of(command.press.page));
  if (is_press(command, Verb::cancel)) facts.job = store_.reader().find(JobId{command.press.id});
}

void Reception::load_admin(const BotCommand& command, BotFacts& facts) {
  BotGuests& guests = store_.bot().guests();
  if (is_press(command, Verb::approve) || is_press(command, Verb::deny))
    facts.other = guests.find(command.press.id);
  if (command.kind == Kind::requests)
    facts.waiting = guests.list(GuestState::pending, 0, kRequestsMax);
  if (command.kind == Kind::status) facts.status = status_of(store_, clock_.now(), settings_.lease);
}

// The user of haul follows the guest: ACTIVE as long as the guest has access. So a relay that waits
// in the queue starts only if its user still has access then (S3-3).
bool Reception::change(const GuestChange& change) {
  const Time now = clock_.now();
  BotGuest to = change.to;
  const bool is_active = to.state == GuestState::active;
  if (is_active && !to.user) {
    const std::string name = user_name_of(to.id);
    const auto added = store_.users().add(name, Role::adder, now);
    const auto user = added ? std::optional{*added} : store_.users().find(name);
    if (!user) return false;
    to.user = user->id;
  }
  if (to.user)
    if (const auto user = store_.users().find(to.user)) {
      const UserStatus status = is_active ? UserStatus::active : UserStatus::blocked;
      if (user->status != status) (void)store_.users().set(user->id, status, user->role);
    }
  if (!store_.bot().guests().change(to, change.seen, now)) return false;
  audit_decided(to);
  return true;
}

// Only the administrator's decision leads to these two states.
void Reception::audit_decided(const BotGuest& guest) {
  const bool is_approved = guest.state == GuestState::active;
  if (!is_approved && guest.state != GuestState::blocked) return;
  std::string detail = fmt::format("guest {}", guest.id);
  if (guest.user) detail += fmt::format(", user {}", guest.user.value);
  store_.ledger().audit(kAdmin, {}, is_approved ? "BOT_GUEST_APPROVED" : "BOT_GUEST_BLOCKED",
                        detail, clock_.now());
}

void Reception::add_job(const telegram::BotUpdate& update, const BotFacts& facts,
                        const BotEntry& file, std::vector<OutCall>& calls) {
  const auto added =
      add_({.lifecycle = &kRelay,
            .owner = facts.user,
            .request = relay_request(facts.user, update.chat, file.path, update.callback),
            // The job expires with the guest's access. An admin's access never ends.
            .expires_at = facts.standing == Standing::admin ? std::nullopt : facts.guest->until},
           clock_.now());
  calls.push_back(
      answer_click(update.callback, added_text(facts.language, added ? "" : added.error().code)));
  if (!added || update.message == 0) return;
  store_.bot().posts().put({.job = added->id,
                            .chat = update.chat,
                            .message = update.message,
                            .entry = file.id,
                            .language = update.language});
}

std::vector<OutCall> Reception::end_access() {
  std::vector<OutCall> calls;
  for (const BotGuest& guest : store_.bot().guests().ended(clock_.now(), kEndedMax)) {
    GuestChange over{.to = guest, .seen = GuestState::active};
    over.to.state = GuestState::expired;
    over.to.until = std::nullopt;
    if (!change(over)) continue;
    const Language language = language_of(guest.language);
    calls.push_back(send_screen(
        guest.id, {std::string{text(language, Text::access_over)},
                   {{{std::string{text(language, Text::ask_access)}, {Verb::ask_access, 0, 0}}}}}));
  }
  return calls;
}

// Writes the warning down first: a guest gets it once, or not at all if the process ends now.
std::vector<OutCall> Reception::warn_of_end() {
  std::vector<OutCall> calls;
  BotGuests& guests = store_.bot().guests();
  const Time now = clock_.now();
  for (const BotGuest& guest : guests.unwarned(now + kWarnBefore, kEndedMax)) {
    const Time until = ensured(guest.until, "only a guest whose access ends is warned");
    const bool is_long = until - guest.changed_at > kWarnBefore;
    if (!guests.warn(guest.id, until) || !is_long || until <= now) continue;
    const auto hours = std::chrono::ceil<std::chrono::hours>(until - now).count();
    const std::string_view words = text(language_of(guest.language), Text::access_ends);
    calls.push_back(send_screen(guest.id, {fmt::format(fmt::runtime(words), hours)}));
  }
  return calls;
}

}  // namespace haul::bot
