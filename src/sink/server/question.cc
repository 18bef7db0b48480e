#include "sink/server/question.h"

#include <utility>

#include "sink/server/calls.h"

namespace haul::media_server {
namespace {

class Question final : public ServerQuestion {
 public:
  explicit Question(Wanted wanted) : wanted_{std::move(wanted)} {}
  ~Question() override { wanted_->end(); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

 private:
  Wanted wanted_;
};

}  // namespace

std::unique_ptr<ServerQuestion> make_question(Wanted wanted) {
  return std::make_unique<Question>(std::move(wanted));
}

MediaServer::Told answering(Wanted wanted, MediaServer::Told done) {
  return [wanted = std::move(wanted), done = std::move(done)](Result<void> answer) {
    if (!wanted->end()) return;
    if (!answer) return done(std::unexpected{as_told_outside(answer.error())});
    done({});
  };
}

MediaServer::Found answering(Wanted wanted, MediaServer::Found done) {
  return
      [wanted = std::move(wanted), done = std::move(done)](Result<std::vector<PlacedFile>> answer) {
        if (!wanted->end()) return;
        if (!answer) return done(std::unexpected{as_told_outside(answer.error())});
        done(std::move(answer));
      };
}

}  // namespace haul::media_server
