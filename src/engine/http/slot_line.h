#pragma once
// Downloads that wait for a slot at a host, in the order in which they asked. A download that is
// done with its slot lets the next one ask the gate at once, instead of at its next turn to ask.
// One that asks in vain goes to the end.

#include <deque>
#include <functional>
#include <map>
#include <string>

namespace haul::http {

class SlotLine {
 public:
  using Ask = std::function<void()>;

  // One that waits at this host already keeps its place. Only its newest `ask` is called.
  void join(const std::string& host, const void* who, Ask ask);
  void leave(const void* who);
  bool is_waited_for(const std::string& host) const { return hosts_.contains(host); }
  // Takes the first one out and lets it ask. It may join again.
  void next(const std::string& host);

 private:
  struct Waiting {
    const void* who;
    Ask ask;
  };
  std::map<std::string, std::deque<Waiting>> hosts_;  // None is empty.
};

}  // namespace haul::http
