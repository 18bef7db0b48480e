#pragma once
// The whole path of a book in virtual time: a real store, worker and engine, with a client in
// memory.

#include <fmt/core.h>

#include <map>
#include <string>

#include "flow/outside.h"
#include "flow/user/user.h"
#include "flow/user/why.h"
#include "flow/worker/worker.h"
#include "seam/not_configured.h"
#include "support/client/client_bench.h"

namespace haul::testing {

class SyncBench {
 public:
  explicit SyncBench(flow::Settings settings = {})
      : settings_{std::move(settings)},
        worker{bench.store(),
               flow::lifecycle_work(
                   {client.engine(), absent_, absent_, absent_, absent_, absent_, absent_}),
               client.clock,
               random_,
               settings_,
               "test"} {}

  ClientBench client;
  Bench bench;

 private:
  NotConfigured absent_{"not part of this test"};
  NoChance random_;
  const flow::Settings settings_;

 public:
  flow::Worker worker;

  Store& store() { return bench.store(); }
  FakeQbittorrent& fake() { return client.client; }
  Time now() { return client.clock.now(); }

  // Adds a book with a magnet link of this hash.
  JobId add(const std::string& hash, const std::string& book = "b1", UserId owner = kAdmin) {
    const flow::AddRequest to_add{
        .lifecycle = &kBook, .owner = owner, .request = request(hash, book)};
    const auto added = haul::flow::add(store(), to_add, now());
    if (!added) throw std::runtime_error{"refused: " + added.error().code};
    return added->id;
  }
  static std::string request(const std::string& hash, const std::string& book) {
    return fmt::format(R"({{"book_id":"{}","title":"Emma","media_type":"text","uri":"{}",)"
                       R"("source":"tracker","source_url":"https://t/1"}})",
                       book, magnet(hash));
  }
  // Adds a book that the client is downloading.
  JobId downloading(const std::string& hash = kHash) {
    const JobId id = add(hash);
    tick();
    FakeTorrent& torrent = fake().torrents.at(hash);
    torrent.state = "downloading";
    torrent.have = 1;
    after(settings_.poll);
    return id;
  }

  // Does everything that is due now.
  void tick() {
    for (int i = 0; i < 4; ++i) {
      worker.tick();
      client.loop.run();
    }
    worker.tick();
  }
  SyncBench& after(Millis time) {
    client.clock.pass(time);
    tick();
    return *this;
  }

  // The tag that the job's torrent has in the client.
  std::string tag(JobId id) { return fmt::format("haul-{}-{}", store().identity().id(), id.value); }
  Job job(JobId id) { return bench.job(id); }
  std::string state(JobId id) { return std::string{job(id).version.state}; }
  std::string trail(JobId id) { return bench.trail(id); }
};

}  // namespace haul::testing
