#include "bot/progress.h"

#include <fmt/core.h>

#include <algorithm>

namespace haul::bot {
namespace {

constexpr std::size_t kPostsAtOnce = 200;

}  // namespace

void ProgressPosts::show(Outbox& outbox) {
  const bool was_first = !after_;
  const std::vector<BotPost> posts = store_.bot().posts().list(after_, kPostsAtOnce);
  after_ = posts.size() < kPostsAtOnce ? JobId{} : posts.back().job;
  std::vector<JobId> ids;
  for (const BotPost& post : posts) ids.push_back(post.job);
  if (!after_ && was_first)  // These are all.
    std::erase_if(shown_,
                  [&](const auto& each) { return !std::ranges::binary_search(ids, each.first); });
  const auto jobs = store_.reader().find(ids);
  for (std::size_t i = 0; i < posts.size(); ++i)
    if (jobs[i]) show_one(posts[i], *jobs[i], outbox);
}

void ProgressPosts::show_one(const BotPost& post, const Job& job, Outbox& outbox) {
  const Steady now = clock_.steady();
  const auto known = shown_.find(post.job);
  if (known != shown_.end() && now - known->second.at < settings_.edits_apart) return;
  const auto file = post.entry ? store_.bot().catalogue().find(post.entry) : std::nullopt;
  const bool is_open = job.state().is_open();
  const BotScreen screen =
      job_screen(language_of(post.language), file, job, is_open ? bytes_(post.job) : std::nullopt);
  OutCall edit = edit_screen(post.chat, post.message, screen);
  if (known != shown_.end() && known->second.body == edit.call.body) return;
  const std::string body = edit.call.body;
  if (outbox.add(std::move(edit), post.job)) shown_[post.job] = {body, now, !is_open};
}

void ProgressPosts::see(const OutboxEnd& end, Outbox& outbox) {
  const auto shown = shown_.find(end.job);
  if (shown == shown_.end() || end.is == OutboxEnd::Is::again) return;
  if (end.is == OutboxEnd::Is::failed && end.fault.kind != FaultKind::permanent) {
    shown->second.body.clear();  // Telegram was away for long: it is told again.
    return;
  }
  // A message that cannot be edited any more shows nothing more.
  const bool is_over = shown->second.is_last || end.is == OutboxEnd::Is::failed;
  if (!is_over) return;
  // First: if the store fails, the message is edited once more, which changes nothing.
  shown_.erase(shown);
  const auto job = store_.reader().find(end.job);
  store_.bot().posts().remove(end.job);
  if (settings_.admin != 0 && job && job->state().end == End::bad)
    outbox.add(send_screen(
        settings_.admin,
        {fmt::format(
            "{}: {}",
            fmt::format(fmt::runtime(text(Language::russian, Text::alert_failed)), end.job.value),
            job->reason)}));
}

}  // namespace haul::bot
