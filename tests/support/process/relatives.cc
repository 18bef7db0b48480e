#include "support/process/relatives.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

namespace haul::testing {
namespace fs = std::filesystem;
namespace {

// Empty if the process has ended.
std::string text_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  try {
    text << file.rdbuf();
  } catch (const std::ios_base::failure&) {
  }
  return text.str();
}

}  // namespace

std::string unique_word() { return fmt::format("w{:08x}", std::random_device{}()); }

std::vector<pid_t> relatives(const std::string& word) {
  std::vector<pid_t> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{"/proc", none}) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) continue;
    const std::string words = text_of(entry.path() / "cmdline");
    const bool is_haul = words.find(std::string{"get\0--engine", 12}) != std::string::npos;
    if (is_haul) continue;
    const bool is_one = words.find(word) != std::string::npos ||
                        text_of(entry.path() / "environ").find(word) != std::string::npos;
    if (is_one) found.push_back(pid);
  }
  return found;
}

void interrupt_for_good(const Child& child) { ::kill(child.pid(), SIGINT); }

}  // namespace haul::testing
