#pragma once
// Plans one batch, address by address: chooses the engine that lists each address, collects the
// items, and remembers the reason for the choice. Lives on the loop of the child programs.

#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/choose/choose.h"
#include "engine/choose/look.h"

namespace haul::choose {

class Planner;

// The inbox of a planner. Takes sights from any thread and posts them to the planner's loop. An
// engine may push to it for as long as the engine lives, so the inbox outlives its planner.
class ChoosingInbox final : public Inbox {
 public:
  ChoosingInbox(Planner& planner, std::weak_ptr<const bool> alive, const io::PollLoop& loop)
      : planner_{planner}, alive_{std::move(alive)}, to_{loop.poster()} {}
  void push(Sight sight) override;

 private:
  Planner& planner_;
  const std::weak_ptr<const bool> alive_;  // Expires with the planner.
  const std::shared_ptr<io::Poster> to_;
};

struct ChooseEnv {
  Engines engines;
  io::PollLoop& loop;
  io::HttpLoop& http_loop;
  Gate& gate;
  const http::HttpSettings& settings;
  std::list<ChoosingInbox>& inboxes;
};

class Planner {
 public:
  Planner(ChooseEnv env, Order order, Inbox& inbox, std::string wanted, engine::GetRequest request);
  ~Planner();

  void begin() { next(); }
  void stop(Leftovers leftovers);
  bool is_gone() const { return gone_; }

 private:
  friend class ChoosingInbox;

  void tell(What what);
  void next();
  void ask_gallery_dl();
  void ask_server();
  void looked(const std::string& type);
  void end_look();
  void choose(ItemEngine& engine, std::string_view name, std::string why);
  void choose_http(std::string why);
  void plan_http();
  void hear(const Sight& sight);
  void take(const Planned& planned);
  void failed(const Failed& failure);
  void finish();

  ChooseEnv env_;
  Order order_;
  Inbox& inbox_;
  const std::string wanted_;
  const engine::GetRequest request_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  std::list<ChoosingInbox>::iterator own_inbox_;  // The engines answer there.

  std::deque<std::string> urls_;
  std::vector<std::string> for_http_;
  std::vector<FoundItem> items_;
  bool is_part_ = false;          // Some items of the current address have come, but not all.
  std::optional<Failed> broken_;  // Set if a listing broke off after its first items.
  std::string at_;                // The current address.
  ItemEngine* engine_ = nullptr;  // Lists the current address. Null if none does.
  std::string_view engine_name_;
  std::set<std::string_view> chosen_;
  std::string reason_;
  std::shared_ptr<Look> look_;
  bool stopping_ = false;  // The engine at hand was told so; no other is asked.
  bool gone_ = false;
};

}  // namespace haul::choose
