#include "engine/imageapi/paid_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/posting.h"
#include "engine/imageapi/faults.h"

namespace haul::imageapi {
namespace {

constexpr Millis kStopWait{500};  // For the answer to a call that is being paid.
constexpr std::size_t kOtherBytes = std::size_t{1} << 20U;  // Of an answer beside the image.
constexpr std::size_t kLookMax = std::size_t{16} << 20U;    // ComfyUI repeats the whole graph.
constexpr Millis kLookWithin{30'000};
constexpr std::size_t kHandleMax = 200;

// A call without a handle has been paid for, and its image comes by it alone. What follows costs
// nothing, so it is repeated, within the same time.
constexpr Millis kFreeFor{720'000};  // The flow gives up a silence of 15 minutes.
constexpr int kFetchesMax = 6;
constexpr Millis kFetchEvery{5'000};
constexpr Millis kCheckEvery{30'000};

// An answer with the image as base64.
std::size_t answer_max(std::int64_t image_max) {
  return static_cast<std::size_t>(image_max) / 3 * 4 + kOtherBytes;
}

ProviderReply reply_of(io::HttpWhole answer, Time now, std::string_view prompt) {
  return {
      .head = std::move(answer.head), .body = std::move(answer.body), .now = now, .prompt = prompt};
}

// Faults that say something about the provider, and not only about this call.
bool is_trouble(const Fault& fault) {
  return fault.kind == FaultKind::environment || fault.kind == FaultKind::retryable;
}

std::string evidence_of(const KeptImage& image, const io::PictureFacts& facts) {
  return fmt::format(R"({{"type":{},"width":{},"height":{},"sha256":{},"thumbnail":{}}})",
                     json_quoted(facts.type), facts.width, facts.height, json_quoted(image.sha256),
                     json_quoted(image.thumbnail.string()));
}

}  // namespace

PaidCall::PaidCall(ImageEnv& env, Order order, Inbox& inbox, std::function<void()> done)
    : env_{env},
      order_{std::move(order)},
      inbox_{inbox},
      done_{std::move(done)},
      handle_{order_.handle} {}

void PaidCall::send(const ProviderRequest& request,
                    std::function<void(Result<io::HttpWhole>)> then) {
  const bool pays = phase_ == Phase::paying;
  const Millis within = pays ? env_.settings.timeout : kLookWithin;
  const io::HttpBounds bounds{
      .body_max = pays ? answer_max(env_.settings.max_size)
                       : std::max(kLookMax, static_cast<std::size_t>(env_.settings.max_size)),
      .within = within};
  if (!fetcher_) fetcher_ = std::make_unique<io::HttpFetcher>(env_.loop);
  fetcher_->fetch(request_to_provider(env_, request, within), bounds, std::move(then));
}

void PaidCall::pay() {
  handle_.clear();  // An earlier call's: this is a new one.
  free_until_ = env_.clock.steady() + kFreeFor;
  auto wanted = read_image_request(order_.request.text(), call_of(order_));
  if (!wanted) return fail({.fault = wanted.error()});
  wanted_ = *std::move(wanted);
  if (const auto kept = env_.staging.find(order_, env_.settings.max_size))
    return check(*kept, Kept::earlier);
  pay_now();
}

void PaidCall::pay_now() {
  ensure(handle_.empty(), "haul pays for a new call, never for one that has a handle");
  phase_ = Phase::paying;
  if (auto held = env_.hold.held()) return fail(*std::move(held));
  const auto request = env_.provider.submit(wanted_);
  if (!request) return fail({.fault = request.error().fault()});
  room_.reset();  // That of an earlier image, which was no good.
  auto room = env_.staging.check(env_.settings.max_size);
  if (!room) return fail({.fault = room.error()});
  room_ = *std::move(room);
  // haul does not pay for an image that it could not check.
  if (auto ready = env_.pictures.check_ready(); !ready) {
    env_.hold.see(&ready.error());
    return fail({.fault = ready.error()});
  }
  send(*request, [weak = weak_from_this()](Result<io::HttpWhole> answer) {
    if (const auto self = weak.lock()) self->see_submit(std::move(answer));
  });
}

void PaidCall::see_submit(Result<io::HttpWhole> answer) {
  ProviderMeaning meaning;
  if (answer)
    meaning =
        env_.provider.read_submit(reply_of(*std::move(answer), env_.clock.now(), wanted_.prompt));
  else
    meaning = unreached(answer.error());
  if (phase_ != Phase::paying) return keep_late(meaning);
  auto* fault = std::get_if<CallFault>(&meaning);
  // S4-11: the provider's reason may repeat the prompt, and everything below keeps or shows it.
  if (fault) fault->fault.detail = without_prompt(std::move(fault->fault.detail), wanted_.prompt);
  if (fault && is_trouble(fault->fault))
    env_.hold.see(&fault->fault, fault->wait);
  else
    env_.hold.see(nullptr);
  act_on_submit(std::move(meaning));
}

void PaidCall::act_on_submit(ProviderMeaning meaning) {
  if (auto* fault = std::get_if<CallFault>(&meaning)) {
    if (!stopping_) return fail(std::move(*fault));
    return fault->outcome_unknown ? give_up_paying(*stopping_) : end(Stopped{});
  }
  if (auto* at_work = std::get_if<CallAtWork>(&meaning)) {
    if (stopping_) return withdraw(*stopping_, at_work->handle);
    return accept(at_work->handle);
  }
  if (stopping_) return give_up_paying(*stopping_);
  if (auto* bytes = std::get_if<GivenBytes>(&meaning)) return keep(std::move(bytes->bytes));
  if (auto* address = std::get_if<GivenAddress>(&meaning)) return fetch(*address);
  fail(garbage("the provider's answer makes no sense"));
}

// The call was given up before its answer came, and has reported that. An image in the answer is
// paid for, so the next start finds it.
void PaidCall::keep_late(const ProviderMeaning& meaning) {
  const auto* given = std::get_if<GivenBytes>(&meaning);
  if (given && std::ssize(given->bytes) <= env_.settings.max_size)
    (void)env_.staging.keep(order_, given->bytes);
}

void PaidCall::accept(const std::string& handle) {
  if (handle.size() > kHandleMax)
    return fail(garbage("the provider's name for the call is too long"));
  handle_ = handle;
  tell(order_, inbox_, Accepted{.handle = handle});
  end(Waiting{.detail = {}, .code = "at_work"});
}

void PaidCall::ask() {
  // A reason that the provider gives may repeat the prompt, also long after the start.
  if (auto wanted = read_image_request(order_.request.text(), call_of(order_)))
    wanted_ = *std::move(wanted);
  phase_ = Phase::asking;
  questions_ = handle_.empty() ? std::vector<ProviderRequest>{} : env_.provider.look(handle_);
  question_ = 0;
  ask_next();
}

void PaidCall::ask_next() {
  if (question_ == questions_.size()) return end(Missing{});
  send(questions_[question_], [weak = weak_from_this()](Result<io::HttpWhole> answer) {
    if (const auto self = weak.lock()) self->see_look(std::move(answer));
  });
}

void PaidCall::see_look(Result<io::HttpWhole> answer) {
  if (phase_ != Phase::asking) return;  // It was stopped meanwhile.
  if (!answer) {
    const Fault fault = unreached(answer.error()).fault;
    env_.hold.see(&fault);
    return end(Unseen{.code = fault.code, .by_us = answer.error().code == "network_down"});
  }
  ProviderMeaning meaning = env_.provider.read_look(
      handle_, question_, reply_of(*std::move(answer), env_.clock.now(), wanted_.prompt));
  if (const auto* unseen = std::get_if<NotSeen>(&meaning)) return see_not(*unseen);
  env_.hold.see(nullptr);
  act_on_look(std::move(meaning));
}

void PaidCall::see_not(const NotSeen& seen) {
  env_.hold.see(&seen.fault, seen.wait);
  end(Unseen{.code = seen.fault.code});
}

void PaidCall::act_on_look(ProviderMeaning meaning) {
  if (std::holds_alternative<NoSuchCall>(meaning)) {
    ++question_;
    return ask_next();
  }
  if (auto* at_work = std::get_if<CallAtWork>(&meaning))
    return end(Waiting{.detail = at_work->detail, .code = "at_work"});
  if (auto* fault = std::get_if<CallFault>(&meaning)) return fail(std::move(*fault));
  if (auto* bytes = std::get_if<GivenBytes>(&meaning)) return keep(std::move(bytes->bytes));
  if (auto* address = std::get_if<GivenAddress>(&meaning)) return fetch(*address);
  end(Unseen{.code = "provider_garbage"});
}

void PaidCall::fetch(const GivenAddress& given) {
  phase_ = Phase::fetching;
  ++fetches_;
  const auto seen = [weak = weak_from_this(), given](Result<std::string> bytes) {
    const auto self = weak.lock();
    if (!self || self->phase_ != Phase::fetching) return;
    if (bytes) return self->keep(*std::move(bytes));
    std::function<void()> again;
    if (self->fetches_ < kFetchesMax) again = [self = self.get(), given] { self->fetch(given); };
    self->fail_to_keep(bytes.error(), kFetchEvery, std::move(again));
  };
  fetching_ = fetch_image(env_, given, seen);
}

void PaidCall::keep(std::string bytes) {
  if (std::ssize(bytes) > env_.settings.max_size)
    return fail({.fault = {FaultKind::permanent, "image_too_large",
                           "the image is larger than image.max_size"}});
  const auto staged = env_.staging.keep(order_, bytes);
  if (staged) {
    room_.reset();  // The disk counts the file itself now.
    return check(*staged, Kept::now);
  }
  fail_to_keep(staged.error(), kCheckEvery,
               [this, kept = std::move(bytes)]() mutable { keep(std::move(kept)); });
}

// A provider's bytes are hostile until a program of its own, behind walls, has decoded them.
void PaidCall::check(const KeptImage& image, Kept when) {
  phase_ = Phase::checking;
  const auto seen = [weak = weak_from_this(), image, when](const Result<io::PictureFacts>& facts) {
    const auto self = weak.lock();
    if (self && self->phase_ == Phase::checking) self->see_check(image, when, facts);
  };
  env_.pictures.check(image.path, image.thumbnail,
                      posting<Result<io::PictureFacts>>(&env_.loop, env_.alive, seen));
}

void PaidCall::see_check(const KeptImage& image, Kept when, const Result<io::PictureFacts>& facts) {
  if (facts && facts->type == name_of(image.type)) {
    if (when == Kept::earlier && !env_.hold.held()) env_.hold.see(nullptr);
    return finish(image, *facts);
  }
  const Fault fault = facts ? Fault{FaultKind::retryable, "bad_image",
                                    "the image is not of the type that it seems to be"}
                            : facts.error();
  const bool is_ours = fault.kind == FaultKind::environment;
  if (is_ours && !handle_.empty()) return end(Unseen{.code = fault.code, .by_us = true});
  // The file stays, and the next start checks it again instead of paying.
  if (is_ours) {
    if (fault.code != "program_missing" &&
        rest(kCheckEvery, [this, image, when] { check(image, when); }))
      return;
    env_.hold.see(&fault);
    return fail({.fault = fault});
  }
  env_.staging.remove(image);
  if (when == Kept::earlier && fault.kind == FaultKind::retryable) return pay_now();
  fail({.fault = fault});
}

void PaidCall::finish(const KeptImage& image, const io::PictureFacts& facts) {
  end(Finished{.path = image.path.string(),
               .size = image.size,
               .in_place = true,
               .evidence = evidence_of(image, facts)});
}

void PaidCall::fail_to_keep(const Fault& fault, Millis wait, std::function<void()> again) {
  const bool is_bad = fault.code == "bad_image";
  const bool may_help = fault.kind == FaultKind::retryable || fault.kind == FaultKind::environment;
  if (!handle_.empty() && may_help && !is_bad)
    return end(Unseen{.code = fault.code, .by_us = fault.kind == FaultKind::environment});
  if (may_help && !is_bad && rest(wait, std::move(again))) return;
  CallFault lost{.fault = fault};
  // The image is gone at its address, or its only copy could not be kept: another call may help.
  if (fault.code == "image_gone" || fault.kind == FaultKind::environment)
    lost.fault.kind = FaultKind::retryable;
  fail(std::move(lost));
}

bool PaidCall::rest(Millis wait, std::function<void()> again) {
  if (!again || env_.clock.steady() + wait > free_until_) return false;
  phase_ = Phase::resting;
  env_.loop.after(wait, [weak = weak_from_this(), again = std::move(again)] {
    const auto self = weak.lock();
    if (self && self->phase_ == Phase::resting) again();
  });
  return true;
}

void PaidCall::fail(CallFault fault) {
  fault.fault.detail = without_prompt(std::move(fault.fault.detail), wanted_.prompt);
  end(Failed{.fault = std::move(fault.fault),
             .outcome_unknown = fault.outcome_unknown,
             .wait_ms = fault.wait.count(),
             .checkpoint = {}});
}

void PaidCall::stop(const Order& order) {
  order_ = order;
  if (cancelling_) return;  // It reports soon, under these numbers.
  const bool pays = phase_ == Phase::paying;
  if (pays && !env_.provider.answers_at_once()) {
    stopping_ = order;
    return env_.loop.after(kStopWait, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->phase_ == Phase::paying && self->stopping_ && !self->cancelling_)
        self->give_up_paying(*self->stopping_);
    });
  }
  if (handle_.empty()) return give_up_paying(order);
  withdraw(order, handle_);
}

// The request cannot be taken back. Only its answer would say whether it was paid.
void PaidCall::give_up_paying(const Order& order) {
  order_ = order;
  fail({.fault = {FaultKind::retryable, "call_abandoned",
                  "haul stopped before the provider answered; the call may have been paid for"},
        .outcome_unknown = true});
}

void PaidCall::withdraw(const Order& order, const std::string& handle) {
  order_ = order;
  phase_ = Phase::over;
  fetching_.reset();
  cancelling_ = std::make_shared<CancelCall>(env_, handle,
                                             [weak = weak_from_this()](const Result<void>& done) {
                                               const auto self = weak.lock();
                                               if (!self) return;
                                               if (!done)
                                                 return self->fail({.fault = done.error()});
                                               self->end(Stopped{});
                                             });
  cancelling_->begin();
}

void PaidCall::drop() {
  phase_ = Phase::over;
  room_.reset();
  fetcher_.reset();
  fetching_.reset();
  cancelling_.reset();
}

void PaidCall::end(What what) {
  ensure(static_cast<bool>(done_), "a call ends once");
  phase_ = Phase::over;
  tell(order_, inbox_, std::move(what));
  // This object may be in a callback of what it owns: it lives until the loop's next turn.
  env_.loop.post([self = shared_from_this()] { self->drop(); });
  std::exchange(done_, {})();
}

}  // namespace haul::imageapi
