#include "flow/relay/relay.h"

#include <utility>

#include "base/ensure.h"
#include "base/ensured.h"
#include "base/planted_bug.h"
#include "flow/relay/disk_file.h"
#include "flow/relay/judge.h"
#include "flow/worker/answer.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr const char* kSend = "chat_send";
constexpr const char* kStale = "stale_file_id";
constexpr const char* kWholeFirst = R"({"whole_first":true})";  // To the disk, in its order.
constexpr std::string_view kKnownAs = "telegram:";  // Begins the path of a file that it has.

// The disk may read while the chat sends. A side that has ended keeps its state until the next
// read: after a store fault the worker shows the handler the same sight again.
struct Relaying final : HandlerState {
  enum class Disk : std::uint8_t {
    idle,
    asked,  // It has read nothing yet.
    reads,
    done,    // It has read the whole file.
    failed,  // Or it has stopped.
  } disk = Disk::idle;
  enum class Chat : std::uint8_t {
    idle,
    sends,
    stops,  // It was told to stop, and has not said what became of the message.
    ended,  // It has said so.
  } chat = Chat::idle;

  SendStep allowed = SendStep::send;
  bool whole_first = false;              // The disk reads the whole file before the chat gets any.
  std::int64_t read = 0;                 // Counts reads. Sights of an earlier one do not count.
  int waits = 0;                         // How often the chat asked for a wait.
  std::optional<Failed> disk_failure{};  // Waits until the chat reports, which sends meanwhile.
  DiskFile file{};                       // What the disk said about it, once it has.
  std::string fingerprint{};             // Of its content. Empty if that is not known.
  std::string known_as{};                // S3-22: the chat server's name for it, if it has it.
  bool is_stale = false;                 // The server did not know it by its name.
  Steady sends_since{};
  std::int64_t sent = 0;  // Bytes.
  bool is_sent = false;   // The chat has the message, and so nothing of the disk is left.

  bool is_reading() const { return disk == Disk::asked || disk == Disk::reads; }
  bool is_sending() const { return chat == Chat::sends || chat == Chat::stops; }
  BytesRead bytes() const {
    return disk == Disk::reads || disk == Disk::done ? BytesRead::some : BytesRead::none;
  }
};

using Disk = Relaying::Disk;
using Chat = Relaying::Chat;

Relaying& state_of(const Held& held) {
  ensure(held.own != nullptr, "a handler knows the jobs that it has begun");
  return static_cast<Relaying&>(*held.own);
}

IntentState outcome_of(const Failed& failed) {
  return failed.outcome_unknown ? IntentState::unknown : IntentState::failed;
}

// haul can neither undo a send nor ask whether it happened, so it writes an intent before the send
// and reads the intent first after a crash.
class RelayHandler final : public Handler {
 public:
  RelayHandler(Desk& desk, RemoteEngine& disk, Sink& chat, const RelaySettings& settings)
      : desk_{desk}, disk_{disk}, chat_{chat}, settings_{settings} {}

  const Lifecycle& lifecycle() const override { return kRelay; }

  void begin(Held& held) override {
    held.own = std::make_unique<Relaying>();
    const EarlierSend earlier = recall(held);
    const SendStep step = judge_send(earlier, settings_.on_unknown);
    state_of(held).allowed = step;
    state_of(held).whole_first = reads_whole_first(earlier);
    switch (step) {
      case SendStep::send:
      case SendStep::send_again:
        return go_on(held);
      case SendStep::acknowledge:
        return acknowledge(held,
                           ensured(earlier.send, "only a send that was made is acknowledged"));
      case SendStep::pause:
        return pause(held);
      case SendStep::give_up:
        return give_up(held);
    }
  }

  // The chat has taken the bytes that the disk gave, so the file is read anew.
  void again(Held& held) override { go_on(held); }

  void see(Held& held, Sight& sight) override {
    ensure(sight.fence == held.job.version.fence, "a sight of a held job is of its lease");
    if (held.again_at) return;                 // Late or repeated: nothing goes on.
    const bool is_of_chat = sight.start == 0;  // A parcel has no start.
    if (is_of_chat)
      see_chat(held, sight.what);
    else if (sight.start == state_of(held).read)
      see_disk(held, sight.what);
  }

  void stop(Held& held, Leftovers leftovers) override {
    if (!held.own) return;
    stop_disk(held, leftovers);
    stop_chat(held);
  }

  bool is_at_rest(const Held& held) const override {
    return !state_of(held).is_reading() && !state_of(held).is_sending();
  }

