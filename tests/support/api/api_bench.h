#pragma once
// The API in process: a store in memory, a clock that only the test turns, a user and a key for
// every role.

#include <fmt/core.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/api.h"
#include "base/json.h"
#include "base/secret.h"
#include "support/flow/script.h"
#include "support/store/bench.h"
#include "support/store/test_store.h"

namespace haul::testing {

class ApiBench {
 public:
  // Without a list of work, the API has one of every lifecycle, without handlers.
  explicit ApiBench(std::unique_ptr<Store> given = open_test_store(Bench::kStart),
                    std::optional<std::vector<flow::LifecycleWork>> given_work = {},
                    SpeedPlan given_speed = {}, std::vector<Category> given_categories = {})
      : store_{std::move(given)},
        work{given_work ? *std::move(given_work) : all_work()},
        speed{std::move(given_speed)},
        categories{std::move(given_categories)} {
    for (const auto& [name, role] : std::map<std::string, Role>{{"viewer", Role::viewer},
                                                                {"adder", Role::adder},
                                                                {"operator", Role::operating},
                                                                {"boss", Role::admin}}) {
      users[name] = store().users().add(name, role, clock.now()).value();
      keys[name] = make_key(users[name].id, Scopes::all());
    }
  }

  Store& store() { return *store_; }

  std::string make_key(UserId user, Scopes scopes) {
    const std::string key = make_api_key();
    const auto added = store().access().keys().add({.user = user,
                                                    .name = "test",
                                                    .scopes = scopes,
                                                    .prefix = api_key_prefix(key).value(),
                                                    .hash = hash_token(key),
                                                    .expires_at = {}},
                                                   clock.now());
    if (!added) throw std::runtime_error{added.error().code};
    return key;
  }

  static WebRequest request(const std::string& method, const std::string& target,
                            std::string body = {}) {
    WebRequest request{.method = method,
                       .target = parse_target(target).value(),
                       .headers = {{"host", "localhost:4285"}},
                       .body = std::move(body),
                       .peer = "127.0.0.1"};
    if (!request.body.empty()) request.headers.emplace_back("content-type", "application/json");
    return request;
  }
  // Sends a request as one of the users, or without a key if `who` is empty.
  WebReply as(const std::string& who, const std::string& method, const std::string& target,
              std::string body = {}, WebFields headers = {}) {
    WebRequest asked = request(method, target, std::move(body));
    if (!who.empty()) asked.headers.emplace_back("x-api-key", keys.at(who));
    asked.headers.insert(asked.headers.end(), headers.begin(), headers.end());
    return api.answer(asked);
  }
  WebReply get(const std::string& target) { return as("boss", "GET", target); }
  WebReply post(const std::string& target, std::string body = {}, WebFields headers = {}) {
    return as("boss", "POST", target, std::move(body), std::move(headers));
  }

  // Reads a stream until it has sent `until`, or until a generous timeout.
  std::string hear(WebStream& stream, std::string_view until) {
    std::string all;
    for (int i = 0; i < 500 && all.find(until) == std::string::npos; ++i) {
      const int before = [this] {
        const Lock lock{wakes.mutex};
        return wakes.count;
      }();
      if (const auto next = stream.next()) {
        all += *next;
        continue;
      }
      const Lock lock{wakes.mutex};
      wakes.told.wait_for(wakes.mutex, Millis{20},
                          [&]() REQUIRES(wakes.mutex) { return wakes.count != before; });
    }
    return all;
  }

  // Waits until a stream ends. False after a generous timeout.
  bool ends(const WebStream& stream) {
    for (int i = 0; i < 500 && !stream.is_over(); ++i) {
      const Lock lock{wakes.mutex};
      const int before = wakes.count;
      wakes.told.wait_for(wakes.mutex, Millis{20},
                          [&]() REQUIRES(wakes.mutex) { return wakes.count != before; });
    }
    return stream.is_over();
  }

  JobId add_for(const std::string& who) {
    const NewJob job{
        .lifecycle = &kBatch, .owner = users.at(who).id, .request = request_for(kBatch)};
    return store().jobs().add({&job, 1}, clock.now()).front().value().id;
  }

  HandClock clock;

 private:
  std::unique_ptr<Store> store_;

 public:
  std::map<std::string, User> users;
  std::map<std::string, std::string> keys;
  api::LiveProgress progress;
  api::Meter meter;
  // Counts the wakeups of streams that have something new to send.
  struct Wakes {
    Mutex mutex;
    Condition told;
    int count GUARDED_BY(mutex) = 0;
  } wakes;
  api::Live live{*store_, clock, [this] {
                   const Lock lock{wakes.mutex};
                   ++wakes.count;
                   wakes.told.notify_all();
                 }};
  // How the files of assets are opened. Without it no sink keeps any.
  api::OpenKept open_kept = [](const std::string&, api::KeptForm) -> Result<api::KeptCopy> {
    return std::unexpected{Fault{FaultKind::permanent, "no_such_object", "there is none"}};
  };
  // "event name=value name=value\n" for each line that the log would have.
  Mutex log_mutex;
  std::string log;
  // Z-30: what the list of all_work() lacks for a lifecycle and an engine. If it is not set,
  // nothing.
  std::function<std::string(const Lifecycle&, std::string_view)> lacks;
  const std::vector<flow::LifecycleWork> work;
  const SpeedPlan speed;
  const std::vector<Category> categories;
  api::Api api{{.store = *store_,
                .clock = clock,
                .settings = {},
                .live = live,
                .progress = progress,
                .meter = meter,
                .wake = {},
                .files = kFiles,
                .allowed_hosts = {"haul.example"},
                .folder = "/srv/haul",
                .work = work,
                .version = "1.2.3",
                .speed = speed,
                .categories = categories,
                .open_kept = [this](const std::string& path,
                                    api::KeptForm form) { return open_kept(path, form); },
                .image_origin = "https://images.example",
                .say =
                    [this](const api::Notice& notice) {
                      const Lock lock{log_mutex};
                      log += notice.event;
                      for (const auto& [name, value] : notice.fields)
                        log += fmt::format(" {}={}", name, value);
                      log += "\n";
                    }}};

  // Of every lifecycle, without handlers.
  std::vector<flow::LifecycleWork> all_work() {
    std::vector<flow::LifecycleWork> all;
    for (const Lifecycle* each : all_lifecycles())
      all.push_back({.lifecycle = each,
                     .make_handler = {},
                     .not_ready = [this, each](std::string_view engine) {
                       return lacks ? lacks(*each, engine) : std::string{};
                     }});
    return all;
  }

  static constexpr api::WebFile kFiles[] = {
      {"index.html", "text/html; charset=utf-8", "<title>haul</title>"},
      {"assets/index-1.js", "text/javascript", "1"}};
};

inline std::string header_of(const WebReply& reply, std::string_view name) {
  for (const auto& [each, value] : reply.headers)
    if (each == name) return value;
  return {};
}

// The text of one member of a flat JSON answer.
inline std::string member(const WebReply& reply, std::string_view name) {
  const auto fields = read_object(reply.body);
  if (!fields) return "not an object";
  for (const JsonField& field : *fields)
    if (field.name == name) return field.text;
  return {};
}

}  // namespace haul::testing
