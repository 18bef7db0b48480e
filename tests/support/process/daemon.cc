#include "support/process/daemon.h"

#include <fmt/core.h>

#include <csignal>
#include <fstream>
#include <stdexcept>

#include "base/json.h"
#include "support/run/moment.h"

namespace haul::testing {

std::string member_of(std::string_view json, std::string_view name) {
  const auto fields = read_object(json);
  if (!fields) return "not an object";
  for (const JsonField& field : *fields)
    if (field.name == name) return field.text;
  return {};
}

Daemon::Daemon() : own_{std::in_place}, data_{own_->path() / "data"} { start(); }

Daemon::Daemon(std::filesystem::path data, bool may_reach_loopback,
               std::vector<std::string> settings)
    : data_{std::move(data)},
      may_reach_loopback_{may_reach_loopback},
      settings_{std::move(settings)} {
  start();
}

Daemon::Daemon(std::vector<std::string> settings)
    : own_{std::in_place}, data_{own_->path() / "data"}, settings_{std::move(settings)} {
  start();
}

Daemon::Daemon(std::vector<std::string> settings, const std::vector<std::string>& under)
    : own_{std::in_place}, data_{own_->path() / "data"}, settings_{std::move(settings)} {
  start(under);
}

void Daemon::start(const std::vector<std::string>& under) {
  std::vector<std::string> command = {"env"};
  if (may_reach_loopback_) command.emplace_back("HAUL__TRANSFER__ALLOW_PRIVATE=127.0.0.0/8");
  command.insert(command.end(), settings_.begin(), settings_.end());
  command.emplace_back("HAUL__TRANSFER__DELAY=0");
  command.insert(command.end(), under.begin(), under.end());
  command.insert(command.end(),
                 {HAUL_BINARY, "serve", "--data", data_.string(), "--listen", "127.0.0.1:0"});
  child_.emplace(command);
  const auto line = child_->line();
  if (!line || line->rfind(':') == std::string::npos)
    throw std::runtime_error{"haul serve did not start"};
  port_ = static_cast<std::uint16_t>(std::stoi(line->substr(line->rfind(':') + 1)));
  std::ifstream{data_ / "admin.key"} >> key_;
}

RawReply Daemon::ask(const std::string& method, const std::string& target, const std::string& body,
                     const std::string& headers) const {
  const RawConnection connection{"127.0.0.1", port_};
  std::string request =
      fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: {}\r\nConnection: close\r\n{}",
                  method, target, key_, headers);
  if (!body.empty())
    request += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  connection.send(request + "\r\n" + body);
  return connection.read();
}

std::string Daemon::add(const std::string& url) const {
  const RawReply reply =
      post("/api/v1/jobs", fmt::format(R"({{"lifecycle":"batch","request":{{"url":"{}"}}}})", url));
  return member_of(reply.body(), "id");
}

std::string Daemon::job(const std::string& id) const {
  return std::string{get("/api/v1/jobs/" + id).body()};
}

bool Daemon::comes_to(const std::string& id, const std::string& state) const {
  return comes_true([&] { return member_of(job(id), "state") == state; });
}

bool Daemon::comes_to_be_ready(int status) const {
  return comes_true([&] { return get("/health/ready").status() == status; });
}

int Daemon::stop() {
  child_->signal(SIGTERM);
  return child_->wait();
}

void Daemon::kill() {
  child_->signal(SIGKILL);
  child_->wait();
}

}  // namespace haul::testing
