#include "sink/server/server.h"

#include <algorithm>
#include <future>
#include <utility>

#include "sink/server/calls.h"

namespace haul::media_server {
namespace {

void end_on(io::HttpLoop& loop, std::unique_ptr<ServerTalk>& talk) {
  std::promise<void> ended;
  loop.post([&] {
    talk.reset();
    ended.set_value();
  });
  ended.get_future().wait();
}

class FramedServer final : public MediaServer {
 public:
  FramedServer(ServerWords words, io::HttpLoop& loop, std::unique_ptr<ServerTalk> talk)
      : words_{words}, loop_{loop}, talk_{std::move(talk)} {}
  ~FramedServer() override { end_on(loop_, talk_); }
  FramedServer(const FramedServer&) = delete;
  FramedServer& operator=(const FramedServer&) = delete;

  std::string_view name() const override { return words_.name; }
  std::string_view match() const override { return words_.match; }

  std::unique_ptr<ServerQuestion> tell(std::vector<std::string> folders, Told done) override {
    ensure_tellable(folders, done);
    std::ranges::sort(folders);
    const auto doubles = std::ranges::unique(folders);
    folders.erase(doubles.begin(), doubles.end());
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, folders = std::move(folders), done = std::move(done)] {
      if (wanted->is_open()) talk_->tell(folders, wanted, answering(wanted, done));
    });
    return make_question(wanted);
  }

  std::unique_ptr<ServerQuestion> find(FindFiles files, Found done) override {
    ensure_findable(files, done);
    const auto wanted = std::make_shared<AnswerWanted>();
    loop_.post([this, wanted, files = std::move(files), done = std::move(done)] {
      if (wanted->is_open()) talk_->find(files, wanted, answering(wanted, done));
    });
    return make_question(wanted);
  }

 private:
  const ServerWords words_;
  io::HttpLoop& loop_;
  std::unique_ptr<ServerTalk> talk_;
};

}  // namespace

std::unique_ptr<MediaServer> make_server(ServerWords words, io::HttpLoop& loop,
                                         std::unique_ptr<ServerTalk> talk) {
  return std::make_unique<FramedServer>(words, loop, std::move(talk));
}

Result<ServerProbe> probe_server(const Clock& clock, const MakeTalk& make) {
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<ServerTalk> talk = make(*loop);
  std::promise<Result<ServerProbe>> answered;
  loop->post([&] {
    talk->probe([&](Result<ServerProbe> probe) { answered.set_value(std::move(probe)); });
  });
  auto probe = answered.get_future().get();
  end_on(*loop, talk);
  if (!probe) return std::unexpected{as_told_outside(probe.error())};
  return probe;
}

Result<std::vector<std::string>> list_server_folder(const Clock& clock, const MakeTalk& make,
                                                    const std::string& folder) {
  const std::unique_ptr<io::HttpLoop> loop = io::make_http_loop(clock);
  std::unique_ptr<ServerTalk> talk = make(*loop);
  std::promise<Result<std::vector<std::string>>> answered;
  loop->post([&] {
    talk->list_folder(folder, [&](Result<std::vector<std::string>> names) {
      answered.set_value(std::move(names));
    });
  });
  auto names = answered.get_future().get();
  end_on(*loop, talk);
  if (!names) return std::unexpected{as_told_outside(names.error())};
  return names;
}

}  // namespace haul::media_server