  // Promise 3: only the chat knows whether the message was sent.
  bool needs_answer(const Held& held) const override { return state_of(held).is_sending(); }

  // S3-24: the disk may be silent for a while, and a send has one deadline by its size.
  std::vector<Awaited> awaited(const Held& held) const override {
    if (is_at_rest(held)) return {};
    const Relaying& state = state_of(held);
    if (!needs_answer(held)) return {{.heard = held.heard, .start = state.read}};
    return {{.heard = state.sends_since + longer_than_least(state.file.size)}};
  }

  std::optional<TransferView> transfer(const Held& held) const override {
    if (!held.own || is_at_rest(held)) return std::nullopt;
    const Relaying& state = state_of(held);
    TransferView view;
    view.path = state.file.name;
    view.have = state.sent;
    view.received = state.sent;
    view.size = state.file.size;
    return view;
  }

 private:
  // What earlier workers left. The outcome of a send whose worker was lost is unknown from now on.
  EarlierSend recall(Held& held) {
    const JobId id = held.job.version.id;
    EarlierSend earlier{.send = desk_.store.intents().newest(id, kSend), .pause = {}};
    if (earlier.send && earlier.send->state == IntentState::open) {
      held.intent = earlier.send->id;
      desk_.settle(held, IntentState::unknown, "the worker was lost before the answer");
    } else if (earlier.send && earlier.send->state == IntentState::unknown) {
      earlier.pause = desk_.store.intents().newest(id, kPauseIntent);
    }
    return earlier;
  }

  // An earlier worker stored the chat's answer, and was lost before the moves.
  void acknowledge(Held& held, const Intent& send) {
    desk_.ask(held.job, judge_sent(held.job, send.outcome, fingerprint_in(send.data)), {},
              fail_if_refused(held.job.version.id));
  }

  void go_on(Held& held) {
    const JobId id = held.job.version.id;
    switch (judge_step(held.job.state().step, state_of(held).bytes())) {
      case RelayAct::start:
        return start(held);
      case RelayAct::read:
        return read(held);
      case RelayAct::stream:
        return desk_.ask(held.job, {.moves = {{.on = On::stream}}}, then_go_on(id));
      case RelayAct::send:
        return send(held);
      case RelayAct::none:
        return desk_.drop(id);
    }
  }

  // Goes on once a move is granted, unless the job has left the desk or is to stop by then.
  Desk::Then then_go_on(JobId id) {
    return [this, id](const JobVersion&) {
      const auto found = desk_.held.find(id);
      if (found != desk_.held.end() && !found->second.stopping) go_on(found->second);
    };
  }

  Desk::Otherwise fail_if_refused(JobId id) {
    return [this, id](const Refusal& why) {
      const auto found = desk_.held.find(id);
      if (found == desk_.held.end()) return;
      const auto fault = judge_refusal(why);
      if (!fault) return desk_.give_back(found->second.job, why);
      desk_.ask(found->second.job, answer_final(found->second.job, *fault));
    };
  }

  // Z-27: the event says that haul sends a second message.
  void start(Held& held) {
    const JobId id = held.job.version.id;
    WantedMove move{.on = On::start};
    if (state_of(held).allowed == SendStep::send_again) {
      move.reason = kDeliveryUnknown;
      move.detail = "an earlier message may have arrived; haul sends it again";
    }
    desk_.ask(held.job, {.moves = {std::move(move)}}, then_go_on(id), fail_if_refused(id));
  }

  void read(Held& held) {
    Relaying& state = state_of(held);
    state.disk = Disk::asked;
    state.chat = Chat::idle;
    state.sent = 0;
    ++state.read;
    disk_.start(disk_order(held), desk_.inbox);
  }

  void send(Held& held) {
    if (planted(PlantedBug::effect_before_intent)) chat_.land(parcel(held), desk_.inbox);
    Relaying& state = state_of(held);
    if (!desk_.begin(held, {.kind = kSend, .data = send_data(state.fingerprint)}))
      return desk_.drop(held.job.version.id);
    state.chat = Chat::sends;
    state.sends_since = desk_.clock.steady();
    ensure(held.intent.has_value(), "the intent of a send is written before the send");
    if (!planted(PlantedBug::effect_before_intent)) chat_.land(parcel(held), desk_.inbox);
  }

