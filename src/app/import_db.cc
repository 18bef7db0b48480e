#include "app/import_db.h"

#include <memory>
#include <string>

#include "flow/takeover/take_over.h"
#include "store/open.h"

namespace haul::app {
namespace {

cli::Maintenance::TakenOver told(const flow::TakenOver& taken) {
  cli::Maintenance::TakenOver answer{.rows = taken.rows,
                                     .added = taken.added,
                                     .already = taken.already,
                                     .over = taken.over,
                                     .left_out = taken.left_out};
  for (const flow::LeftOut& each : taken.problems)
    answer.problems.push_back({each.row, each.code, each.detail});
  return answer;
}

}  // namespace

cli::Maintenance::TakenOver import_db(const cli::Maintenance::TakeOver& asked, const Clock& clock) {
  const std::string url = store_url(asked.data);
  const auto old = open_old_downloads(asked.file);
  std::unique_ptr<Store> store;
  flow::TakeOver what{
      .old = *old,
      .known = [&](std::span<const std::string> keys) { return inspect_keys(url, kAdmin, keys); },
      .open = {},
      .now = clock.now(),
      .tell = asked.tell};
  if (!asked.dry_run)
    what.open = [&]() -> Store& {
      store = open_store(url, {}, what.now);
      return *store;
    };
  return told(flow::take_over(what));
}

}  // namespace haul::app
