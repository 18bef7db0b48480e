// Promise 18: every subscriber sees every move once, in order, across its own reconnects and the
// daemon's restarts.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "base/json.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/store/sql.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kReaders = 8;
constexpr int kWriters = 64;

// Where the daemon is: its port changes with every restart.
struct Shared {
  std::atomic<std::uint16_t> port = 0;
  std::string key;
  std::atomic<int> jobs_done = 0;
  std::atomic<std::int64_t> last_event = 0;  // 0: not known yet.
};

std::string head(const Shared& shared, const std::string& method, const std::string& target,
                 const std::string& more) {
  return fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\n{}\r\n", method, target,
                     shared.key, more);
}

// Repeats a request until the daemon answers it, also across its restarts.
RawReply insist(const Shared& shared, const std::string& target, const std::string& body,
                const std::string& key) {
  for (int i = 0; i < 3'000; ++i) {
    try {
      const RawConnection connection{"127.0.0.1", shared.port};
      connection.send(head(shared, "POST", target,
                           fmt::format("Idempotency-Key: {}\r\nContent-Type: application/json\r\n"
                                       "Content-Length: {}\r\nConnection: close\r\n",
                                       key, body.size())) +
                      body);
      RawReply reply = connection.read();
      if (reply.status() != 0 && reply.status() != 503) return reply;
    } catch (const std::runtime_error&) {  // The daemon is down at the moment.
    }
    let_pass(20ms);
  }
  return {};
}

// Adds and cancels each job. Idempotency keys make a retry after a lost answer harmless.
int write(Shared& shared, int writer, int jobs) {
  int refused = 0;
  for (int i = 0; i < jobs; ++i) {
    const RawReply added =
        insist(shared, "/api/v1/jobs",
               R"({"lifecycle":"batch","paused":true,"request":{"url":"https://example.org/a"}})",
               fmt::format("{}-{}", writer, i));
    if (added.status() / 100 != 2) ++refused;
    insist(shared, "/api/v1/jobs/" + member_of(added.body(), "id") + "/cancel", "{}", "");
    ++shared.jobs_done;
  }
  return refused;
}

struct Heard {
  std::vector<std::int64_t> ids;
  std::map<std::string, std::vector<int>> seqs;  // By job.
  int connections = 0;
  int garbled = 0;

  std::int64_t last() const { return ids.empty() ? 0 : ids.back(); }

  // Takes one event, without the empty line after it. False if the server asks for a resync.
  bool take(std::string_view text) {
    if (!text.starts_with("id: ")) return true;  // A keep-alive comment, or progress.
    if (text.find("\nevent: resync") != std::string_view::npos) return false;
    const std::size_t data = text.find("\ndata: ");
    const std::string_view json = text.substr(std::min(data + 7, text.size()));
    const std::int64_t id = std::stoll(std::string{text.substr(4)});
    if (member_of(json, "id") != std::to_string(id)) ++garbled;
    ids.push_back(id);
    seqs[member_of(json, "job")].push_back(std::stoi(member_of(json, "seq")));
    return true;
  }
};

// One connection, closed after at most this many bytes. Drops an incomplete event at the end.
void listen_once(const Shared& shared, Heard& heard, std::size_t bytes_max) {
  const RawConnection connection{"127.0.0.1", shared.port};
  connection.send(
      head(shared, "GET", "/api/v1/events", fmt::format("Last-Event-ID: {}\r\n", heard.last())));
  ++heard.connections;
  std::string unread;
  bool in_body = false;
  for (std::size_t bytes = 0; bytes < bytes_max;) {
    if (shared.last_event != 0 && heard.last() >= shared.last_event) return;
    const RawReply part = connection.read_some(200ms);
    if (part.bytes.empty() && part.end != RawReply::End::timed_out) return;
    bytes += part.bytes.size();
    unread += part.bytes;
    for (auto end = unread.find(in_body ? "\n\n" : "\r\n\r\n"); end != std::string::npos;
         end = unread.find(in_body ? "\n\n" : "\r\n\r\n")) {
      const bool goes_on = !in_body || heard.take(unread.substr(0, end));
      unread.erase(0, end + (in_body ? 2 : 4));
      in_body = true;
      if (!goes_on) return;  // The next connection asks for what this one missed.
    }
  }
}

Heard listen(const Shared& shared, unsigned seed) {
  std::mt19937 random{seed};
  Heard heard;
  for (int i = 0; i < 3'000 && (shared.last_event == 0 || heard.last() < shared.last_event); ++i) {
    try {
      listen_once(shared, heard, between(random, std::size_t{1}, std::size_t{60'000}));
    } catch (const std::runtime_error&) {
      let_pass(20ms);
    }
  }
  return heard;
}

std::vector<std::int64_t> ids_of(const std::string& rows) {
  std::vector<std::int64_t> ids;
  for (std::size_t at = 0; at < rows.size(); at = std::min(rows.find('\n', at), rows.size()) + 1)
    ids.push_back(std::stoll(rows.substr(at)));
  return ids;
}

void wait_for_jobs(const Shared& shared, int count) {
  for (int i = 0; i < 6'000 && shared.jobs_done < count; ++i) let_pass(10ms);
}

}  // namespace

TEST_CASE("promise 18: readers who come and go beside writers and restarts miss nothing" *
          doctest::test_suite("proof")) {
  const unsigned seed = seed_of_test();
  CAPTURE(seed);
  const int jobs = rounds(8, 60);
  const int all = kWriters * jobs;
  Daemon daemon;
  Shared shared;
  shared.port = daemon.port();
  shared.key = daemon.key();
  std::vector<Heard> heard(kReaders);
  std::atomic<int> refused = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < kReaders; ++i)
    readers.emplace_back([&, i] { heard[i] = listen(shared, seed + static_cast<unsigned>(i)); });
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < kWriters; ++i)
      writers.emplace_back([&, i] { refused += write(shared, i, jobs); });
    wait_for_jobs(shared, all / 3);
    CHECK(daemon.stop() == 0);
    daemon.start();
    shared.port = daemon.port();
    wait_for_jobs(shared, all * 2 / 3);
    daemon.kill();
    daemon.start();
    shared.port = daemon.port();
  }
  CHECK(refused == 0);
  Sql store{daemon.data() / "haul.db"};
  CHECK(store.ask("SELECT count(*) FROM jobs") == std::to_string(all));
  CHECK(store.ask("SELECT count(*) FROM jobs WHERE state = 'CANCELLED'") == std::to_string(all));
  const std::vector<std::int64_t> written = ids_of(store.ask("SELECT id FROM events ORDER BY id"));
  shared.last_event = written.back();
  readers.clear();  // Joins the readers: each has heard the last event, or given up.
  for (const Heard& each : heard) {
    CHECK(each.connections > 1);
    CHECK(each.garbled == 0);
    CHECK(each.ids == written);
    for (const auto& [job, seqs] : each.seqs) CHECK(std::ranges::is_sorted(seqs));
  }
}
