#include "flow/worker/handler.h"

namespace haul::flow {

std::vector<Awaited> Handler::awaited(const Held& held) const {
  if (is_at_rest(held)) return {};
  return {{.heard = held.heard}};
}

}  // namespace haul::flow
