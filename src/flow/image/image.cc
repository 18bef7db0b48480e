#include "flow/image/image.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/json.h"
#include "flow/image/judge.h"
#include "flow/image/prompt_guard.h"
#include "flow/worker/answer.h"
#include "flow/worker/lived.h"
#include "lifecycle/request.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

constexpr const char* kCall = "paid_call";
constexpr const char* kUnknown = "outcome_unknown";
// What an image needs. While one of them cannot be used, all images wait.
constexpr std::string_view kProvider = "provider";
constexpr std::string_view kBucket = "bucket";

struct Generating final : HandlerState {
  // An answer that is here stays in the state: after a store fault the worker shows the handler the
  // same sight again.
  enum class Waits : std::uint8_t {
    no,
    for_check,  // Whether the bucket can keep an image, before it is paid for.
    for_call,   // That this worker has paid for.
    for_look,   // At an earlier call, by its handle.
    for_bucket,
    check_ended,  // The bucket has said that it can keep none.
    call_ended,   // The answer about a call is here.
    landing_ended,
  } waits = Waits::no;
  Parcel image{};  // Delivered by the provider.
  bool has_asked = false;
  // How long the provider has had the call: before this worker began, and since then. As for every
  // age, only the time in which workers ran counts, so that a wrong clock ends no call. A trouble
  // of this machine begins it anew; a worker that comes later counts from the call on.
  Millis waited_before{0};
  Steady since{};

  bool is_at_provider() const { return waits == Waits::for_call || waits == Waits::for_look; }
  bool is_checking() const { return waits == Waits::for_check || waits == Waits::check_ended; }
  bool is_landing() const { return waits == Waits::for_bucket || waits == Waits::landing_ended; }
};

using Waits = Generating::Waits;

Generating& state_of(const Held& held) {
  ensure(held.own != nullptr, "a handler knows the jobs that it has begun");
  return static_cast<Generating&>(*held.own);
}

// The SHA-256 that the bucket has proven. Empty if it names none.
std::string checksum_in(const std::string& evidence) {
  const auto fields = read_object(evidence);
  const JsonField* sha256 = fields ? find_field(*fields, "sha256") : nullptr;
  return sha256 ? sha256->text : std::string{};
}

struct ImageOutside {
  RemoteEngine& images;
  Sink& bucket;
  ImageRules rules;
};

// haul stores the provider's handle for the call as soon as it is known, and what the provider
// delivered before it lands that. A later worker then asks for the result, or lands it, instead of
// paying again.
class ImageHandler final : public Handler {
 public:
  ImageHandler(Desk& desk, const ImageOutside& outside)
      : desk_{desk}, images_{outside.images}, bucket_{outside.bucket}, rules_{outside.rules} {}

  const Lifecycle& lifecycle() const override { return kImage; }

  void begin(Held& held) override {
    held.own = std::make_unique<Generating>();
    state_of(held).since = desk_.clock.steady();
    const JobId id = held.job.version.id;
    const CallView seen{.step = held.job.state().step,
                        .handle = held.job.handle,
                        .last = desk_.store.intents().newest(id, kCall),
                        .attempt = held.job.version.attempt};
    if (seen.last && seen.last->state == IntentState::open) held.intent = seen.last->id;
    if (seen.last)
      state_of(held).waited_before =
          lived_since(desk_.store.uptime().list(), seen.last->created_at);
    const CallVerdict verdict = judge_call(seen);
    switch (verdict.act) {
      case CallVerdict::Act::ask:
        return ask(held);
      case CallVerdict::Act::land:
        return land(held, verdict.image);
      case CallVerdict::Act::pay:
        return pay(held);
      case CallVerdict::Act::doubt:
        return doubt(held, verdict.is_counted);
      case CallVerdict::Act::none:
        return desk_.drop(id);
    }
  }

  void again(Held& held) override { ask(held); }

  void see(Held& held, Sight& sight) override {
    ensure(sight.fence == held.job.version.fence, "a sight of a held job is of its lease");
    const What& what = sight.what;
    Generating& state = state_of(held);
    if (const auto* accepted = std::get_if<Accepted>(&what)) return see_accepted(held, *accepted);
    if (state.waits == Waits::no || held.again_at) return;  // Late or repeated.
    if (const auto* failed = std::get_if<Failed>(&what)) return fail(held, *failed);
    if (std::holds_alternative<Stopped>(what)) {
      if (was_told(held)) state.waits = Waits::no;
    } else if (state.is_checking()) {
      if (std::holds_alternative<Usable>(what)) see_usable(held);
    } else if (state.is_landing()) {
      if (const auto* landed = std::get_if<Landed>(&what)) complete(held, *landed);
    } else if (const auto* finished = std::get_if<Finished>(&what)) {
      keep(held, *finished);
    } else if (state.waits != Waits::for_call || is_left_to_looks(held, what)) {
      see_look(held, what);
    }
  }

