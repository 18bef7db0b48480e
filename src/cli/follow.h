#pragma once
// Following what happens at the daemon, across broken connections and restarts of it.

#include <optional>
#include <string>

#include "cli/answers.h"

namespace haul {

class Follower {
 public:
  virtual ~Follower() = default;
  // The job as it is now, also as JSON; only where one job is followed. Told at the beginning and
  // after it has moved, or may have.
  virtual void see_job(const JsonView& job, const std::string& json) = 0;
  virtual void see_event(const LiveEvent& live, const JsonView& event) = 0;
  // Time has passed.
  virtual void tick() {}
  // What came may not be all: whatever was kept in mind has to be asked for again.
  virtual void resync() {}
  virtual void say(const std::string& line) { static_cast<void>(line); }
  virtual bool is_over() const = 0;
};

struct FollowWhat {
  std::optional<std::int64_t> job;  // None: all of them.
  std::string last_id;              // Empty: from now on.
};

enum class Followed : std::uint8_t { to_the_end, interrupted };

// Until the follower says it is over, or Ctrl-C. Fails if the daemon refuses, or is away for more
// than half a minute.
Asked<Followed> follow(Remote remote, const FollowWhat& what, Follower& follower);

// "queued > downloading (started)", or a note's data.
std::string event_text(const JsonView& event);

}  // namespace haul
