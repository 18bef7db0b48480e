#pragma once
// A real `haul serve` on a port of its own, and requests to it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/raw_http.h"
#include "support/temp_folder.h"

namespace haul::testing {

class Daemon {
 public:
  // With a folder of its own; may reach loopback, where the tests' servers are.
  Daemon();
  // `settings` are of its environment: "HAUL__SECTION__KEY=value".
  explicit Daemon(std::filesystem::path data, bool may_reach_loopback = true,
                  std::vector<std::string> settings = {});
  explicit Daemon(std::vector<std::string> settings);

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
  // Adds a batch of one address; its number.
  std::string add(const std::string& url) const;
  // The value of a member of the job, waited for; false: it never came to it.
  bool comes_to(const std::string& id, const std::string& state) const;
  std::string job(const std::string& id) const;

  // Asks it to stop and waits; the exit code.
  int stop();
  void kill();
  // For its next start: "HAUL__LOG__LEVEL=debug", in place of an earlier one of that name.
  void set(const std::string& variable) { settings_.push_back(variable); }
  // The same data, a new process.
  void start();

 private:
  std::optional<TempFolder> own_;
  std::filesystem::path data_;
  bool may_reach_loopback_ = true;
  std::vector<std::string> settings_;
  std::optional<Child> child_;
  std::uint16_t port_ = 0;
  std::string key_;
};

// A member of a flat JSON object, as text.
std::string member_of(std::string_view json, std::string_view name);

}  // namespace haul::testing
