#include "flow/worker.h"

#include <utility>

#include "flow/verbs.h"
#include "lifecycle/tables.h"

namespace haul {

Worker::Worker(Store& store, Outside outside, const Clock& clock, Random& random, Settings settings,
               const std::string& name)
    : desk_{store,
            outside,
            clock,
            random,
            std::move(settings),
            store.workers().enlist(name, clock.now()),
            mail_},
      sweep_{desk_} {}

void Worker::Mail::push(Sight sight) {
  const Lock lock{mutex_};
  sights_.push_back(std::move(sight));
}

std::deque<Sight> Worker::Mail::take() {
  const Lock lock{mutex_};
  return std::exchange(sights_, {});
}

void Worker::tick() {
  read_mail();
  end_silence();
  desk_.flush();
  sweep_.run();
  desk_.flush();
  claim(desk_);
  watch_client(desk_, kBook);
  watch_client(desk_, kMedia);
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    Held& held = (it++)->second;  // Before the job can leave the desk.
    if (held.job.seen.lifecycle->name == "batch" && !held.planning) transfer_items(desk_, held);
  }
  desk_.flush();
}

void Worker::read_mail() {
  for (const Sight& sight : mail_.take()) see(sight);
}

void Worker::see(const Sight& sight) {
  const auto found = desk_.held.find(sight.job);
  if (found != desk_.held.end() && sight.fence == found->second.job.seen.fence)
    return see_held(found->second, sight);
  const auto job = desk_.store.reader().find(sight.job);
  const bool with_client = job && job->state().is_open() && !job->state().is_leased() &&
                           job->state().step == Step::transfer;
  const bool of_this_life = job && sight.fence == job->seen.fence;  // Else of a lease that is over.
  if (with_client && of_this_life) see_client(desk_, *job, sight.what);
}

void Worker::see_held(Held& held, const Sight& sight) {
  held.heard = desk_.clock.steady();
  const std::string_view lifecycle = held.job.seen.lifecycle->name;
  if (lifecycle == "batch") return see_item(desk_, held, sight);
  if (lifecycle == "relay") return see_relay(desk_, held, sight.what);
  if (lifecycle == "image") return see_image(desk_, held, sight.what);
  see_media(desk_, held, sight.what);
}

void Worker::end_silence() {
  const Steady now = desk_.clock.steady();
  for (auto it = desk_.held.begin(); it != desk_.held.end();) {
    Held& held = (it++)->second;  // Before the job can leave the desk.
    const bool idle =
        held.job.seen.lifecycle->name == "batch" && !held.planning && held.in_transfer.empty();
    if (idle || now - held.heard < desk_.settings.answer_deadline) continue;
    const Failed silent{.fault = {FaultKind::retryable, "no_answer", "nothing came back"},
                        .outcome_unknown = true};
    const std::map<std::int64_t, std::int64_t> items = held.in_transfer;
    const JobId id = held.job.seen.id;
    const std::int64_t fence = held.job.seen.fence;
    if (items.empty()) see_held(held, {id, 0, fence, 0, silent});
    for (const auto& [n, start] : items)
      if (const auto found = desk_.held.find(id); found != desk_.held.end())
        see_held(found->second, {id, n, fence, start, silent});
  }
}

void Worker::stop() {
  read_mail();
  desk_.flush();
  std::vector<Release> releases;
  for (const auto& [id, held] : desk_.held)
    releases.push_back({.seen = held.job.seen, .worker = desk_.worker, .reason = "released"});
  desk_.store.jobs().release(releases, desk_.now());
  desk_.held.clear();
  desk_.store.limits().give_all(desk_.worker);
}

}  // namespace haul
