#include "flow/takeover/take_over.h"

#include <fmt/core.h>

#include <numeric>
#include <utility>

#include "base/ensure.h"
#include "base/utf8.h"
#include "flow/takeover/past_film.h"

namespace haul::flow {
namespace {

constexpr std::size_t kAtOnce = 500;  // Rows per transaction.

class Taking {
 public:
  explicit Taking(const TakeOver& what) : what_{what} {}

  TakenOver run() {
    done_.rows = what_.old.count();
    std::size_t read = 0;
    for (auto page = what_.old.next(kAtOnce); !page.empty(); page = what_.old.next(kAtOnce)) {
      take(page);
      read += page.size();
      if (what_.tell) what_.tell(read, done_.rows);
    }
    return std::move(done_);
  }

 private:
  struct Film {
    const OldDownload* row;
    PastJob past;
  };

  void take(std::span<const OldDownload> page) {
    std::vector<Film> films;
    for (const OldDownload& row : page) {
      if (is_over(row)) {
        ++done_.over;
        continue;
      }
      auto past = past_film(row, what_.now);
      if (past)
        films.push_back({&row, *std::move(past)});
      else
        leave_out(row, past.error());
    }
    add(without_known(std::move(films)));
  }

  std::vector<Film> without_known(std::vector<Film> films) {
    std::vector<std::string> keys;
    keys.reserve(films.size());
    for (const Film& film : films) keys.push_back(film.past.job.caller_key);
    const std::vector<bool> known = what_.known(keys);
    ensure(known.size() == keys.size(), "each key is known or not");
    std::vector<Film> left;
    for (std::size_t i = 0; i < films.size(); ++i)
      if (!known[i]) left.push_back(std::move(films[i]));
    done_.already += films.size() - left.size();
    return left;
  }

  void add(std::vector<Film> films) {
    if (films.empty()) return;
    if (!what_.open) {
      for (const Film& film : films) ++done_.added[film.row->status];
      return;
    }
    std::vector<PastJob> jobs;
    jobs.reserve(films.size());
    for (Film& film : films) jobs.push_back(std::move(film.past));
    const std::vector<AddAnswer> answers = store().jobs().add_past(jobs);
    ensure(answers.size() == films.size(), "the store answers for each film");
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i])
        leave_out(*films[i].row, answers[i].error());
      else if (answers[i]->replayed)
        ++done_.already;
      else
        ++done_.added[films[i].row->status];
    }
  }

  // The audit log and the mark come before the first film, so a takeover that is cut off has both.
  Store& store() {
    if (store_) return *store_;
    store_ = &what_.open();
    store_->ledger().audit(kAdmin, {}, "IMPORT_DB",
                           fmt::format("an old database of {} downloads", done_.rows), what_.now);
    if (!store_->identity().is_restored()) store_->identity().mark_restored(what_.now);
    return *store_;
  }

  void leave_out(const OldDownload& row, const Refusal& why) {
    ++done_.left_out;
    if (done_.problems.size() < kProblemsMax)
      done_.problems.push_back({to_utf8(row.id), why.code, why.detail});
  }

  const TakeOver& what_;
  Store* store_ = nullptr;
  TakenOver done_;
};

}  // namespace

std::size_t TakenOver::added_in_all() const {
  return std::accumulate(added.begin(), added.end(), std::size_t{0},
                         [](std::size_t sum, const auto& each) { return sum + each.second; });
}

TakenOver take_over(const TakeOver& what) {
  ensure(static_cast<bool>(what.known), "a takeover knows what is there already");
  return Taking{what}.run();
}

}  // namespace haul::flow
