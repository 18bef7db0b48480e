#include "engine/child/delivery.h"

#include <fmt/core.h>

#include <utility>

#include "base/ensure.h"
#include "base/posting.h"
#include "engine/here_file.h"
#include "io/file/content.h"

namespace haul::child {

Delivery::Delivery(ChildEnv env, std::shared_ptr<ChildJob> job, Order order, Inbox& inbox)
    : env_{env},
      job_{std::move(job)},
      order_{std::move(order)},
      landing_{job_->landing, io::owner_of(order_), env.boot},
      inbox_{inbox} {}

bool Delivery::is_fetched() const {
  return landing_.state() != io::LandingState::filling &&
         landing_.state() != io::LandingState::ended;
}

void Delivery::tell(What what) {
  ensure(!is_gone(), "an item reports nothing after its end");
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Delivery::end(What what) {
  tell(std::move(what));
  landing_.end();
}

void Delivery::fail(Fault fault) {
  const io::LandingState state = landing_.state();
  if (state == io::LandingState::filling || state == io::LandingState::whole)
    give_up(std::move(fault));
}

// A program cannot go on with a part, so only a whole one is left for a later start. Its checkpoint
// is stored: without a new one, the store keeps it.
void Delivery::give_up(Fault fault) {
  const bool is_left = landing_.fail(fault, {}) == io::StopStep::leave;
  end(Failed{.fault = std::move(fault), .checkpoint = is_left ? "" : "{}"});
}

bool Delivery::recognise() {
  const io::FoundAs found = landing_.recognise(io::Checkpoint::from_json(order_.checkpoint));
  landing_.remove_left();
  if (found == io::FoundAs::nothing) return is_here();
  size_ = landing_.file()->mark().size;
  if (found == io::FoundAs::in_place)
    put();  // An earlier start may have been lost before the flush.
  else
    fetched();
  return true;
}

// Z-24: a page has no validators of its files, so an unchanged file of an earlier run is enough.
bool Delivery::is_here() {
  using engine::IfExists;
  const IfExists existing = job_->request.existing;
  if (existing == IfExists::overwrite || existing == IfExists::keep_both) return false;
  const auto here = engine::find_here(
      *job_->landing.folder, order_.receipts,
      {.name = order_.item == 1 ? job_->request.name : "", .checksum = wanted_sum()});
  if (!here) return false;
  end(Finished{.path = here->receipt.path,
               .size = here->receipt.size,
               .in_place = true,
               .evidence = evidence_of_earlier(here->receipt.evidence, here->seen.mtime)});
  return true;
}

void Delivery::take(const StagedFile& staged) {
  if (landing_.state() != io::LandingState::filling) return;  // An item is one file.
  const bool is_named = order_.item == 1 && !job_->request.name.empty();
  if (!env_.program.may_deliver(staged.name))
    return give_up({FaultKind::rejected, "unsafe_extension",
                    fmt::format("{} is not a type of file that {} may deliver", staged.name,
                                env_.program.name())});
  if (wanted_sum().hex.empty())
    if (auto checked = io::check_content(*staged.file, staged.name); !checked)
      return give_up(checked.error());
  if (auto opened = landing_.set_path(is_named ? job_->request.name : staged.path); !opened)
    return give_up(opened.error());
  size_ = staged.file->mark().size;
  if (const auto& most = job_->request.filters.size_max; most && size_ > *most)
    return give_up({FaultKind::permanent, "too_large",
                    fmt::format("larger than filters.max_size allows: {} bytes", *most)});
  if (auto taken = landing_.take(*staged.folder, staged.name, staged.file); !taken)
    return give_up(taken.error());
  fetched();
}

void Delivery::fetched() {
  const auto kept = landing_.choose_place(size_);
  if (!kept) return give_up(kept.error());
  tell(Fetched{.path = landing_.path(), .size = size_, .checkpoint = kept->to_json()});
}

Checksum Delivery::wanted_sum() const {
  return order_.item == 1 ? job_->request.checksum : Checksum{};
}

void Delivery::land() {
  if (landing_.state() == io::LandingState::whole) put();
}

void Delivery::put() {
  // Until haul took the file from the program's folder, the program could change its mode.
  if (!deny_running(*landing_.file()))
    return give_up({FaultKind::environment, "disk_error", landing_.path()});
  if (!job_->request.hash.empty())
    taken_ = std::make_shared<Checksum>(Checksum{job_->request.hash, {}});
  landing_.put(env_.lander, wanted_sum(),
               posting<Result<void>>(env_.loop.poster(), alive_,
                                     [this](const Result<void>& result) { landed(result); }),
               taken_);
}

void Delivery::landed(const Result<void>& result) {
  const std::string mtime = landing_.file()->seen().mtime;
  switch (landing_.placed(result)) {
    case io::PlaceEnd::done:
      return end(Finished{
          .path = landing_.path(), .size = size_, .in_place = true, .evidence = evidence(mtime)});
    case io::PlaceEnd::taken:
      return fetched();
    case io::PlaceEnd::stopped:
      return end(Stopped{});
    case io::PlaceEnd::unflushed:  // Without a new checkpoint, the store keeps the one of the file.
      return end(Failed{.fault = result.error(), .checkpoint = {}});
    case io::PlaceEnd::failed:
      return give_up(result.error());
  }
}

std::string Delivery::evidence(const std::string& mtime) const {
  const Checksum sum = wanted_sum();
  std::string proof =
      sum.hex.empty()
          ? fmt::format(R"({{"kind":"engine","engine":"{}","size":{})", env_.program.name(), size_)
          : fmt::format(R"({{"kind":"hash","{}":"{}","size":{})", sum.algorithm, sum.hex, size_);
  io::append_member(proof, "mtime", mtime);
  if (order_.item == 1) io::append_member(proof, "name", job_->request.name);
  if (taken_ && sum.algorithm != taken_->algorithm)
    io::append_member(proof, taken_->algorithm, taken_->hex);
  return proof + '}';
}

void Delivery::stop(Leftovers leftovers) {
  if (is_gone()) return;
  if (landing_.stop(leftovers, {}) != io::StopStep::wait) end(Stopped{});
}

}  // namespace haul::child
