// Ctrl-C during a real `haul get` keeps what has arrived, and a later run resumes it; with
// --discard it is deleted within two seconds, whatever is in progress (S2-12).

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/file/folder.h"
#include "support/process/get_folders.h"
#include "support/process/process.h"
#include "support/run/moment.h"
#include "support/run/proof.h"
#include "support/run/skip.h"
#include "support/server/fault_server.h"
#include "support/store/acknowledged.h"
#include "support/store/invariants.h"

using namespace haul;
using namespace haul::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kCancelsInTest = 20;
constexpr int kCancelsInProof = 200;

// What is in progress when the user presses Ctrl-C.
struct Moment {
  std::string name;
  int files;
  std::size_t size;
  const char* switches;
  std::vector<std::string> options;
};
const std::vector<std::string> kNoLimits = {"--per-host", "16", "--delay", "0"};
const std::vector<Moment> kMoments = {
    {"connecting", 20, 1'000, "&delay_ms=20000", kNoLimits},
    {"body", 20, 4'000'000, "&limit_rate=500000", kNoLimits},
    {"body in segments",
     1,
     40'000'000,
     "&limit_rate=1000000",
     {"--per-host", "16", "--delay", "0", "--segments", "8"}},
    {"body without proof", 20, 4'000'000, "&limit_rate=500000&etag=none&last_modified=none",
     kNoLimits},
    {"backoff", 20, 300'000, "&reset_after=100000", kNoLimits},
    {"refused", 20, 1'000, "&status=503", kNoLimits},
    {"limiter", 20, 1'000, "", {}},
    {"landing", 3'000, 500, "", kNoLimits},
    {"landing with a hash", 300, 200'000, "&digest=good", kNoLimits},
};

struct CancelRun {
  FaultServer server;
  GetFolders folders;
  std::vector<std::string> command;
  std::size_t size = 0;

  explicit CancelRun(const Moment& moment) : size{moment.size} {
    std::vector<std::string> urls;
    for (int i = 0; i < moment.files; ++i)
      urls.push_back(
          server.url(fmt::format("/f/c{}.bin?size={}{}", i, moment.size, moment.switches)));
    std::vector<std::string> words = {"-i", folders.list(urls)};
    words.insert(words.end(), moment.options.begin(), moment.options.end());
    command = folders.command(words);
  }

  // Waits until the server has seen the first request, and then a random time.
  void wait_for(std::mt19937& random, std::chrono::microseconds at_most) const {
    for (int i = 0; i < 10'000 && server.get("/count").body() == "{}\n"; ++i) let_pass(1ms);
    let_pass(between(random, 0us, at_most));
  }

  // Parts that have received bytes already.
  std::size_t parts_with_bytes() const {
    std::size_t count = 0;
    std::error_code gone;
    for (const std::string& part : folders.parts()) {
      const auto bytes = std::filesystem::file_size(folders.folder() / part, gone);
      count += !gone && bytes > 0 ? 1 : 0;
    }
    return count;
  }

  // The files in their places are the ones the store lists, and all are whole.
  void check_files() const {
    Sql store = folders.store();
    const std::vector<std::string> broken = broken_invariants(store);
    CHECK_MESSAGE(broken.empty(), joined(broken));
    std::string names;
    for (const std::string& name : folders.files()) {
      names += (names.empty() ? "" : "\n") + (folders.folder() / name).string();
      CHECK_MESSAGE(folders.sha256_of(name) == FaultServer::content_sha256(name, size), name);
    }
    CHECK(names == store.ask("SELECT file_path FROM contract_batch_job_items "
                             "WHERE status = 'COMPLETED' ORDER BY file_path"));
  }
};

// Receives queries and answers none.
class SilentNameServer {
 public:
  static constexpr const char* kAddress = "127.0.83.1";

  SilentNameServer() : socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(53);
    ::inet_pton(AF_INET, kAddress, &address.sin_addr);
    listening_ =
        ::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool is_listening() const { return listening_; }
  void wait_until_asked() const {
    pollfd question{socket_.get(), POLLIN, 0};
    REQUIRE(::poll(&question, 1, 10'000) == 1);
  }

 private:
  io::Descriptor socket_;
  bool listening_ = false;
};

// The time from Ctrl-C to the end. Empty if everything had arrived before.
std::optional<Millis> press(Child& get) {
  const Clock& clock = system_clock();
  const Steady pressed = clock.steady();
  get.signal(SIGINT);
  const int code = get.wait();
  if (code == 0) return std::nullopt;
  CHECK(code == 1);
  return clock.steady() - pressed;
}

std::optional<Millis> cancel(const CancelRun& run, std::mt19937& random) {
  std::vector<std::string> command = run.command;
  command.emplace_back("--discard");
  Child get{command};
  run.wait_for(random, 2'000ms);
  return press(get);
}

void check_cancelled(const CancelRun& run) {
  for (const std::string& part : run.folders.parts()) CHECK_MESSAGE(part.empty(), "was left over");
  run.check_files();
  Sql store = run.folders.store();
  CHECK(store.ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
  CHECK(store.ask("SELECT count(*) FROM contract_batch_job_items "
                  "WHERE status NOT IN ('COMPLETED', 'CANCELLED')") == "0");
  CHECK(store.ask("SELECT count(*) FROM contract_batch_events WHERE type = 'JOB_CANCELLED'") ==
        "1");
  CHECK(store.ask("SELECT type FROM contract_batch_events ORDER BY id DESC LIMIT 1") == "JOB_DONE");
}

}  // namespace

TEST_SUITE_BEGIN("proof alone");

TEST_CASE("S2-12: Ctrl-C with --discard leaves no part, open items CANCELLED (proof: within 2 s)") {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  Millis slowest{0};
  std::string slowest_while;

  const int wanted = rounds(kCancelsInTest, kCancelsInProof);
  int cancelled = 0;
  for (int round = 0; cancelled < wanted && round < 2 * wanted; ++round) {
    const Moment& moment = kMoments[static_cast<std::size_t>(round) % kMoments.size()];
    INFO("HAUL_TEST_SEED=" << seed << " round " << round << " while: " << moment.name);
    const CancelRun run{moment};
    const auto took = cancel(run, random);
    if (!took) continue;
    ++cancelled;
    CHECK(is_within(*took, 2s));
    if (*took > slowest) slowest_while = moment.name;
    slowest = std::max(slowest, *took);
    check_cancelled(run);
  }

  CHECK(cancelled == wanted);
  MESSAGE("slowest of " << cancelled << ": " << slowest.count() << " ms, while " << slowest_while);
}

TEST_CASE(
    "S2-12, X21: Ctrl-C with --discard does not wait for a silent name server (proof: within 2 "
    "s)") {
  const SilentNameServer names;
  if (!names.is_listening() || run_program({"unshare", "-m", "true"}).code != 0)
    return skip("only root can have a name server of its own");
  const GetFolders folders;
  std::vector<std::string> command = {
      "unshare",
      "-m",
      "sh",
      "-c",
      R"(mount --bind "$0" /etc/resolv.conf && exec "$@")",
      folders.list({fmt::format("nameserver {}", SilentNameServer::kAddress)})};
  for (const std::string& word : folders.command({"--discard", "http://silent.example/a"}))
    command.push_back(word);

  Child get{command};
  names.wait_until_asked();
  const auto took = press(get);

  REQUIRE(took);
  CHECK(is_within(*took, 2s));
  CHECK(folders.store().ask("SELECT status FROM contract_batch_jobs") == "CANCELLED");
}

TEST_CASE("S2-12, S2-31: Ctrl-C once keeps the parts, and the same command goes on with them") {
  const unsigned seed = seed_of_test();
  MESSAGE("HAUL_TEST_SEED=" << seed);
  std::mt19937 random{seed};
  const CancelRun run{{"body", 8, 3'000'000, "&limit_rate=1000000", kNoLimits}};
  {
    Child get{run.command};
    run.wait_for(random, 1'000ms);
    for (int i = 0; i < 3'000 && run.parts_with_bytes() < 8; ++i) let_pass(10ms);
    get.signal(SIGINT);
    CHECK(get.wait() == 1);
  }
  CHECK(run.folders.parts().size() == 8);
  CHECK(run.folders.files().empty());
  CHECK(run.folders.store().ask("SELECT state, attempt FROM jobs") == "PENDING|0");
  const std::size_t before = run.server.log().size();

  CHECK(Child{run.command}.wait() == 0);

  CHECK(run.folders.parts().empty());
  CHECK(run.folders.files().size() == 8);
  run.check_files();
  const std::vector<LoggedRequest> log = run.server.log();
  CHECK(log.size() == before + 8);
  for (std::size_t i = before; i < log.size(); ++i) CHECK(log[i].status == 206);
}

TEST_SUITE_END();
