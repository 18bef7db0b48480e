#include "engine/choose/planner.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensure.h"
#include "base/posting.h"
#include "engine/choose/choice.h"
#include "io/process/sandbox.h"
#include "seam/item_key.h"

namespace haul::choose {

void ChoosingInbox::push(Sight sight) {
  to_->post([&planner = planner_, sight = std::move(sight), alive = alive_] {
    if (alive.lock()) planner.hear(sight);
  });
}

Planner::Planner(ChooseEnv env, Order order, Inbox& inbox, std::string wanted,
                 engine::GetRequest request)
    : env_{env},
      order_{std::move(order)},
      inbox_{inbox},
      wanted_{std::move(wanted)},
      request_{std::move(request)},
      own_inbox_{env.inboxes.emplace(env.inboxes.end(), *this, alive_, env.loop)},
      urls_{request_.urls.begin(), request_.urls.end()} {}

// After the last sight no engine uses the inbox any more. Before it, one may still push to it.
Planner::~Planner() {
  if (gone_) env_.inboxes.erase(own_inbox_);
  end_look();
}

// Destroys it on its own thread. That ends its request and gives back its slot.
void Planner::end_look() {
  if (look_) env_.http_loop.post([look = std::exchange(look_, nullptr)] {});
}

void Planner::tell(What what) {
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Planner::next() {
  engine_ = nullptr;
  is_part_ = false;
  if (urls_.empty()) return for_http_.empty() ? finish() : plan_http();
  at_ = std::move(urls_.front());
  urls_.pop_front();
  if (wanted_ == kYtDlp) return choose(env_.engines.yt_dlp, kYtDlp, "it was asked for");
  if (wanted_ == kGalleryDl) return choose(env_.engines.gallery_dl, kGalleryDl, "it was asked for");
  if (guess_by_name(at_) == Guess::file) return choose_http("the name looks like a file");
  ask_gallery_dl();
}

void Planner::ask_gallery_dl() {
  if (!env_.engines.gallery_dl.is_installed()) return ask_server();
  engine_ = &env_.engines.gallery_dl;
  env_.engines.gallery_dl.knows(order_, at_, [this, alive = std::weak_ptr{alive_}](bool known) {
    if (!alive.lock() || gone_ || stopping_) return;
    if (known)
      choose(env_.engines.gallery_dl, kGalleryDl, "it has an extractor for the page");
    else
      ask_server();
  });
}

void Planner::ask_server() {
  ensure(!stopping_ && !look_, "a plan asks one server at a time, and none after its stop");
  engine_ = nullptr;
  if (!env_.engines.yt_dlp.is_installed()) return choose_http("yt-dlp is not installed");
  look_ = std::make_shared<Look>(
      env_.http_loop, env_.gate, env_.settings, request_, order_.start,
      posting<std::string>(env_.loop.poster(), alive_, [this](const std::string& type) {
        if (!gone_) looked(type);
      }));
  env_.http_loop.post([look = look_, url = at_] { look->begin(url); });
}

void Planner::looked(const std::string& type) {
  end_look();
  if (may_have_media(type))
    choose(env_.engines.yt_dlp, kYtDlp, fmt::format("the server calls it {}", type));
  else
    choose_http(type.empty() ? "the server did not say what it is"
                             : fmt::format("the server calls it {}", type));
}

void Planner::choose(ItemEngine& engine, std::string_view name, std::string why) {
  ensure(!stopping_ && !gone_, "no engine lists for a plan that has ended");
  engine_ = &engine;
  engine_name_ = name;
  reason_ = std::move(why);
  Order order = order_;
  order.url = at_;
  engine.plan(order, *own_inbox_);
}

void Planner::choose_http(std::string why) {
  reason_ = std::move(why);
  chosen_.insert(kHttp);
  for_http_.push_back(std::move(at_));
  next();
}

// Plans all http addresses together, as if the request had only these.
void Planner::plan_http() {
  engine_ = &env_.engines.http;
  engine_name_ = kHttp;
  Order order = order_;
  order.request = SharedText{with_urls(order.request.text(), std::exchange(for_http_, {}))};
  env_.engines.http.plan(order, *own_inbox_);
}

void Planner::hear(const Sight& sight) {
  if (gone_) return;
  const bool is_answer =
      std::holds_alternative<Planned>(sight.what) || std::holds_alternative<Failed>(sight.what);
  if (stopping_ && is_answer) return;  // It ended before it heard that it should stop, and says so.
  if (const auto* planned = std::get_if<Planned>(&sight.what)) return take(*planned);
  if (const auto* failure = std::get_if<Failed>(&sight.what)) return failed(*failure);
  gone_ = std::holds_alternative<Stopped>(sight.what);
  tell(sight.what);
}

void Planner::take(const Planned& planned) {
  chosen_.insert(engine_name_);
  items_.insert(items_.end(), planned.items.begin(), planned.items.end());
  is_part_ = is_part_ || !planned.items.empty();
  if (planned.complete) next();
}

// A page without media is fetched as a plain file. One of several addresses that cannot be listed
// becomes an item that fails on its own; a single address fails the job. If a listing breaks off,
// its items are kept and finish() reports the fault. An environment fault always fails the job.
void Planner::failed(const Failed& failure) {
  if (is_part_ && failure.fault.kind != FaultKind::environment) {
    const bool can_pass = failure.fault.kind == FaultKind::retryable;
    if (!broken_ || can_pass) broken_ = failure;
    return next();
  }
  const bool is_plain = wanted_ == kAuto && failure.fault.code == "unsupported_url";
  if (is_plain) return choose_http("no engine finds media on the page");
  const bool is_ours = failure.fault.kind == FaultKind::environment;
  if (is_ours || request_.urls.size() == 1 || engine_name_ == kHttp) {
    gone_ = true;
    return tell(failure);
  }
  chosen_.insert(engine_name_);
  items_.push_back({.key = item_key(engine_name_, {0, at_}), .url = at_, .size = {}, .skip = {}});
  next();
}

// S2-11: the total is known before the first byte.
void Planner::finish() {
  ensure(!look_ && urls_.empty() && for_http_.empty(), "a plan ends after its last address");
  gone_ = true;
  const bool one = chosen_.size() == 1;
  const std::string engine{one ? *chosen_.begin() : kAuto};
  const bool runs_programs = chosen_.contains(kYtDlp) || chosen_.contains(kGalleryDl);
  const auto gap = runs_programs ? io::sandbox_gap(io::landlock_version()) : std::nullopt;
  tell(Chosen{.engine = engine,
              .reason = one ? reason_ : "each address has its own",
              .warning = gap ? gap->detail : ""});
  tell(Planned{.items = std::move(items_), .complete = !broken_});
  if (broken_) tell(*std::move(broken_));
}

void Planner::stop(Leftovers leftovers) {
  if (std::exchange(stopping_, true)) return;
  if (engine_ != nullptr) return engine_->stop(order_, leftovers, *own_inbox_);
  end_look();
  gone_ = true;
  tell(Stopped{});
}

}  // namespace haul::choose