  void see_disk(Held& held, const What& what) {
    Relaying& state = state_of(held);
    if (state.disk == Disk::done) return;  // Late or repeated.
    if (const auto* failed = std::get_if<Failed>(&what)) return see_disk_failed(held, *failed);
    if (!state.is_reading()) return;
    const bool is_first = state.disk == Disk::asked;
    if (std::holds_alternative<Stopped>(what) && held.stopping)
      state.disk = Disk::failed;
    else if (std::holds_alternative<Finished>(what))
      state.disk = Disk::done;
    else if (const auto* moving = std::get_if<Moving>(&what))
      see_reading(held, *moving);
    if (is_first && state.bytes() == BytesRead::some && !held.stopping) {
      see_answer(RelaySide::disk);
      go_on(held);
    }
  }

  // S3-22: a file that the chat's server has is not read further.
  void see_reading(Held& held, const Moving& moving) {
    Relaying& state = state_of(held);
    const bool is_first = state.disk == Disk::asked;
    if (is_first && !held.stopping) look_up(state, moving);
    if (!state.known_as.empty()) stop_disk(held);
    state.disk = state.known_as.empty() ? Disk::reads : Disk::done;
  }

  void look_up(Relaying& state, const Moving& moving) {
    state.file = read_disk_file(moving.checkpoint);
    if (!state.file.size) state.file.size = moving.size;
    state.fingerprint = fingerprint_of(state.file, settings_.sender);
    if (state.fingerprint.empty() || state.is_stale) return;
    state.known_as = desk_.store.deliveries().find(state.fingerprint).value_or("");
  }

  // A chat that sends may have the whole message by now. Only its own answer tells.
  void see_disk_failed(Held& held, const Failed& failed) {
    Relaying& state = state_of(held);
    if (failed.outcome_unknown && !held.stopping) stop_disk(held);  // It may still read.
    state.disk = Disk::failed;
    if (!state.is_sending()) return end_try(held, {.cause = failed});
    if (held.stopping) return;
    state.disk_failure = failed;
    stop_chat(held);
  }

  void see_chat(Held& held, const What& what) {
    Relaying& state = state_of(held);
    if (state.chat == Chat::idle) return;
    if (const auto* sent = std::get_if<Sent>(&what)) {
      state.chat = Chat::ended;
      state.is_sent = true;
      state.disk = Disk::done;  // The chat has all that the disk has read.
      see_answer(RelaySide::chat);
      desk_.settle(held, IntentState::done, sent->ack);
      desk_.ask(held.job, judge_sent(held.job, sent->ack, state.fingerprint));
    } else if (const auto* moving = std::get_if<Moving>(&what)) {
      state.sent = moving->have;
    } else if (const auto* failed = std::get_if<Failed>(&what)) {
      if (failed->outcome_unknown) stop_chat(held);  // It may still send.
      if (!state.known_as.empty() && failed->fault.code == kStale) return upload_instead(held);
      end_send(held, *failed);
    } else if (std::holds_alternative<Stopped>(what) && state.chat != Chat::sends) {
      end_send(held, {.fault = {FaultKind::cancelled, "stopped", ""}});
    }
  }

  // S3-22: the chat's server does not know the file any more, and has sent nothing. haul reads it
  // anew. This counts no attempt.
  void upload_instead(Held& held) {
    Relaying& state = state_of(held);
    desk_.store.deliveries().forget({state.fingerprint, state.known_as});
    desk_.settle(held, IntentState::failed, kStale);
    state.chat = Chat::ended;
    state.disk = Disk::idle;
    state.known_as.clear();
    state.is_stale = true;
    if (!held.stopping) go_on(held);
  }

  // The chat says that it has not sent the message, or that it does not know.
  void end_send(Held& held, const Failed& failed) {
    Relaying& state = state_of(held);
    state.chat = Chat::ended;
    desk_.settle(held, outcome_of(failed),
                 state.disk_failure ? kSourceBroke : failed.fault.code.c_str());
    const RelaySide side = state.disk_failure ? RelaySide::disk : RelaySide::chat;
    const Failed cause = state.disk_failure.value_or(failed);
    end_try(held, {.cause = cause, .side = side, .send = outcome_of(failed), .waits = state.waits});
  }

