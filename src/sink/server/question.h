#pragma once
// The two ends of a question: one on the asker's thread, one on the loop's.

#include <atomic>
#include <memory>

#include "seam/media_server.h"

namespace haul::media_server {

// Whether the answer is still wanted. Both threads know it.
class AnswerWanted {
 public:
  bool is_open() const { return open_; }
  // True for the first who ends it: the one with the answer, or the asker who withdraws.
  bool end() { return open_.exchange(false); }

 private:
  std::atomic<bool> open_ = true;
};
using Wanted = std::shared_ptr<AnswerWanted>;

// The asker's end. Destroying it withdraws the question.
std::unique_ptr<ServerQuestion> make_question(Wanted wanted);

// The loop's end: passes the answer on if it is still wanted. A fault leaves as the seam names it.
MediaServer::Told answering(Wanted wanted, MediaServer::Told done);
MediaServer::Found answering(Wanted wanted, MediaServer::Found done);

}  // namespace haul::media_server
