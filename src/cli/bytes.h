#pragma once
// Amounts and times as a person reads them, the same in every command.

#include <chrono>
#include <cstdint>
#include <string>

#include "base/time.h"

namespace haul {

// "512 B", "1.2 GiB", "340 KiB": never more than eight columns. Less than nothing is nothing.
std::string bytes_text(std::int64_t bytes);

// "340 KiB/s": never more than ten columns.
std::string speed_text(double bytes_per_s);

// What is left: "0:07", "12:03", "1:02:03", "4 d 12 h": never more than eight columns.
std::string left_text(std::chrono::seconds left);

// What has passed: "0.8 s", "59.9 s", then as above.
std::string passed_text(Millis passed);

// "5,000".
std::string count_text(std::int64_t count);

}  // namespace haul
