#include "engine/child/fetcher.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "base/ensure.h"
#include "io/file/filename.h"

namespace haul::child {
namespace {

constexpr std::int64_t kCopies = 3;
constexpr std::int64_t kAboutMax = std::int64_t{1} << 50U;
constexpr std::int64_t kBeside = std::int64_t{64} << 20U;  // Room for the program's own files.

// At most kAboutMax, because the numbers are what a program says.
std::int64_t sum(const std::map<std::string, std::int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0},
                         [](std::int64_t all, const auto& each) {
                           return std::min(all + std::min(each.second, kAboutMax), kAboutMax);
                         });
}

}  // namespace

Fetcher::Fetcher(ChildEnv env, std::shared_ptr<ChildJob> job, std::vector<Order> orders,
                 Inbox& inbox)
    : env_{env}, job_{std::move(job)}, inbox_{inbox} {
  ensure(!orders.empty(), "a process fetches an item");
  for (Order& order : orders) pieces_.emplace_back(env_, job_, std::move(order), inbox_);
}

bool Fetcher::is_gone() const {
  return !run_ &&
         std::ranges::all_of(pieces_, [](const Piece& each) { return each.delivery.is_gone(); });
}

void Fetcher::end_with(const Fault& fault) {
  for (Piece& piece : pieces_)
    if (!piece.delivery.is_gone() && !piece.delivery.is_fetched()) piece.delivery.fail(fault);
}

bool Fetcher::recognise() { return pieces_.front().delivery.recognise(); }

void Fetcher::kill() {
  if (run_) run_->kill();
}

void Fetcher::begin() {
  std::vector<PageItem> items;
  std::vector<std::string> pages;
  for (const Piece& piece : pieces_) {
    auto item = page_item_of(piece.delivery.order().key).value_or(PageItem{});
    const auto checked = check_page_url(item.page);
    if (!checked) return end_with(checked.error());
    if (std::ranges::find(pages, item.page) == pages.end()) pages.push_back(item.page);
    items.push_back(std::move(item));
  }
  if (auto checked = check_request(job_->request, env_.program.name()); !checked)
    return end_with(checked.error());
  const Order& first = pieces_.front().delivery.order();
  auto run = Run::prepare(env_, *job_, {io::owner_of(first), first.start}, pages, first.start);
  if (!run) return end_with(run.error());
  run_ = *std::move(run);
  const auto words = env_.program.fetch_words(run_->call(*job_), items);
  if (auto begun = run_->begin(words, *this); !begun) {
    run_.reset();
    return end_with(begun.error());
  }
  // A program for a single item does not announce which file it begins.
  if (env_.program.items_at_once() == 1) current_ = &pieces_.front();
}

// The gate opens connections only for a start that is still running, so the proxy asks as the first
// item that is not done.
void Fetcher::lead_proxy() {
  for (const Piece& piece : pieces_)
    if (!piece.delivery.is_gone() && !piece.delivery.is_fetched())
      return run_->proxy().ask_as(piece.delivery.order().start);
}

// Finds the item by its address. If the address has changed since the listing, takes the next item
// in order.
Fetcher::Piece* Fetcher::next_unbegun(const std::string& url) {
  Piece* next = nullptr;
  for (Piece& piece : pieces_) {
    if (piece.began) continue;
    if (piece.delivery.order().url == url) return &piece;
    if (next == nullptr) next = &piece;
  }
  return next;
}

void Fetcher::on_line(io::Stream stream, const std::string& line) {
  ProgramSays said = env_.program.read_line(stream, line);
  if (auto* begins = std::get_if<Begins>(&said)) {
    current_ = next_unbegun(begins->url);
    if (current_ != nullptr) current_->began = true;
    have_.clear();
    about_.clear();
    file_.clear();
    received_before_ = run_->proxy().received();
  } else if (const auto* comes = std::get_if<Comes>(&said)) {
    file_ = comes->file;
    have_[comes->file] = comes->have;
    if (comes->about) about_[comes->file] = *comes->about;
    changed_ = true;
  } else if (auto* works = std::get_if<Works>(&said)) {
    doing_ = std::move(works->at);
    changed_ = true;
    report();  // The work may end before the next periodic report.
  } else if (const auto* file = std::get_if<Delivered>(&said)) {
    delivered(file->path);
  } else if (auto* complains = std::get_if<Complains>(&said)) {
    complaints_.add(std::move(complains->text));
  }
}

