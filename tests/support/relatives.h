#pragma once
// Processes that a program under test has started, known by a word of their command lines or their
// surroundings that only this test has.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "support/process.h"

namespace haul::testing {

// One that no other test and no other run has.
std::string unique_word();

// Those that have the word, haul itself aside.
std::vector<pid_t> relatives(const std::string& word);

// Looks until it is so; false: it was not within a generous time.
bool wait_until(const std::function<bool()>& so);

// Ctrl-C and again: nothing is to be kept.
void interrupt_for_good(const Child& child);

}  // namespace haul::testing
