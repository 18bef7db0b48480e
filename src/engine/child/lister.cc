#include "engine/child/lister.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"

namespace haul::child {
namespace {

constexpr int kDepthMax = 4;
constexpr std::size_t kPagesMax = 20'000;
constexpr std::size_t kItemsMax = 200'000;
constexpr std::size_t kListBytesMax = std::size_t{128} << 20U;
constexpr std::int64_t kStagingMax = std::int64_t{1} << 30U;  // A listing fetches nothing.
constexpr Millis kHeardEvery{60'000};
constexpr const char* kTooLong = "too_long_a_list";

Fault no_end() { return {FaultKind::permanent, kTooLong, "the list has no end"}; }

}  // namespace

Lister::Lister(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox)
    : env_{env}, job_{std::move(job)}, order_{std::move(order)}, inbox_{inbox} {}

void Lister::tell(What what) {
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Lister::fail(Fault fault) {
  gone_ = true;
  tell(Failed{.fault = std::move(fault), .checkpoint = {}});
}

void Lister::begin() {
  if (gone_) return;
  if (auto checked = check_page_url(order_.url); !checked) return fail(checked.error());
  if (auto checked = check_request(job_->request, env_.program.name()); !checked)
    return fail(checked.error());
  pages_.push_back(order_.url);
  depths_[order_.url] = 0;
  next();
}

void Lister::stay_heard() {
  env_.loop.after(kHeardEvery, [this, alive = std::weak_ptr{alive_}] {
    if (!alive.lock() || gone_) return;
    tell(Waiting{"Listing"});
    stay_heard();
  });
}

void Lister::watch_disk() {
  if (!run_ || overrun_) return;
  overrun_ = run_->overrun(kStagingMax);
  if (overrun_) run_->kill();
}

void Lister::next() {
  listing_ = {};
  complaints_ = {};
  while (!pages_.empty() && listing_.pages.size() < env_.program.pages_at_once()) {
    listing_.pages.push_back(std::move(pages_.front()));
    pages_.pop_front();
  }
  if (listing_.pages.empty()) return finish();
  run_.reset();
  auto run =
      Run::prepare(env_, *job_, {io::owner_of(order_), ++runs_}, listing_.pages, order_.start);
  if (!run) return fail(run.error());
  run_ = *std::move(run);
  const auto words = env_.program.list_words(run_->call(*job_));
  if (auto begun = run_->begin(words, *this); !begun) fail(begun.error());
}

void Lister::on_line(io::Stream stream, const std::string& line) {
  if (stream == io::Stream::err) return complaints_.add(line);
  if (listing_.out.size() + line.size() > kListBytesMax) {
    if (!overrun_) overrun_ = no_end();
    return run_->kill();
  }
  listing_.out += line + "\n";
}

void Lister::on_end(const io::ChildEnd& end) {
  ensure(run_ != nullptr, "a process ends once");
  if (stopping_) {
    gone_ = true;
    run_.reset();
    return tell(Stopped{});
  }
  listing_.code = end.code;
  listing_.said = complaints_.all();
  const auto refusal = run_->proxy().refusal();
  run_.reset();
  if (overrun_) return fail(*overrun_);
  if (end.wrote_too_much) return fail(no_end());
  const PagesRead listed = env_.program.read_listing(listing_, job_->request.filters);
  if (const auto root = listed.faults.find(order_.url); root != listed.faults.end())
    return fail(refusal.value_or(root->second));
  take(listed);
  if (refusal && broken_) broken_ = *refusal;  // The refusal made the program break off.
  next();
}

// Keeps the first retryable fault, or else the first fault. It decides whether the flow retries.
void Lister::break_off(const Fault& fault) {
  const bool can_pass = fault.kind == FaultKind::retryable;
  if (!broken_ || (can_pass && broken_->kind != FaultKind::retryable)) broken_ = fault;
}

void Lister::finish() {
  gone_ = true;
  tell(Planned{.items = std::move(items_), .complete = !broken_});
  if (broken_) tell(Failed{.fault = *broken_, .checkpoint = {}});
}

// A page that can never be listed still becomes an item: it fails on its own, or is skipped with a
// reason. A page that may be listed later leaves the listing incomplete.
void Lister::take(const PagesRead& listed) {
  const auto add = [&](FoundItem item) {
    if (!keys_.insert(item.key).second) return;
    if (items_.size() < kItemsMax) return items_.push_back(std::move(item));
    break_off({FaultKind::permanent, kTooLong, fmt::format("more than {} items", kItemsMax)});
  };
  for (const auto& [page, fault] : listed.broken) break_off(fault);
  for (const FoundItem& item : listed.items) add(item);
  for (const auto& [page, fault] : listed.faults) {
    if (fault.kind == FaultKind::retryable) {
      break_off(fault);
      continue;
    }
    FoundItem item{
        .key = item_key(env_.program.name(), {0, page}), .url = page, .size = {}, .skip = {}};
    if (fault.code == "unsupported_url") item.skip = fault.code;
    add(std::move(item));
  }
  int depth = 0;
  for (const std::string& page : listing_.pages) depth = std::max(depth, depths_[page]);
  if (depth + 1 > kDepthMax) return;
  for (const std::string& page : listed.pages) {
    if (depths_.contains(page)) continue;
    if (depths_.size() >= kPagesMax)
      return break_off(
          {FaultKind::permanent, kTooLong, fmt::format("more than {} pages", kPagesMax)});
    depths_.emplace(page, depth + 1);
    pages_.push_back(page);
  }
}

void Lister::stop() {
  if (gone_) return;
  stopping_ = true;
  if (run_) return run_->kill();
  gone_ = true;
  tell(Stopped{});
}

}  // namespace haul::child