  void end_try(Held& held, const FailedTry& failed) {
    if (held.stopping) return;  // The stop is its answer.
    const bool is_chats = failed.side == RelaySide::chat;
    see_service(failed.side, is_chats ? fault_of(failed) : failed.cause.fault);
    switch (judge_failure(failed, settings_.on_unknown)) {
      case TryEnd::answer:
        return answer_failure(held, failed);
      case TryEnd::wait:
        return wait(held, failed.cause);
      case TryEnd::release:  // The desk stops the disk's read.
        return desk_.release(held.job, failed.cause.fault.code, Millis{failed.cause.wait_ms},
                             failed.cause.fault.detail);
      case TryEnd::pause:
        return pause(held);
      case TryEnd::give_up:
        return give_up(held);
    }
  }

  void answer_failure(Held& held, const FailedTry& failed) {
    Verdict verdict = answer(held.job, fault_of(failed), desk_.settings, desk_.random.chance(),
                             Millis{failed.cause.wait_ms});
    if (failed.send == IntentState::unknown) verdict = flag_unknown(std::move(verdict));
    desk_.ask(held.job, verdict);
  }

  // Z-14: a disk or a chat that refuses haul itself refuses it for all relays.
  void see_service(RelaySide side, const Fault& fault) {
    if (fault.kind == FaultKind::permanent) see_answer(side);
    if (fault.kind != FaultKind::environment) return;
    holds_ = side;
    desk_.hold_service(lifecycle(), fault);
  }
  void see_answer(RelaySide side) {
    if (holds_ != side) return;
    holds_.reset();
    desk_.release_service(lifecycle());
  }

  void wait(Held& held, const Failed& failed) {
    stop_disk(held);
    state_of(held).disk = Disk::idle;
    ++state_of(held).waits;
    desk_.wait(held, failed.fault.code, Millis{failed.wait_ms}, failed.fault.detail);
  }

  // Writes the intent of a pause first: if this worker is lost meanwhile, the next one grants it.
  void pause(Held& held) {
    const JobId id = held.job.version.id;
    const auto intent = desk_.store.intents().record(
        id, {.kind = kPauseIntent, .data = kDeliveryUnknown}, desk_.now());
    if (!intent) return desk_.drop(id);
    const Release back{.version = held.job.version,
                       .worker = desk_.worker,
                       .reason = kDeliveryUnknown,
                       .due_at = {},
                       .detail = "the message may have arrived; resume the job to send it again",
                       .pause = intent->id};
    desk_.store.jobs().release({&back, 1}, desk_.now());
    desk_.drop(id);
  }

  void give_up(Held& held) {
    desk_.ask(held.job, answer_final(held.job, {FaultKind::permanent, kDeliveryUnknown,
                                                "the message may have arrived"}));
  }

  // Also if it has read the whole file: unless the chat sends, the stream may wait untaken.
  void stop_disk(Held& held, Leftovers leftovers = Leftovers::keep) {
    const Relaying& state = state_of(held);
    const bool is_offered = state.disk == Disk::done && !state.is_sending() && !state.is_sent;
    if (state.is_reading() || is_offered) disk_.stop(disk_order(held), leftovers, desk_.inbox);
  }

  void stop_chat(Held& held) {
    if (state_of(held).chat != Chat::sends) return;
    state_of(held).chat = Chat::stops;
    chat_.stop(parcel(held), desk_.inbox);
  }

  // Order::start tells the disk's sights from those of the chat, which carry none.
  Order disk_order(const Held& held) const {
    Order order = desk_.order(held);
    order.start = state_of(held).read;
    if (state_of(held).whole_first) order.checkpoint = kWholeFirst;
    return order;
  }

  static Parcel parcel(const Held& held) {
    const Relaying& state = state_of(held);
    return {.job = held.job.version.id,
            .fence = held.job.version.fence,
            .request = held.request,
            .path = state.known_as.empty() ? std::string{} : std::string{kKnownAs} + state.known_as,
            .size = state.file.size.value_or(0)};
  }

  Desk& desk_;
  RemoteEngine& disk_;
  Sink& chat_;
  const RelaySettings settings_;
  std::optional<RelaySide> holds_;  // Because of which all relays wait.
};

}  // namespace

LifecycleWork relay_work(RemoteEngine& disk, Sink& chat, const RelaySettings& settings) {
  return {.lifecycle = &kRelay,
          .make_handler =
              [&disk, &chat, settings](Desk& desk) {
                return std::make_unique<RelayHandler>(desk, disk, chat, settings);
              },
          .not_ready =
              [&disk, &chat](std::string_view) {
                return both_not_ready(disk.not_ready({}), chat.not_ready());
              },
          .quota = settings.quota,
          .limits = settings.limits,
          .expires_after = settings.expires_after};
}

}  // namespace haul::flow
