#include "bot/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "bot/standing.h"

namespace haul::bot {
namespace {

constexpr std::size_t kPostsAtOnce = 200;

}  // namespace

void ProgressPosts::show(Outbox& outbox) {
  const bool was_first = !after_;
  const std::vector<BotPost> posts = store_.bot().posts().list(after_, kPostsAtOnce);
  after_ = posts.size() < kPostsAtOnce ? JobId{} : posts.back().job;
  std::vector<JobId> ids;
  ids.reserve(posts.size());
  for (const BotPost& post : posts) ids.push_back(post.job);
  if (!after_ && was_first)  // These are all.
    std::erase_if(shown_,
                  [&](const auto& each) { return !std::ranges::binary_search(ids, each.first); });
  const auto jobs = store_.reader().find(ids);
  for (std::size_t i = 0; i < posts.size(); ++i)
    if (const auto& job = jobs[i]) show_one(posts[i], *job, outbox);
}

void ProgressPosts::show_one(const BotPost& post, const Job& job, Outbox& outbox) {
  const bool is_open = job.state().is_open();
  Shown& shown = shown_[post.job];
  if (asks_to_send_again(job) && !shown.is_told) tell_admin(Text::alert_paused, job, outbox);
  if (post.message == 0 || shown.is_closed) {
    if (!is_open) end_post(job, outbox);
    return;
  }
  const Steady now = clock_.steady();
  if (shown.at && now - *shown.at < settings_.edits_apart) return;
  const auto file = post.entry ? store_.bot().catalogue().find(post.entry) : std::nullopt;
  const BotScreen screen =
      job_screen(language_of(post.language), file, job, is_open ? bytes_(post.job) : std::nullopt);
  OutCall edit = edit_screen(post.chat, post.message, screen);
  if (shown.body == edit.call.body) return;
  const std::string body = edit.call.body;
  if (!outbox.add(std::move(edit), post.job)) return;
  shown.body = body;
  shown.at = now;
  shown.is_last = !is_open;
}

void ProgressPosts::see(const OutboxEnd& end, Outbox& outbox) {
  const auto shown = shown_.find(end.job);
  if (shown == shown_.end() || end.is == OutboxEnd::Is::again) return;
  const bool is_refused = end.is == OutboxEnd::Is::failed;
  if (is_refused && end.fault.kind != FaultKind::permanent) {
    shown->second.body.clear();  // Telegram was away for long: it is told again.
    return;
  }
  if (is_refused) shown->second.is_closed = true;
  if (!shown->second.is_last) return;
  if (const auto job = store_.reader().find(end.job)) end_post(*job, outbox);
}

// Keeps the post while the outbox is full: the next look queues the alert. Forgets in memory first:
// if the store fails, the message is edited once more and the administrator is told once more.
void ProgressPosts::end_post(const Job& job, Outbox& outbox) {
  if (job.state().end == End::bad) {
    tell_admin(Text::alert_failed, job, outbox);
    Shown& shown = shown_[job.version.id];
    if (!shown.is_told) {
      shown.is_closed = true;  // It shows the end already. Only the alert is missing.
      return;
    }
  }
  shown_.erase(job.version.id);
  store_.bot().posts().remove(job.version.id);
}

void ProgressPosts::tell_admin(Text which, const Job& job, Outbox& outbox) {
  bool& is_told = shown_[job.version.id].is_told;
  is_told = settings_.admin == 0;
  if (is_told) return;
  const Language language = language_of_guest(store_.bot().guests(), settings_.admin);
  std::string words = fmt::format(fmt::runtime(text(language, which)), job.version.id.value);
  if (!job.state().is_open()) words += ": " + job.reason;
  is_told = outbox.add(send_screen(settings_.admin, {std::move(words)}));
}

}  // namespace haul::bot
