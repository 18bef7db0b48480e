#include "support/server/fault_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "base/hash.h"
#include "base/json.h"
#include "server/content.h"

namespace haul::testing {
namespace {

constexpr std::string_view kPortIs = "port ";

std::map<std::string, std::string> fields_of(const std::string& json) {
  const auto fields = read_object(json);
  if (!fields) throw std::runtime_error{"the fault server's log is broken: " + json};
  std::map<std::string, std::string> found;
  for (const JsonField& field : *fields) found[field.name] = field.text;
  return found;
}

LoggedRequest started(const std::map<std::string, std::string>& line) {
  return {.number = std::stoull(line.at("n")),
          .method = line.at("method"),
          .path = line.at("path"),
          .query = line.at("query"),
          .host = line.at("host"),
          .range = line.at("range"),
          .if_range = line.at("if_range"),
          .headers = fields_of(line.at("headers")),
          .status = std::stoi(line.at("status")),
          .started_at = std::chrono::microseconds{std::stoll(line.at("at_us"))}};
}

}  // namespace

FaultServer::FaultServer(std::string address, const std::string& root)
    : address_{std::move(address)} {
  process_.emplace(std::vector<std::string>{HAUL_FAULT_SERVER, "--bind", address_, "--log",
                                            (folder_ / "log").string(), "--root", root},
                   Child::Input::open);
  const auto line = process_->line();
  if (!line || !line->starts_with(kPortIs))
    throw std::runtime_error{"the fault server does not start on " + address_};
  port_ = static_cast<std::uint16_t>(std::stoul(line->substr(kPortIs.size())));
}

std::string FaultServer::url(std::string_view path_and_query) const {
  const bool is_six = address_.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}{}", is_six ? "[" : "", address_, is_six ? "]" : "", port_,
                     path_and_query);
}

RawReply FaultServer::get(const std::string& target, const std::string& headers) const {
  const RawConnection connection{address_, port_};
  connection.send(raw_request(target, "Connection: close\r\n" + headers));
  return connection.read();
}

std::vector<FaultServer::Line> FaultServer::lines() const {
  // The server is single-threaded: once it answers this request, all earlier ones are in the log.
  if (get("/count").status() != 200) throw std::runtime_error{"the fault server is gone"};

  std::vector<Line> lines;
  std::ifstream file{folder_ / "log"};
  for (std::string text; std::getline(file, text);) lines.push_back(fields_of(text));
  return lines;
}

std::vector<LoggedRequest> FaultServer::log() const {
  std::vector<LoggedRequest> requests;
  for (const Line& line : lines()) {
    if (line.at("event") == "start") {
      requests.push_back(started(line));
      continue;
    }
    LoggedRequest& request = requests.at(std::stoull(line.at("n")) - 1);
    request.sent = std::stoull(line.at("sent"));
    request.ended = line.at("ended");
    request.ended_at = std::chrono::microseconds{std::stoll(line.at("at_us"))};
  }
  return requests;
}

std::size_t FaultServer::most_at_once() const {
  std::size_t now = 0;
  std::size_t most = 0;
  for (const Line& line : lines()) {
    if (line.at("event") == "start")
      most = std::max(most, ++now);
    else
      --now;
  }
  return most;
}

std::vector<std::chrono::microseconds> FaultServer::start_gaps() const {
  std::vector<std::chrono::microseconds> gaps;
  const std::vector<LoggedRequest> requests = log();
  for (std::size_t i = 1; i < requests.size(); ++i)
    gaps.push_back(requests[i].started_at - requests[i - 1].started_at);
  return gaps;
}

std::string FaultServer::content(std::string_view name, std::size_t size, Version version) {
  std::string bytes(size, '\0');
  server::fill_content(bytes, server::seed_of(name) + (version == Version::changed ? 1 : 0), 0);
  return bytes;
}

std::string FaultServer::content_sha256(std::string_view name, std::size_t size, Version version) {
  return sha256_hex(content(name, size, version));
}

}  // namespace haul::testing
