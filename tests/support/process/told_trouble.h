#pragma once
// What a user is told of a job that something holds back: the answer of `why`, the text of
// `haul why`, and whether the page's tests show an answer of the same code and form, which
// web/mock/troubles.json has.

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/iso_time.h"
#include "support/process/daemon.h"
#include "support/run/moment.h"

namespace haul::testing {

struct ToldTrouble {
  std::string code;
  std::string because;                  // Part of the sentence.
  std::vector<std::string> holders{};   // The jobs that hold it back.
  std::optional<Millis> next_within{};  // The next step has a time, at most this far away.
};

inline Finished run_why(const Daemon& daemon, const std::string& job) {
  return run_program({HAUL_BINARY, "why", job, "--url",
                      fmt::format("http://127.0.0.1:{}", daemon.port()), "--data",
                      daemon.data().string()});
}

// The members of an answer that have a value, without those that tell its history.
inline std::set<std::string> form_of(const nlohmann::json& why) {
  std::set<std::string> form;
  for (const auto& [name, value] : why.items()) {
    const bool is_history = name == "reason" || name == "detail" || name == "seen_at";
    if (!is_history && !value.is_null() && !value.empty()) form.insert(name);
  }
  return form;
}

inline std::set<std::string> names_in(const nlohmann::json& why) {
  std::set<std::string> names;
  for (const auto& [name, value] : why.items()) names.insert(name);
  return names;
}

// Whether the page's tests show an answer of this code, with the same members.
inline bool is_on_page(const nlohmann::json& why) {
  std::ifstream file{HAUL_SOURCE_DIR "/web/mock/troubles.json"};
  REQUIRE_MESSAGE(file, "web/mock/troubles.json: tests/troubles_test.cc writes it");
  for (const nlohmann::json& row : nlohmann::json::parse(file)) {
    const nlohmann::json& shown = row["why"];
    if (shown["code"] == why["code"] && names_in(shown) == names_in(why) &&
        form_of(shown) == form_of(why))
      return true;
  }
  return false;
}

inline std::vector<std::string> holders_in(const nlohmann::json& why) {
  std::vector<std::string> holders;
  for (const nlohmann::json& id : why["holders"])
    holders.push_back(std::to_string(id.get<std::int64_t>()));
  return holders;
}

// What `haul why` prints of the holders. It prints five at most, so give no more.
inline std::string held_by(const std::vector<std::string>& holders) {
  std::string text;
  for (const std::string& id : holders) text += (text.empty() ? "" : ", ") + id;
  return (holders.size() == 1 ? "job " : "jobs ") + text;
}

inline bool is_printed(const std::string& out, const ToldTrouble& trouble) {
  const auto has = [&](const std::string& part) { return out.find(part) != std::string::npos; };
  return has("(" + trouble.code + ")") && has(trouble.because) &&
         (!trouble.next_within || has(", at "));
}

// Waits until `why` and `haul why` both tell of this trouble, and checks what else they tell.
inline void check_told(const Daemon& daemon, const std::string& job, const ToldTrouble& wanted) {
  constexpr int kPrintsMax = 50;
  CAPTURE(wanted.code);
  CAPTURE(job);
  std::string told;
  Finished printed;
  Time answered_at;
  int prints = 0;
  // The trouble may be another one by the time it is printed, such as at the moment of a retry.
  const bool agrees = comes_true([&] {
    told = daemon.get("/api/v1/jobs/" + job + "/why").body();
    answered_at = system_clock().now();
    const bool is_wanted = member_of(told, "code") == wanted.code &&
                           member_of(told, "because").find(wanted.because) != std::string::npos;
    if (!is_wanted || ++prints > kPrintsMax) return false;
    printed = run_why(daemon, job);
    return is_printed(printed.out, wanted);
  });
  REQUIRE_MESSAGE(agrees, told << "\n" << printed.out << printed.err);

  CHECK(printed.code == 0);
  const nlohmann::json why = nlohmann::json::parse(told);
  CHECK(why["job"] == std::stoll(job));
  CHECK(held_by(holders_in(why)) == held_by(wanted.holders));
  const bool names_holders = printed.out.find("held by") != std::string::npos;
  CHECK(names_holders == !wanted.holders.empty());
  if (names_holders)
    CHECK_MESSAGE(printed.out.find(held_by(wanted.holders)) != std::string::npos, printed.out);
  CHECK_MESSAGE(why["next_at"].is_null() == !wanted.next_within, told);
  if (wanted.next_within && why["next_at"].is_string()) {
    const auto next_at = read_iso(why["next_at"].get<std::string>());
    REQUIRE(next_at);
    CHECK_MESSAGE(*next_at <= answered_at + *wanted.next_within, told);
  }
  CHECK_MESSAGE(is_on_page(why), told);
}

// Adds a batch of these URLs and returns its id. `more` are members of its request.
inline std::string add_batch(const Daemon& daemon, const std::vector<std::string>& urls,
                             const std::string& more = {}) {
  const RawReply reply = daemon.post(
      "/api/v1/jobs", fmt::format(R"({{"lifecycle":"batch","request":{{"urls":{}{}}}}})",
                                  nlohmann::json(urls).dump(), more));
  REQUIRE_MESSAGE(reply.status() == 201, reply.bytes);
  return member_of(reply.body(), "id");
}

}  // namespace haul::testing
