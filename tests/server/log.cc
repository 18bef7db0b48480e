#include "server/log.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/json.h"

namespace haul::server {
namespace {

std::string headers_json(const Request& request) {
  std::string json;
  for (const auto& [name, value] : request.headers)
    json += fmt::format("{}{}:{}", json.empty() ? "" : ",", json_quoted(name), json_quoted(value));
  return "{" + json + "}";
}

std::string line_of(const Entry& entry, Steady at, std::string_view event, std::string_view how) {
  const Request& request = entry.request;
  const auto at_us = std::chrono::duration_cast<std::chrono::microseconds>(at.time_since_epoch());
  const auto quoted = [&](std::string_view header) { return json_quoted(request.header(header)); };
  return fmt::format(
      R"({{"n":{},"at_us":{},"event":"{}","method":{},"path":{},"query":{},"host":{},"range":{},)"
      R"("if_range":{},"headers":{},"status":{},"sent":{},"ended":"{}"}})"
      "\n",
      entry.number, at_us.count(), event, json_quoted(request.method), json_quoted(request.path),
      json_quoted(request.query), quoted("host"), quoted("range"), quoted("if-range"),
      headers_json(request), entry.status, entry.sent, how);
}

}  // namespace

Log::Log(const std::string& path) {
  if (path.empty()) return;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file_ < 0) throw std::system_error{errno, std::generic_category(), "cannot open " + path};
}

Log::~Log() {
  if (file_ >= 0) ::close(file_);
}

void Log::start(const Entry& entry, Steady at) { write(line_of(entry, at, "start", "")); }

void Log::end(const Entry& entry, Steady at, std::string_view how) {
  write(line_of(entry, at, "end", how));
}

// One write per line, so that a reader never sees half a line.
void Log::write(const std::string& line) const {
  if (file_ < 0) return;
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw std::system_error{errno, std::generic_category(), "cannot write the log"};
}

}  // namespace haul::server
