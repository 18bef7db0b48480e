// The choosing engine joins the suite of item engines. It chooses the http engine: no program is
// installed.

#include "engine/choose/choose.h"

#include "conformance/engine/adapters/http_outside.h"

namespace haul::conformance {
namespace {

class ChooseBench final : public HttpOutside {
 public:
  ItemEngine& engine() override { return *engines_->all; }
  void crash() override {
    engines_.reset();
    engines_ = make();
  }

 private:
  static child::ChildSettings not_installed() {
    child::ChildSettings settings;
    settings.program = "/nowhere/program";
    return settings;
  }

  struct All {
    All(Gate& gate, const Clock& clock)
        : http_loop{io::make_http_loop(clock)},
          loop{io::make_poll_loop(clock)},
          lander{io::make_lander(io::Durability::off)},
          http{http::make_http_engine(*http_loop, gate, clock, {}, io::Durability::off)},
          videos{child::make_child_engine(child::yt_dlp(), *loop, gate, *lander, clock,
                                          not_installed())},
          pictures{child::make_child_engine(child::gallery_dl(), *loop, gate, *lander, clock,
                                            not_installed())},
          all{choose::make_choosing_engine({*http, *videos, *pictures}, inboxes, *loop, *http_loop,
                                           gate, {})} {}

    choose::ChoosingInboxes inboxes;
    std::unique_ptr<io::HttpLoop> http_loop;
    std::unique_ptr<io::PollLoop> loop;
    std::unique_ptr<io::Lander> lander;
    std::unique_ptr<ItemEngine> http;
    std::unique_ptr<child::ChildEngine> videos;
    std::unique_ptr<child::ChildEngine> pictures;
    std::unique_ptr<ItemEngine> all;  // Destroyed first: it calls the others.
  };
  std::unique_ptr<All> make() { return std::make_unique<All>(gate, clock); }

  std::unique_ptr<All> engines_ = make();
};

const Joins<ItemBench> kJoins{"choose", [] { return std::make_unique<ChooseBench>(); }};

}  // namespace
}  // namespace haul::conformance
