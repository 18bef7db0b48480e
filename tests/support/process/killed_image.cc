#include "support/process/killed_image.h"

#include <fmt/core.h>

#include <csignal>
#include <stdexcept>
#include <thread>

#include "support/run/moment.h"
#include "support/store/invariants.h"

namespace haul::testing {
namespace {

constexpr int kAtOnce = 4;
constexpr const char* kJob = R"({"lifecycle":"image","request":{"prompt":"a cat"}})";
constexpr const char* kKey = "Idempotency-Key: the-cat\r\n";

struct BookFact {
  const char* question;
  const char* answer;
};
constexpr BookFact kFacts[] = {
    {"SELECT group_concat(state) FROM jobs", "completed"},
    {"SELECT count(*) FROM events WHERE to_state = 'completed'", "1"},
    {"SELECT count(*) || replace(path, (SELECT value FROM meta WHERE name = 'store_id'), 'STORE')"
     " FROM assets",
     "1originals/STORE/1/0.png"},
    {"SELECT group_concat(kind) FROM (SELECT kind FROM credits ORDER BY id)",
     "grant,reserve,spend"},
    {"SELECT available || ' ' || reserved || ' ' || spent FROM wallets", "19 0 1"},
    // Each further call follows one that failed, or whose outcome is on record as unknown.
    {"SELECT count(*) FROM intents a WHERE a.kind = 'paid_call' AND a.state IN ('open', 'done')"
     " AND EXISTS (SELECT 1 FROM intents b WHERE b.kind = 'paid_call' AND b.id > a.id)",
     "0"},
    {"SELECT (SELECT count(*) FROM intents WHERE kind = 'paid_call' AND state = 'unknown')"
     " - (SELECT count(*) FROM events WHERE type = 'OUTCOME_UNKNOWN')",
     "0"},
};

std::vector<std::string> environment(const std::string& url, const std::string& key,
                                     const std::vector<std::string>& more) {
  std::vector<std::string> all{"HAUL__IMAGE__PROVIDER=openai", "HAUL__IMAGE__URL=" + url,
                               "HAUL__IMAGE__API_KEY=" + key, "HAUL__LOG__LEVEL=error"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

KilledImage::KilledImage(const std::vector<std::string>& settings,
                         const std::vector<std::string>& under)
    : has_tracer_{!under.empty()}, daemon_{environment(port_.url(), api_.key, settings), under} {
  port_.with([this] { api_.address = port_.url(); });
  const RawReply granted = daemon_.ask("POST", "/api/v1/users/1/credits", R"({"amount":20})",
                                       "Idempotency-Key: grant\r\n");
  if (granted.status() != 200) throw std::runtime_error{"cannot grant credits: " + granted.bytes};
}

bool KilledImage::add() {
  try {
    const int status = daemon_.ask("POST", "/api/v1/jobs", kJob, kKey).status();
    return status == 201 || status == 200;
  } catch (const std::exception&) {
    return false;  // The daemon is gone.
  }
}

bool KilledImage::comes_to_be_there() {
  bool is_there = false;
  comes_true([&] {
    is_there = Sql{daemon_.data() / "haul.db"}.ask("SELECT state FROM jobs") == "completed";
    return is_there || daemon_.has_ended();
  });
  return is_there && !daemon_.has_ended();
}

bool KilledImage::is_made() {
  if (has_tracer_) daemon_.signal(SIGUSR1);
  return add() && comes_to_be_there();
}

std::string KilledImage::problems_after_restart() {
  if (!comes_true([this] { return daemon_.has_ended(); }))
    return "neither is the image there, nor is the daemon gone\n";
  daemon_.wait();
  daemon_.start();
  if (!add()) return "the repeated request is refused\n";
  if (!comes_to_be_there())
    return fmt::format("the image does not come: {}\n", daemon_.get("/api/v1/jobs/1/why").body());
  return problems();
}

std::string KilledImage::problems() {
  std::string text = problems_of_calls();
  const Finished doctor =
      run_program({"env", "PATH=/nowhere", HAUL_BINARY, "doctor", "--data", daemon_.data().string(),
                   "--url", fmt::format("http://127.0.0.1:{}", daemon_.port())});
  if (doctor.code != 0) text += "haul doctor: " + doctor.out + doctor.err;
  daemon_.stop();
  return text + problems_of_books();
}

std::string KilledImage::problems_of_books() {
  Sql sql{daemon_.data() / "haul.db"};
  std::string text;
  for (const BookFact& fact : kFacts)
    if (const std::string answer = sql.ask(fact.question); answer != fact.answer)
      text += fmt::format("{}: {}\n", fact.question, answer);
  for (const std::string& broken : broken_invariants(sql)) text += broken + "\n";
  return text;
}

std::string KilledImage::problems_of_calls() {
  Sql sql{daemon_.data() / "haul.db"};
  const auto count = [&](const std::string& which) {
    return std::stoul(sql.ask("SELECT count(*) FROM intents WHERE kind = 'paid_call'" + which));
  };
  const std::size_t calls = charged();
  std::string text;
  if (calls < 1 || calls > count(""))
    text += fmt::format("{} calls were charged for, {} are recorded\n", calls, count(""));
  if (const std::size_t known = count(" AND state IN ('failed', 'unknown')"); calls > 1 + known)
    text += fmt::format("{} calls were charged for, {} went wrong\n", calls, known);
  return text;
}

std::size_t KilledImage::charged() {
  std::size_t count = 0;
  port_.with([&] { count = api_.charged.size(); });
  return count;
}

std::string KilledImage::problems_of_objects(const std::map<std::string, std::string>& objects) {
  const std::string store =
      Sql{daemon_.data() / "haul.db"}.ask("SELECT value FROM meta WHERE name = 'store_id'");
  const auto original = objects.find(fmt::format("originals/{}/1/0.png", store));
  const auto small = objects.find(fmt::format("thumbnails/{}/1/0.jpg", store));
  if (objects.size() == 2 && original != objects.end() && small != objects.end() &&
      original->second == image() && small->second.starts_with("\xff\xd8\xff"))
    return {};
  std::string text = "the bucket has:";
  for (const auto& [key, bytes] : objects) text += fmt::format(" {} ({} B)", key, bytes.size());
  return text + "\n";
}

int run_numbers(int step, const std::function<bool(int)>& one) {
  std::atomic<int> next = 1;
  std::atomic<int> runs = 0;
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < kAtOnce; ++i)
    threads.emplace_back([&] {
      while (!is_over) {
        if (!one(next.fetch_add(step))) is_over = true;
        ++runs;
      }
    });
  threads.clear();
  return runs;
}

}  // namespace haul::testing