void Fetcher::delivered(const std::string& path) {
  if (current_ == nullptr || current_->stopping) return;
  const auto staged = run_->staging().delivered(path);
  if (staged)
    current_->delivery.take(*staged);
  else
    current_->delivery.fail(staged.error());
  if (env_.program.items_at_once() > 1) current_ = nullptr;
  lead_proxy();
}

// Allows three times the announced size: two streams, and the file they are merged into.
std::int64_t Fetcher::size_max() const {
  std::int64_t most = env_.settings.max_size;
  if (!about_.empty()) most = std::max(most, kCopies * sum(about_));
  if (const auto& wanted = job_->request.filters.size_max)
    most = std::min(most, kCopies * *wanted + kBeside);
  return most;
}

void Fetcher::watch_disk() {
  if (!run_ || overrun_) return;
  overrun_ = run_->overrun(size_max());
  if (overrun_) run_->kill();
}

// Reports the bytes the program announces or, if it announces none, the bytes its proxy received.
void Fetcher::report() {
  watch_disk();
  if (current_ == nullptr || !run_ || current_->delivery.is_gone() ||
      current_->delivery.is_fetched() || current_->stopping)
    return;
  std::int64_t have = sum(have_);
  const bool says_nothing = env_.program.items_at_once() > 1;
  if (says_nothing) have = run_->proxy().received() - received_before_;
  if (!changed_ && have == told_) return;
  changed_ = false;
  told_ = have;
  Moving moving{.have = have, .size = {}, .path = {}, .checkpoint = {}, .status = doing_};
  if (!about_.empty()) moving.about = sum(about_);
  if (!file_.empty())
    moving.path = (job_->landing.folder->path() /
                   io::safe_name(std::filesystem::path{file_}.filename().string()))
                      .string();
  current_->delivery.tell(std::move(moving));
}

void Fetcher::stay_heard() {
  for (Piece& piece : pieces_)
    if (run_ && !piece.delivery.is_gone() && !piece.delivery.is_fetched())
      piece.delivery.tell(Waiting{"Waiting for its turn"});
}

void Fetcher::on_end(const io::ChildEnd& end) {
  ensure(run_ != nullptr, "a process ends once");
  const auto refusal = run_->proxy().refusal();
  run_.reset();
  for (Piece& piece : pieces_) {
    if (piece.delivery.is_gone() || piece.delivery.is_fetched()) continue;
    if (piece.stopping) {
      piece.delivery.stop(piece.leftovers);
      continue;
    }
    Fault fault = env_.program.why(end.code, complaints_.all(), piece.delivery.order().url);
    if (end.wrote_too_much)
      fault = {FaultKind::permanent, "too_much_output", "it wrote more output than haul reads"};
    // What we ended it for is the reason, whatever its proxy refused before.
    piece.delivery.fail(overrun_ ? overrun_for(piece, *overrun_) : refusal.value_or(fault));
  }
}

// A full disk fails every item of the process. A file that is too large fails only its own item;
// the others can be retried.
Fault Fetcher::overrun_for(const Piece& piece, const Fault& overrun) const {
  const bool is_its_own = current_ == nullptr || current_ == &piece;
  if (overrun.kind == FaultKind::environment || is_its_own) return overrun;
  return {FaultKind::retryable, "program_stopped",
          "the program was stopped because of another of its files"};
}

Fetcher::Piece* Fetcher::find(std::int64_t start) {
  const auto found = std::ranges::find_if(
      pieces_, [&](const Piece& each) { return each.delivery.order().start == start; });
  return found == pieces_.end() ? nullptr : &*found;
}

bool Fetcher::land(std::int64_t start) {
  Piece* piece = find(start);
  if (piece != nullptr) piece->delivery.land();
  return piece != nullptr;
}

// Stopping one item kills the process and so ends all its items. They belong to the same job.
bool Fetcher::stop(std::int64_t start, Leftovers leftovers) {
  Piece* piece = find(start);
  if (piece == nullptr || piece->delivery.is_gone()) return false;
  if (!run_ || piece->delivery.is_fetched()) {
    piece->delivery.stop(leftovers);
    return true;
  }
  piece->stopping = true;
  piece->leftovers = leftovers;
  run_->kill();
  return true;
}

}  // namespace haul::child
