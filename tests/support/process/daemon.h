#pragma once
// A real `haul serve` on its own port, and requests to it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/api/raw_http.h"
#include "support/io/temp_folder.h"
#include "support/process/process.h"

namespace haul::testing {

class Daemon {
 public:
  // Uses its own data folder. May connect to loopback, where the tests' servers are.
  Daemon();
  // `settings` are environment variables: "HAUL__SECTION__KEY=value".
  explicit Daemon(std::filesystem::path data, bool may_reach_loopback = true,
                  std::vector<std::string> settings = {});
  explicit Daemon(std::vector<std::string> settings);
  // The same under a command.
  Daemon(std::vector<std::string> settings, const std::vector<std::string>& under);

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return child_->pid(); }
  const std::filesystem::path& data() const { return data_; }
  std::filesystem::path downloads() const { return data_ / "downloads"; }
  const std::string& key() const { return key_; }

  RawReply ask(const std::string& method, const std::string& target, const std::string& body = {},
               const std::string& headers = {}) const;
  RawReply get(const std::string& target) const { return ask("GET", target); }
  RawReply post(const std::string& target, const std::string& body = {}) const {
    return ask("POST", target, body);
  }
  // Adds a batch of one URL and returns its id.
  std::string add(const std::string& url) const;
  // Waits until the job is in this state. False after 30 s.
  bool comes_to(const std::string& id, const std::string& state) const;
  // Waits until /health/ready answers with this status. False after 30 s.
  bool comes_to_be_ready(int status) const;
  std::string job(const std::string& id) const;

  // Sends SIGTERM and waits. Returns the exit code.
  int stop();
  void kill();
  // Waits until it ends by itself. Returns the exit code.
  int wait() { return child_->wait(); }
  bool has_ended() const { return child_->has_ended(); }
  void signal(int number) const { child_->signal(number); }
  // Sets an environment variable for the next start, e.g. "HAUL__LOG__LEVEL=debug". The last value
  // of a name wins.
  void set(const std::string& variable) { settings_.push_back(variable); }
  // Starts a new process on the same data. `under` is a command that runs the daemon, such as a
  // tracer; signals then go to it.
  void start(const std::vector<std::string>& under = {});

 private:
  std::optional<TempFolder> own_;
  std::filesystem::path data_;
  bool may_reach_loopback_ = true;
  std::vector<std::string> settings_;
  std::optional<Child> child_;
  std::uint16_t port_ = 0;
  std::string key_;
};

// One member of a flat JSON object, as text.
std::string member_of(std::string_view json, std::string_view name);

}  // namespace haul::testing