  void stop(Held& held, Leftovers leftovers) override {
    if (held.own && !needs_answer(held)) stop_all(held, leftovers);
  }

  bool is_at_rest(const Held& held) const override {
    const Generating& state = state_of(held);
    return !state.is_at_provider() && !is_at_bucket(state);
  }

  // A call without a handle cannot be found again: its answer is the only way to what was paid, and
  // the image that it brought must reach the bucket.
  bool needs_answer(const Held& held) const override {
    if (!held.own || state_of(held).waits == Waits::for_check) return false;
    return !is_at_rest(held) && held.job.handle.empty();
  }

  void abandon(Held& held) override { stop_all(held, Leftovers::keep); }

 private:
  static bool is_at_bucket(const Generating& state) {
    return state.waits == Waits::for_check || state.waits == Waits::for_bucket;
  }

  Millis waited(const Held& held) const {
    const Generating& state = state_of(held);
    return state.waited_before + (desk_.clock.steady() - state.since);
  }

  void begin_waiting(Generating& state) const {
    state.waited_before = Millis{0};
    state.since = desk_.clock.steady();
  }

  // The provider works on the accepted call: haul asks about it from now on.
  static bool is_left_to_looks(const Held& held, const What& what) {
    return !held.job.handle.empty() && !std::holds_alternative<Moving>(what);
  }

  // Whether what goes on was told to stop.
  bool was_told(const Held& held) const { return held.stopping && !needs_answer(held); }

  // A4-13: a paid call with a handle goes on, and the next worker asks for it. This one only stops
  // waiting for it.
  void stop_all(Held& held, Leftovers leftovers) {
    Generating& state = state_of(held);
    const bool goes_on = leftovers == Leftovers::keep && !held.job.handle.empty();
    if (state.is_at_provider() && goes_on)
      state.waits = Waits::no;
    else if (state.is_at_provider())
      images_.stop(desk_.order(held), leftovers, desk_.inbox);
    if (is_at_bucket(state)) bucket_.stop(state.image, desk_.inbox);
  }

  // A stop that waited for the handle is carried out now.
  void see_accepted(Held& held, const Accepted& accepted) {
    const bool had_handle = !held.job.handle.empty();
    held.job.handle = accepted.handle;
    desk_.observe(held.job, {.handle = accepted.handle});
    if (held.stopping && !had_handle) stop(held, held.stopping->leftovers);
  }

  // The provider's answer about an earlier call that is not done.
  // What is wrong with this machine is no reason to give up an image that may be paid for.
  void see_look(Held& held, const What& what) {
    const auto* unseen = std::get_if<Unseen>(&what);
    if (unseen && unseen->by_us) begin_waiting(state_of(held));
    if (std::holds_alternative<Missing>(what))
      fail(held,
           {.fault = {FaultKind::retryable, "provider_forgot", "the provider has no such call"}});
    else if (!held.stopping && waited(held) >= rules_.wait_max)
      end_late(held);
    else if (unseen)
      wait(held, unseen->code, desk_.settings.environment_wait);
    else
      wait(held, "at_work", rules_.poll);
  }

  // A call that never ends would keep its slot for ever. The provider is told to stop it; what it
  // answers to that does not matter.
  void end_late(Held& held) {
    images_.stop(desk_.order(held), Leftovers::keep, desk_.inbox);
    fail(held, {.fault = {FaultKind::retryable, "provider_too_slow",
                          "the provider did not finish within image.wait_max"}});
  }

  // A job that is being stopped begins nothing, not even a wait.
  void wait(Held& held, const std::string& reason, Millis after) {
    state_of(held).waits = held.stopping ? Waits::no : Waits::call_ended;
    if (!held.stopping) desk_.wait(held, reason, after);
  }

  // A4-13: asks for an earlier call by its handle.
  void ask(Held& held) {
    const Order order = desk_.order(held);
    state_of(held).waits = Waits::for_look;
    state_of(held).has_asked = true;
    images_.look({&order, 1}, desk_.inbox);
  }

  // Nothing is paid for that the bucket cannot keep.
  void pay(Held& held) {
    if (has_spent(held)) return give_up(held, {FaultKind::permanent, held.job.reason, {}});
    if (const auto refusal = check_prompt(rules_.prompt, held.request.text()))
      return reject(held, *refusal);
    Generating& state = state_of(held);
    state.image = {.job = held.job.version.id,
                   .fence = held.job.version.fence,
                   .request = held.request,
                   .path = {},
                   .evidence = {}};
    state.waits = Waits::for_check;
    if (bucket_.is_usable(state.image, desk_.inbox)) see_usable(held);
  }

  void see_usable(Held& held) {
    desk_.release_service(kImage, kBucket);
    if (!held.stopping) return call(held);
    state_of(held).waits = Waits::no;
  }

