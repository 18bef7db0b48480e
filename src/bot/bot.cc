#include "bot/bot.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include "base/ensured.h"

namespace haul::bot {
namespace {

constexpr Millis kShowEvery{1'000};
constexpr Millis kHouseEvery{60'000};
constexpr Millis kSyncAgain{60'000};     // After a listing that was not whole.
constexpr Millis kConflictWait{10'000};  // Another program polls for this bot.
constexpr Millis kRefusedWait{60'000};
constexpr Millis kPollsApart{1'000};
constexpr Millis kFaultWaitMax{30'000};
constexpr Millis kAnswerSpare{10'000};         // For the answer to a poll, beyond the poll itself.
constexpr std::chrono::hours kRemembered{72};  // Telegram delivers again for 24 hours.
constexpr std::size_t kPruneMax = 1'000;
constexpr std::size_t kAnswerMax = std::size_t{8} << 20U;
constexpr std::size_t kUpdateMax = std::size_t{64} << 20U;  // Of an answer with one update.
constexpr Millis kWaitLeast{10};  // Nothing is sent while the store is restored.
constexpr const char* kTooLong = "too_long";

}  // namespace

void Bot::Mailbox::put(Letter letter) {
  const Lock lock{mutex};
  letters.push_back(std::move(letter));
  came.notify_all();
}

std::deque<Bot::Letter> Bot::Mailbox::take() {
  const Lock lock{mutex};
  return std::exchange(letters, {});
}

Bot::Bot(BotParts parts, BotSettings settings)
    : parts_{std::move(parts)},
      settings_{std::move(settings)},
      api_{std::make_shared<std::unique_ptr<telegram::BotApi>>()},
      reception_{parts_.store,
                 parts_.clock,
                 parts_.add,
                 {.decide = {.admin = settings_.admin, .access_for = settings_.access_for},
                  .lease = settings_.lease}},
      progress_{parts_.store, parts_.clock, parts_.bytes, {.admin = settings_.admin}},
      sync_{parts_.store.bot().catalogue(), settings_.root} {}

Bot::~Bot() {
  // Open calls end on the loop's thread.
  std::promise<void> ended;
  parts_.loop.post([this, &ended] {
    api_->reset();
    ended.set_value();
  });
  ended.get_future().wait();
}

void Bot::call(const telegram::BotCall& call, std::function<Letter(telegram::BotReply)> as_letter) {
  parts_.loop.post([api = api_, &loop = parts_.loop, access = settings_.access, call, mail = mail_,
                    as_letter = std::move(as_letter)] {
    if (!*api) *api = std::make_unique<telegram::BotApi>(loop, access);
    (*api)->call(call, [mail, as_letter](telegram::BotReply reply) {
      mail->put(as_letter(std::move(reply)));
    });
  });
}

void Bot::tick() {
  std::ranges::move(mail_->take(), std::back_inserter(letters_));
  while (!letters_.empty()) {
    // Taken out first: if the store fails now, the next tick goes on with the others.
    const Letter letter = std::move(letters_.front());
    letters_.pop_front();
    std::visit([this](const auto& each) { see(each); }, letter);
  }
  if (parts_.store.identity().is_restored()) return;
  const Steady now = parts_.clock.steady();
  if (now >= house_at_) {
    house_at_ = now + kHouseEvery;
    keep_house();
  }
  if (now >= show_at_) {
    show_at_ = now + kShowEvery;
    progress_.show(outbox_);
    see_hold();
  }
  poll();
  list();
  send();
}

void Bot::wait(Millis at_most) {
  if (const auto due = outbox_.due())
    at_most = std::min(at_most, std::max(*due - parts_.clock.steady(), kWaitLeast));
  const Lock lock{mail_->mutex};
  mail_->came.wait_for(mail_->mutex, at_most,
                       [this]() REQUIRES(mail_->mutex) { return !mail_->letters.empty(); });
}

void Bot::poll() {
  if (is_polling_ || parts_.clock.steady() < poll_at_) return;
  // The offset confirms all updates below it, so it comes from what is stored as handled. If the
  // store fails now, the next tick polls.
  const std::int64_t offset = parts_.store.bot().updates().next(parts_.clock.now() - kRemembered);
  is_polling_ = true;
  polled_at_ = parts_.clock.steady();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(settings_.poll_for).count();
  const std::string from = offset > 0 ? fmt::format(R"("offset":{},)", offset) : "";
  call({.method = "getUpdates",
        .body = fmt::format(R"({{{}"limit":{},"timeout":{},)"
                            R"("allowed_updates":["message","callback_query"]}})",
                            from, poll_limit_, seconds),
        .within = settings_.poll_for + kAnswerSpare,
        .answer_max = poll_limit_ > 1 ? kAnswerMax : kUpdateMax},
       [](telegram::BotReply reply) { return Letter{PollReply{std::move(reply)}}; });
}

void Bot::see(const PollReply& poll) {
  is_polling_ = false;
  if (!poll.reply) return see_poll_fault(poll.reply.error());
  const auto updates = telegram::read_updates(*poll.reply);
  if (!updates) return see_poll_fault({.fault = updates.error()});
  poll_faults_ = 0;
  poll_limit_ = std::min(2 * poll_limit_, kPollLimit);
  // A server that does not hold an empty answer back is not asked more often than this.
  if (updates->empty()) poll_at_ = polled_at_ + kPollsApart;
  if (!std::exchange(trouble_, "").empty()) parts_.say({.event = "bot_polls_again"});
  for (const telegram::BotUpdate& update : *updates) {
    if (parts_.store.bot().updates().is_handled(update.id)) continue;
    if (!parts_.may_go_on() || parts_.store.identity().is_restored()) return;
    handle(update);
  }
}

void Bot::see_poll_fault(const telegram::ChatFault& fault) {
  if (fault.fault.code == kTooLong && see_too_long()) return;
  ++poll_faults_;
  Millis wait = std::min(Millis{1'000} * (1 << std::min(poll_faults_, 5)), kFaultWaitMax);
  if (fault.fault.code == telegram::kChatConflict) wait = kConflictWait;
  if (fault.fault.kind == FaultKind::environment) wait = kRefusedWait;
  poll_at_ = parts_.clock.steady() + std::max(wait, fault.wait);
  if (std::exchange(trouble_, fault.fault.code) != fault.fault.code)
    parts_.say(
        {true, "bot_cannot_poll", fmt::format("{}: {}", fault.fault.code, fault.fault.detail)});
}

// Asks for fewer updates at once. One that is too long alone would end all polls, so it is skipped;
// while no update was handled yet, its id is not known.
bool Bot::see_too_long() {
  if (poll_limit_ > 1) {
    poll_limit_ = std::max(poll_limit_ / 4, 1);
    parts_.say({true, "bot_updates_too_long", fmt::format("asks for {} at once", poll_limit_)});
    return true;
  }
  const std::int64_t id = parts_.store.bot().updates().next(parts_.clock.now() - kRemembered);
  if (id == 0) return false;
  parts_.store.bot().updates().handled(id, parts_.clock.now());
  parts_.say({true, "bot_update_skipped", fmt::format("update {} is too long", id)});
  poll_at_ = parts_.clock.steady() + kPollsApart;
  return true;
}

void Bot::handle(const telegram::BotUpdate& update) {
  if (update.is_unreadable)
    parts_.say({true, "bot_update_skipped", fmt::format("update {} cannot be read", update.id)});
  Received received = reception_.handle(update);
  // From here on the update is not handled again. Its effects are stored; of its messages, those
  // that wait in memory are lost if the process ends now.
  parts_.store.bot().updates().handled(update.id, parts_.clock.now());
  put_out(std::move(received.calls));
  if (received.refresh) sync_at_ = {};
}

void Bot::put_out(std::vector<OutCall> calls) {
  for (OutCall& each : calls)
    if (!outbox_.add(std::move(each))) parts_.say({true, "bot_outbox_full"});
}

void Bot::send() {
  while (const auto due = outbox_.next(parts_.clock.steady()))
    call(due->call, [number = due->number](telegram::BotReply reply) {
      return Letter{SendReply{number, std::move(reply)}};
    });
}

void Bot::see(const SendReply& sent) {
  const OutboxEnd end = outbox_.settle(sent.number, sent.reply, parts_.clock.steady());
  if (end.job) progress_.see(end, outbox_);
  const bool is_usual = end.fault.code == telegram::kLateAnswer ||
                        end.fault.code == telegram::kFloodWait ||
                        end.fault.code == telegram::kChatBlocked;
  if (end.is == OutboxEnd::Is::unknown)
    parts_.say({true, "bot_message_unknown", end.fault.code});
  else if (end.is == OutboxEnd::Is::failed && !is_usual)
    parts_.say(
        {true, "bot_message_failed", fmt::format("{}: {}", end.fault.code, end.fault.detail)});
}

void Bot::list() {
  if (is_listing_) return;
  const Steady now = parts_.clock.steady();
  if (!sync_.is_running()) {
    if (now < sync_at_) return;
    sync_at_ = now + settings_.sync_every;
    sync_.begin(parts_.clock.now());
  }
  is_listing_ = true;
  parts_.list(ensured(sync_.next(), "a running round has a next page"),
              [mail = mail_](Result<ListedPage> page) { mail->put(ListReply{std::move(page)}); });
}

void Bot::see(const ListReply& listed) {
  is_listing_ = false;
  const auto end = sync_.see(listed.page, parts_.clock.now());
  if (!end) return;
  if (end->is_whole)
    return parts_.say({.event = "bot_catalogue_listed",
                       .detail = fmt::format("{} entries, {} gone", end->entries, end->gone)});
  if (end->may_pass) sync_at_ = parts_.clock.steady() + kSyncAgain;
  parts_.say({true, "bot_catalogue_incomplete",
              end->folder.empty() ? end->why : fmt::format("{}: {}", end->why, end->folder)});
}

void Bot::keep_house() {
  put_out(reception_.end_access());
  put_out(reception_.warn_of_end());
  parts_.store.bot().updates().prune(parts_.clock.now() - kRemembered, kPruneMax);
}

void Bot::see_hold() {
  const auto fault = parts_.held_by();
  const std::string code = fault ? fault->code : "";
  if (std::exchange(hold_, code) == code || !fault || settings_.admin == 0) return;
  const Language language = language_of_guest(parts_.store.bot().guests(), settings_.admin);
  const std::string_view words = text(language, Text::alert_held);
  const std::string why = fmt::format("{}: {}", code, fault->detail);
  put_out({send_screen(settings_.admin, {fmt::format(fmt::runtime(words), why)})});
}

}  // namespace haul::bot
