#include "engine/choose/choose.h"

#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "engine/child/leftovers.h"
#include "engine/choose/choice.h"
#include "engine/choose/planner.h"
#include "seam/item_key.h"

namespace haul::choose {
namespace {

// Probing every address of a longer list takes longer than fetching the files.
constexpr std::size_t kChooseMax = 50;

using Key = std::pair<const Inbox*, std::int64_t>;

class Choosing final : public ItemEngine {
 public:
  Choosing(Engines engines, ChoosingInboxes& inboxes, io::PollLoop& loop, io::HttpLoop& http_loop,
           Gate& gate, http::HttpSettings settings)
      : settings_{std::move(settings)},
        env_{engines, loop, http_loop, gate, settings_, inboxes.all()} {}
  ~Choosing() override {
    std::promise<void> cleared;
    env_.loop.post([this, &cleared] {
      planners_.clear();
      cleared.set_value();
    });
    cleared.get_future().wait();
    std::promise<void> let_go;  // The HTTP loop destroys the looks.
    env_.http_loop.post([&let_go] { let_go.set_value(); });
    let_go.get_future().wait();
  }

  void plan(const Order& order, Inbox& inbox) override {
    const auto wanted = engine_wanted(order.request.text());
    if (!wanted) return fail(order, inbox, wanted.error());
    if (*wanted == kHttp) return env_.engines.http.plan(order, inbox);
    const auto request = engine::read_get_request(order.request.text());
    if (!request) return fail(order, inbox, request.error());
    if (*wanted == kAuto && is_plain(*request, order, inbox))
      return env_.engines.http.plan(order, inbox);
    env_.loop.post([this, order, &inbox, wanted = *wanted, request = *request] {
      std::erase_if(planners_, [](const auto& each) { return each.second->is_gone(); });
      auto& planner = planners_[{&inbox, order.start}] =
          std::make_unique<Planner>(env_, order, inbox, wanted, request);
      planner->begin();
    });
  }

  void start(Order order, Inbox& inbox) override {
    ItemEngine& engine = of(order);
    engine.start(std::move(order), inbox);
  }
  void land(const Order& order, Inbox& inbox) override { of(order).land(order, inbox); }

  void stop(const Order& order, Leftovers leftovers, Inbox& inbox) override {
    if (order.item != 0) return of(order).stop(order, leftovers, inbox);
    env_.loop.post([this, order, leftovers, &inbox] {
      const auto found = planners_.find({&inbox, order.start});
      if (found != planners_.end() && !found->second->is_gone())
        return found->second->stop(leftovers);
      if (order.start == 0 && leftovers == Leftovers::remove) clear(order);
      env_.engines.http.stop(order, leftovers, inbox);
    });
  }

 private:
  // The job has ended: what carries its name was left by an earlier worker.
  void clear(const Order& order) const {
    const auto request = engine::read_get_request(order.request.text());
    if (!request) return;
    const auto folder =
        io::open_destination(settings_.destinations, request->folder, io::Folder::Missing::fault);
    if (!folder) return;
    child::remove_leftovers(*folder, [&](const io::PartOwner& owner) {
      return owner.store == order.store && owner.job == order.job;
    });
  }

  ItemEngine& of(const Order& order) const {
    const std::string_view engine = engine_of(order.key);
    if (engine == kYtDlp) return env_.engines.yt_dlp;
    if (engine == kGalleryDl) return env_.engines.gallery_dl;
    return env_.engines.http;
  }

  static void fail(const Order& order, Inbox& inbox, const Fault& fault) {
    inbox.push({order.job, order.item, order.fence, order.start,
                Failed{.fault = fault, .checkpoint = {}}});
  }

  // Whether the http engine takes the whole request. If so, reports that choice. Most requests are
  // plain; they need no probe and cost no time.
  bool is_plain(const engine::GetRequest& request, const Order& order, Inbox& inbox) const {
    std::string why;
    const auto is_file = [](const std::string& url) { return guess_by_name(url) == Guess::file; };
    if (request.discover)
      why = "discover is set";
    else if (!request.each.empty())
      why = "single URLs have options or mirrors";
    else if (request.urls.size() > kChooseMax)
      why = "the list is too long to check each URL";
    else if (!request.each.empty())
      why = "single URLs have options";
    else if (std::ranges::all_of(request.urls, is_file))
      why = "all names look like files";
    else if (!env_.engines.yt_dlp.is_installed() && !env_.engines.gallery_dl.is_installed())
      why = "neither yt-dlp nor gallery-dl is installed";
    if (why.empty()) return false;
    inbox.push({order.job, order.item, order.fence, order.start,
                Chosen{.engine = std::string{kHttp}, .reason = why}});
    return true;
  }

  const http::HttpSettings settings_;
  const ChooseEnv env_;
  std::map<Key, std::unique_ptr<Planner>> planners_;  // Used only on the loop's thread.
};

}  // namespace

ChoosingInboxes::ChoosingInboxes() : all_{std::make_unique<std::list<ChoosingInbox>>()} {}
ChoosingInboxes::~ChoosingInboxes() = default;

std::unique_ptr<ItemEngine> make_choosing_engine(Engines engines, ChoosingInboxes& inboxes,
                                                 io::PollLoop& loop, io::HttpLoop& http_loop,
                                                 Gate& gate, http::HttpSettings settings) {
  return std::make_unique<Choosing>(engines, inboxes, loop, http_loop, gate, std::move(settings));
}

}  // namespace haul::choose