  // Z-21, A4-13: the intent and, if the engine chooses it, the handle are stored before the call.
  void call(Held& held) {
    const int attempt = held.job.version.attempt;
    if (!desk_.begin(held, {.kind = kCall, .data = call_data(attempt)}))
      return desk_.drop(held.job.version.id);
    begin_waiting(state_of(held));
    if (std::string handle = images_.handle_for(desk_.order(held)); !handle.empty()) {
      if (!desk_.observe(held.job, {.handle = handle})) return desk_.drop(held.job.version.id);
      held.job.handle = std::move(handle);
    }
    ensure(held.intent.has_value(), "the intent of a paid call is written before the call");
    state_of(held).waits = Waits::for_call;
    images_.start(desk_.order(held), desk_.inbox);
  }

  // A4-2: the prompt is not allowed any more. The claim has checked only images that were queued.
  void reject(Held& held, const Refusal& refusal) {
    WantedMove move{.on = On::reject, .reason = refusal.code, .detail = refusal.detail};
    describe_block(held, {FaultKind::rejected, refusal.code, refusal.detail}, move);
    move.refunds = true;  // This call was not made.
    desk_.ask(held.job, {.moves = {std::move(move)}});
  }

  // A4-13: an earlier call that has neither a handle nor an answer. It counts as a failure; haul
  // pays again only after that is recorded.
  void doubt(Held& held, bool is_counted) {
    const Fault fault{FaultKind::retryable, kUnknown,
                      "haul was stopped before the provider answered"};
    state_of(held).waits = Waits::call_ended;
    settle_unknown(held, fault.detail);
    if (rules_.on_unknown == UnknownCall::give_up) return give_up(held, fault);
    if (is_counted) return pay(held);
    answer_fault(held, {.fault = fault});
  }

  // The event says that a further call may pay for the same image again.
  void settle_unknown(Held& held, const std::string& why) {
    desk_.store.events().note(held.job.version.id, "OUTCOME_UNKNOWN",
                              fmt::format(R"({{"act":"{}","detail":{}}})", kCall, json_quoted(why)),
                              desk_.now());
    desk_.settle(held, IntentState::unknown, why);
  }

  // A4-5: whether its failures so far are all that the configuration allows.
  bool has_spent(const Held& held) const { return held.job.version.attempt >= tries_max(); }
  int tries_max() const { return std::min(rules_.retries_max, kImage.attempts_max); }

  void give_up(Held& held, const Fault& fault) {
    desk_.ask(held.job, answer_final(held.job, fault, desk_.random.chance()));
  }

  // Promise 5: writes down what was paid for before it lands.
  void keep(Held& held, const Finished& finished) {
    const PaidImage image{finished.path, finished.size, finished.evidence};
    desk_.release_service(kImage, kProvider);
    desk_.settle(held, IntentState::done, image.to_json());
    if (!was_told(held)) return land(held, image);
    state_of(held).waits = Waits::no;  // The next worker lands it.
  }

  void land(Held& held, const PaidImage& image) {
    Generating& state = state_of(held);
    state.image = {.job = held.job.version.id,
                   .fence = held.job.version.fence,
                   .request = held.request,
                   .path = image.path,
                   .size = image.size,
                   .evidence = image.evidence};
    state.waits = Waits::for_bucket;
    bucket_.land(state.image, desk_.inbox);
  }

  void complete(Held& held, const Landed& landed) {
    if (landed.files.empty())
      return fail(held,
                  {.fault = {FaultKind::retryable, "nothing_landed", "the bucket named no file"}});
    state_of(held).waits = Waits::landing_ended;
    desk_.release_service(kImage, kBucket);
    std::vector<AssetFacts> assets;
    assets.reserve(landed.files.size());
    const std::string checksum = checksum_in(landed.evidence);
    for (const PlacedFile& file : landed.files)
      assets.push_back(
          {.media_type = "image", .path = file.path, .size = file.size, .checksum = checksum});
    const std::string url = fmt::format("/api/v1/jobs/{}/result", held.job.version.id.value);
    desk_.ask(held.job, {.moves = {{.on = On::landed,
                                    .proof = {Proof::evidence, landed.evidence},
                                    .assets = std::move(assets),
                                    .result = url}}});
  }

