#include "flow/media/judge.h"

#include <utility>

namespace haul::flow {

ImportAct judge_import(Step step) {
  if (step == Step::land) return ImportAct::land;
  return step == Step::verify ? ImportAct::prove : ImportAct::none;
}

std::expected<Receipt, KeepSource> judge_indexed(const LandedView& view, const Indexed& seen) {
  auto receipt = verify(view.landing, seen);
  if (!receipt) return std::unexpected{KeepSource::not_proven};
  if (view.is_restored) return std::unexpected{KeepSource::restored};
  return *std::move(receipt);
}

}  // namespace haul::flow
