#pragma once
// Shows the progress of jobs in the chats: one message per job, edited when what it shows changes,
// at most once in three seconds.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bot/catalogue_screens.h"
#include "bot/outbox.h"
#include "store/store.h"

namespace haul::bot {

// The bytes of a running job. Nothing if it is not known to run.
using BytesOf = std::function<std::optional<JobBytes>(JobId)>;

struct ProgressSettings {
  Millis edits_apart{3'000};
  std::int64_t admin = 0;  // Is told of jobs that failed for good (S3-17). Zero: there is none.
};

class ProgressPosts {
 public:
  ProgressPosts(Store& store, const Clock& clock, BytesOf bytes, ProgressSettings settings)
      : store_{store}, clock_{clock}, bytes_{std::move(bytes)}, settings_{settings} {}

  // Adds the edits that are due to the outbox.
  void show(Outbox& outbox);
  // An edit of this job's message has ended.
  void see(const OutboxEnd& end, Outbox& outbox);

 private:
  struct Shown {
    std::string body{};
    std::optional<Steady> at{};
    bool is_last = false;    // It shows the end of the job.
    bool is_closed = false;  // The message cannot be edited any more.
    bool is_told = false;    // The outbox took the last alert to the administrator.
  };
  void show_one(const BotPost& post, const Job& job, Outbox& outbox);
  // Tells the administrator if the job failed, and forgets its message once that is queued.
  void end_post(const Job& job, Outbox& outbox);
  // Sets is_told.
  void tell_admin(Text which, const Job& job, Outbox& outbox);

  Store& store_;
  const Clock& clock_;
  const BytesOf bytes_;
  const ProgressSettings settings_;
  // What each message was last told to show. Empty after a restart: to show the same again is
  // harmless.
  std::map<JobId, Shown> shown_;
  JobId after_;  // Where the next look begins.
};

}  // namespace haul::bot
