#include "engine/http/slot_line.h"

#include <algorithm>
#include <utility>

namespace haul::http {

void SlotLine::join(const std::string& host, const void* who, Ask ask) {
  std::deque<Waiting>& line = hosts_[host];
  const auto found = std::ranges::find(line, who, &Waiting::who);
  if (found == line.end()) return line.push_back({who, std::move(ask)});
  found->ask = std::move(ask);
}

void SlotLine::leave(const void* who) {
  for (auto& [host, line] : hosts_)
    std::erase_if(line, [who](const Waiting& each) { return each.who == who; });
  std::erase_if(hosts_, [](const auto& each) { return each.second.empty(); });
}

void SlotLine::next(const std::string& host) {
  const auto found = hosts_.find(host);
  if (found == hosts_.end()) return;
  const Ask ask = std::move(found->second.front().ask);
  found->second.pop_front();
  if (found->second.empty()) hosts_.erase(found);
  ask();
}

}  // namespace haul::http
