// Gives an item of a job another link: a new job fetches the item from there.

#include <fmt/core.h>

#include "base/hash.h"
#include "flow/user/user.h"

namespace haul::flow {
namespace {

constexpr std::string_view kNote = "LINK_REPLACED";

std::unexpected<Refusal> refuse(std::string_view code, std::string why) {
  return std::unexpected{Refusal{RefusalKind::forbidden, std::string{code}, std::move(why)}};
}

// Only an item that ended without its file can get another link.
std::expected<Item, Refusal> find_item(Store& store, const Job& job, std::int64_t n) {
  const auto found = store.items().list(job.version.id, {}, n - 1, 1);
  if (found.empty() || found.front().n != n)
    return refuse("no_such_item", fmt::format("the job has no item {}", n));
  const Item& item = found.front();
  switch (job.version.lifecycle->items->at(item.state).end) {
    case End::good:
      return refuse("item_done",
                    fmt::format("item {} is {}: it needs no other link", n, item.state));
    case End::open:
      return refuse(
          "item_open",
          fmt::format("item {} is {}: its link can be replaced once it has failed", n, item.state));
    case End::bad:
    case End::stopped:
      break;
  }
  return item;
}

}  // namespace

std::expected<Added, Refusal> replace_link(Store& store, const Job& job, const NewLink& link,
                                           Time now, std::span<const LifecycleWork> work) {
  const Lifecycle& lifecycle = *job.version.lifecycle;
  const LifecycleWork* entry = find_work(work, lifecycle);
  if (!lifecycle.items || !entry || !entry->relink)
    return refuse("no_link", fmt::format("{} jobs have no links to replace", lifecycle.name));
  const auto item = find_item(store, job, link.item);
  if (!item) return std::unexpected{item.error()};
  const std::string request = store.reader().request(job.version.id).value_or("{}");
  auto linked = entry->relink(request, *item, link.url);
  if (!linked) return std::unexpected{linked.error()};
  auto next = as_job({.lifecycle = &lifecycle,
                      .owner = job.owner,
                      .request = linked->request,
                      .key = {},
                      .expires_at = {},
                      .asker = link.asker,
                      .priority = job.priority},
                     now, work);
  if (!next) return std::unexpected{next.error()};
  if (const std::string lack = not_ready(work, lifecycle, engine_in(lifecycle, next->request));
      !lack.empty())
    return refuse("not_configured", lack);
  next->key = {.value = fmt::format("relink:{}:{}:{}", job.version.id.value, link.item,
                                    sha256_hex(link.url).substr(0, 16)),
               .scope = lifecycle.again.scope,
               .earlier = {},
               .later = {}};
  next->retry_of = job.version.id;
  next->items = {std::move(linked->item)};
  next->note = {.type = kNote,
                .data = fmt::format(R"({{"job":{},"item":{}}})", job.version.id.value, link.item)};
  return store.jobs().add({&*next, 1}, now).front();
}

}  // namespace haul::flow