  // If only the bucket fails, nothing is paid twice: the next worker lands the image again. If a
  // stop fails, the next worker asks for what was to be stopped.
  void fail(Held& held, const Failed& failed) {
    Generating& state = state_of(held);
    if (!is_at_rest(held) && was_told(held)) {
      state.waits = Waits::no;  // The stop is its answer.
      return;
    }
    if (failed.outcome_unknown) stop_all(held, Leftovers::keep);  // It may go on.
    if (state.is_checking()) return see_unusable(held, failed);
    if (state.is_landing()) {
      const bool is_gone = failed.fault.code == "staged_gone";
      if (is_gone && !held.job.handle.empty() && !state.has_asked) return ask(held);
      state.waits = Waits::landing_ended;
      if (failed.fault.kind == FaultKind::environment)
        desk_.hold_service(kImage, failed.fault, kBucket);
      return answer_fault(held, failed);
    }
    state.waits = Waits::call_ended;
    end_call(held, failed);
    const bool is_unknown = failed.outcome_unknown && held.job.handle.empty();
    Failed seen = failed;
    if (is_unknown && rules_.on_unknown == UnknownCall::give_up)
      return give_up(held, {FaultKind::permanent, kUnknown, failed.fault.detail});
    // A call that may have been paid is never repeated for free.
    if (is_unknown && seen.fault.kind == FaultKind::environment)
      seen.fault.kind = FaultKind::retryable;
    answer_fault(held, seen);
  }

  // The image waits and loses no attempt: nothing was paid.
  void see_unusable(Held& held, const Failed& failed) {
    Fault fault = failed.fault;
    fault.kind = FaultKind::environment;
    state_of(held).waits = Waits::check_ended;
    desk_.hold_service(kImage, fault, kBucket);
    answer_fault(held, {.fault = fault});
  }

  void answer_fault(Held& held, const Failed& failed) {
    const Fault& fault = failed.fault;
    const bool may_help = fault.kind == FaultKind::retryable;
    if (may_help && held.job.version.attempt + 1 >= tries_max()) return give_up(held, fault);
    Verdict verdict =
        answer(held.job, fault, desk_.settings, desk_.random.chance(), Millis{failed.wait_ms});
    if (is_rate_limit(failed))
      verdict.release_after = std::min(Millis{failed.wait_ms}, desk_.settings.wait_max);
    for (WantedMove& move : verdict.moves)
      if (move.on == On::reject) describe_block(held, fault, move);
    desk_.ask(held.job, verdict);
  }

  // S4-11: the audit log has the prompt's hash, not the prompt.
  void describe_block(const Held& held, const Fault& fault, WantedMove& move) const {
    const auto fields = read_object(held.request.text());
    const JsonField* prompt = fields ? find_field(*fields, "prompt") : nullptr;
    move.audit =
        fmt::format("{}{}{}; prompt sha256 {}", fault.code, fault.detail.empty() ? "" : ": ",
                    fault.detail, sha256_hex(prompt ? prompt->text : std::string{}));
    move.refunds = rules_.refund_rejected;
  }

  // The provider has said how long no image may be asked for: that long, and no longer.
  static bool is_rate_limit(const Failed& failed) {
    return failed.fault.kind == FaultKind::environment && failed.wait_ms > 0;
  }

  // Z-28: a fault of the provider's account, or of the way to it, meets every image alike.
  void see_provider(const Failed& failed) {
    if (is_rate_limit(failed))
      desk_.hold_service_for(kImage, failed.fault, Millis{failed.wait_ms}, kProvider);
    else if (failed.fault.kind == FaultKind::environment)
      desk_.hold_service(kImage, failed.fault, kProvider);
    else
      desk_.release_service(kImage, kProvider);
  }

  // The call itself failed. If its outcome is known, forgets its handle, so that the next try is a
  // new call.
  void end_call(Held& held, const Failed& failed) {
    see_provider(failed);
    if (failed.outcome_unknown && held.job.handle.empty())
      settle_unknown(held, failed.fault.code);
    else
      desk_.settle(held, failed.outcome_unknown ? IntentState::unknown : IntentState::failed,
                   failed.fault.code);
    if (held.job.handle.empty() || failed.outcome_unknown) return;
    desk_.observe(held.job, {.handle = ""});
    held.job.handle.clear();
  }

  Desk& desk_;
  RemoteEngine& images_;
  Sink& bucket_;
  const ImageRules rules_;
};

}  // namespace

LifecycleWork image_work(RemoteEngine& images, Sink& bucket, ImageRules rules) {
  const ImageOutside outside{images, bucket, std::move(rules)};
  return {.lifecycle = &kImage,
          .make_handler =
              [outside](Desk& desk) { return std::make_unique<ImageHandler>(desk, outside); },
          .not_ready =
              [&images, &bucket](std::string_view) {
                return both_not_ready(images.not_ready({}), bucket.not_ready());
              },
          .price = outside.rules.price,
          .refuses = [prompt = outside.rules.prompt](
                         std::string_view request) { return check_prompt(prompt, request); },
          .refuses_new = outside.rules.params,
          .refunds_rejected = outside.rules.refund_rejected,
          .quota = outside.rules.quota,
          .limits = outside.rules.limits,
          .limit_names = {.at_once = "image.at_once", .per_owner = "image.per_owner"}};
}

}  // namespace haul::flow
