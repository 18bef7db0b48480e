#include "io/process/leftover_processes.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "io/file/folder.h"

namespace haul::io {
namespace {

struct Stat {
  int session = 0;
  std::uint64_t start = 0;
};

std::string file_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// The name, in parentheses, may contain any character, so the fields begin after the last ')'.
std::optional<Stat> stat_of(int pid) {
  const std::string text = file_text(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  constexpr int kSession = 4;  // Counted from the state, the first field after the name.
  constexpr int kStart = 20;
  std::istringstream fields{text.substr(name_end + 1)};
  std::string field;
  Stat found;
  for (int i = 1; i <= kStart; ++i) {
    if (!(fields >> field)) return std::nullopt;
    if (i == kSession) found.session = std::atoi(field.c_str());
    if (i == kStart) found.start = std::strtoull(field.c_str(), nullptr, 10);
  }
  return found;
}

bool has_token(int pid, const std::string& token) {
  const std::string environment = file_text(fmt::format("/proc/{}/environ", pid));
  const std::string wanted = fmt::format("{}={}", kTokenName, token);
  std::istringstream variables{environment};
  for (std::string variable; std::getline(variables, variable, '\0');)
    if (variable == wanted) return true;
  return false;
}

std::vector<int> everybody() {
  std::vector<int> pids;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc", none}) {
    const std::string name = entry.path().filename();
    int pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && end == name.data() + name.size()) pids.push_back(pid);
  }
  return pids;
}

bool is_of(const ProcessMark& mark, int pid) {
  const auto seen = stat_of(pid);
  if (!seen || seen->start < mark.start) return false;
  if (pid == mark.pid) return seen->start == mark.start;
  return seen->session == mark.pid && has_token(pid, mark.token);
}

}  // namespace

std::string ProcessMark::to_text() const {
  return fmt::format("{} {} {} {} {}\n", boot, pid, start, token, store);
}

std::optional<ProcessMark> ProcessMark::from_text(std::string_view text) {
  std::istringstream fields{std::string{text}};
  ProcessMark mark;
  fields >> mark.boot >> mark.pid >> mark.start >> mark.token >> mark.store;
  if (!fields || mark.pid <= 1) return std::nullopt;
  return mark;
}

std::optional<ProcessMark> mark_of(int pid, std::string token) {
  const auto seen = stat_of(pid);
  if (!seen) return std::nullopt;
  return ProcessMark{boot_id(), pid, seen->start, std::move(token)};
}

int kill_leftovers(const ProcessMark& mark) {
  if (mark.boot.empty() || mark.boot != boot_id()) return 0;
  int ended = 0;
  for (const int pid : everybody()) {
    if (pid == ::getpid() || !is_of(mark, pid)) continue;
    if (::kill(pid, SIGKILL) == 0) ++ended;
  }
  return ended;
}

}  // namespace haul::io
