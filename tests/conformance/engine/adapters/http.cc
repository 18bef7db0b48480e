// The http engine joins the suite of item engines.

#include "engine/http/http.h"

#include "conformance/engine/adapters/http_outside.h"

namespace haul::conformance {
namespace {

class HttpBench final : public HttpOutside {
 public:
  ItemEngine& engine() override { return *engine_; }
  void crash() override {
    engine_.reset();
    engine_ = make();
  }
  std::string exempt(ItemRule rule) const override {
    if (rule == ItemRule::clears_jobs) return "The choosing engine does it for those it chooses.";
    return {};
  }

 private:
  std::unique_ptr<ItemEngine> make() {
    return http::make_http_engine(*loop_, gate, clock, {}, io::Durability::off);
  }

  std::unique_ptr<io::HttpLoop> loop_ = io::make_http_loop(clock);
  std::unique_ptr<ItemEngine> engine_ = make();
};

const Joins<ItemBench> kJoins{"http", [] { return std::make_unique<HttpBench>(); }};

}  // namespace
}  // namespace haul::conformance
