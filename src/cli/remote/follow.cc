#include "cli/remote/follow.h"

#include <fmt/core.h>

#include "cli/draw/pace.h"

namespace haul::cli {
namespace {

constexpr Millis kLookEvery{500};  // Limits requests for a job with many notes.
constexpr Millis kAgainAfter{1'000};
constexpr Millis kAwayMax{30'000};

class Following {
 public:
  Following(Remote remote, const FollowWhat& what, Follower& follower)
      : remote_{remote}, what_{what}, follower_{follower}, last_id_{what.last_id} {}

  OrFailure<Followed> run() {
    const std::string path =
        what_.job ? fmt::format("/api/v1/events?job={}", *what_.job) : "/api/v1/events";
    for (Millis away{0}; away <= kAwayMax; away += kAgainAfter) {
      bool heard = false;
      dirty_ = true;  // The job may have moved between two connections.
      const auto answer = remote_.client.listen(path, last_id_, [&](const LiveEvent& event) {
        heard = true;
        return take(event);
      });
      if (failure_) return std::unexpected{*failure_};
      if (interrupted_) return Followed::interrupted;
      if (follower_.is_over()) return Followed::to_the_end;
      if (answer && !answer->is_good()) return std::unexpected{failure_of(*answer, remote_.client)};
      if (!answer) fault_ = answer.error();
      // Wait only for a daemon that answered before: it may be restarting.
      if (!heard && !was_heard_) return std::unexpected{failure_of(fault_, remote_.client)};
      was_heard_ = true;
      if (heard) {
        away = Millis{0};
        follower_.say("Lost the connection to the daemon. Reconnecting.");
      }
      if (remote_.client.interrupts() > 0) return Followed::interrupted;
      remote_.client.wait(kAgainAfter);
    }
    return std::unexpected{failure_of(fault_, remote_.client)};
  }

 private:
  Listening take(const LiveEvent& event) {
    if (!event.id.empty()) last_id_ = event.id;
    interrupted_ = interrupted_ || remote_.client.interrupts() > 0;
    // Redundant: "progress" and the stored events have the same facts.
    if (event.name == "item_progress" || event.name == "job_progress") return Listening::on;
    if (event.name == "resync") {
      dirty_ = true;
      follower_.resync();
    } else if (!event.name.empty()) {
      dirty_ = dirty_ || event.name != "progress";
      follower_.see_event(event, JsonView::read(event.data).value_or(JsonView{}));
    }
    const bool now = looked_.is_due(remote_.clock.steady()) || event.name == "moved";
    if (dirty_ && now && what_.job) look(*what_.job);
    follower_.tick();
    // Stop only when no event is pending, so that the events that led to the end are shown.
    const bool done = failure_ || interrupted_ || (follower_.is_over() && event.name.empty());
    return done ? Listening::enough : Listening::on;
  }

  void look(std::int64_t job_id) {
    dirty_ = false;
    const auto answer = ask(remote_, job_path(job_id));
    if (!answer) {
      // The daemon just stopped: the stream breaks next, and run() reconnects.
      if (answer.error().json.find("cannot_connect") == std::string::npos)
        failure_ = answer.error();
      return;
    }
    if (const auto job = JsonView::read(answer->body)) follower_.see_job(*job, answer->body);
  }

  Remote remote_;
  const FollowWhat& what_;
  Follower& follower_;
  std::string last_id_;
  Pace looked_{kLookEvery};
  bool dirty_ = true;
  bool interrupted_ = false;
  bool was_heard_ = false;
  std::optional<Failure> failure_;
  Fault fault_{FaultKind::retryable, "connection_lost", "the connection broke"};
};

}  // namespace

OrFailure<Followed> follow(Remote remote, const FollowWhat& what, Follower& follower) {
  return Following{remote, what, follower}.run();
}

std::string event_text(const JsonView& event) {
  const std::string from = event.text("from");
  const std::string to = event.text("to");
  if (to.empty()) return event.json("data");
  std::string text = from.empty() ? to : fmt::format("{} > {}", from, to);
  if (const std::string on = event.text("on"); !on.empty()) text += fmt::format(" ({})", on);
  return text;
}

}  // namespace haul::cli
