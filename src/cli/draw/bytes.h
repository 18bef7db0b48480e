#pragma once
// Amounts and times as text, the same in every command.

#include <chrono>
#include <cstdint>
#include <string>

#include "base/time.h"

namespace haul::cli {

// "512 B", "1.2 GiB", "340 KiB": at most eight columns. Negative counts as zero.
std::string bytes_text(std::int64_t bytes);

// "340 KiB/s": at most ten columns.
std::string speed_text(double bytes_per_s);

// Time left: "0:07", "12:03", "1:02:03", "4 d 12 h": at most eight columns.
std::string left_text(std::chrono::seconds left);

// Time passed: "0.8 s", "59.9 s", then as above.
std::string passed_text(Millis passed);

// "5,000".
std::string count_text(std::int64_t count);

}  // namespace haul::cli
