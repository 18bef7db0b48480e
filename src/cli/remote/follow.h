#pragma once
// Follows the daemon's events across broken connections and daemon restarts.

#include <optional>
#include <string>

#include "cli/remote/answers.h"

namespace haul::cli {

class Follower {
 public:
  virtual ~Follower() = default;
  // The job as it is now, also as JSON. Called only if one job is followed: at the beginning, and
  // whenever the job has moved or may have.
  virtual void see_job(const JsonView& job, const std::string& json) = 0;
  virtual void see_event(const LiveEvent& live, const JsonView& event) = 0;
  // Called as time passes.
  virtual void tick() {}
  // Events may be missing: forget what earlier events said.
  virtual void resync() {}
  virtual void say(const std::string& line) { static_cast<void>(line); }
  virtual bool is_over() const = 0;
};

struct FollowWhat {
  std::optional<std::int64_t> job;  // Nullopt: all jobs.
  std::string last_id;              // Empty: from now on.
};

enum class Followed : std::uint8_t { to_the_end, interrupted };

// Runs until the follower is over, or Ctrl-C. Fails if the daemon refuses the request, or does not
// answer for 30 s.
OrFailure<Followed> follow(Remote remote, const FollowWhat& what, Follower& follower);

// "queued > downloading (started)", or the data of a note.
std::string event_text(const JsonView& event);

}  // namespace haul::cli
