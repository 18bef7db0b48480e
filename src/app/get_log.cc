#include "app/get_log.h"

#include <fmt/core.h>

#include <iostream>

#include "base/redact.h"

namespace haul::app {

GetLog::GetLog(const Clock& clock, const std::filesystem::path& file, Echo echo)
    : clock_{clock}, echo_{echo}, keeps_{!file.empty()} {
  if (keeps_) file_.open(file, std::ios::app);
}

void GetLog::keep(std::string_view line) {
  const Lock lock{mutex_};
  if (file_.is_open()) file_ << to_iso(clock_.now()) << " " << line << "\n" << std::flush;
}

void GetLog::say(std::string_view line) {
  if (echo_ == Echo::standard_error) std::cerr << fmt::format("haul: {}\n", line) << std::flush;
  keep(line);
}

void GetLog::see(const flow::ItemEnded& item) {
  if (!keeps_) return;  // Thousands of small files end in a second, and a safe line is slow.
  if (item.on == On::landed)
    return keep(safe_detail(fmt::format("arrived {} from {}, {} bytes, {}", item.path, item.url,
                                        item.size, item.evidence)));
  keep(safe_detail(fmt::format("{} {}: {} {}", item.on == On::skip ? "skipped" : "failed", item.url,
                               item.reason, item.detail)));
}

}  // namespace haul::app
