#pragma once
// Finds the processes that a program under test has started, by a unique word in their command
// lines or environments.

#include <sys/types.h>

#include <string>
#include <vector>

#include "support/process/process.h"

namespace haul::testing {

// A word that no other test and no other run has.
std::string unique_word();

// Processes that have the word, except haul itself.
std::vector<pid_t> relatives(const std::string& word);

// Interrupts a get that has --discard, so that it keeps nothing.
void interrupt_for_good(const Child& child);

}  // namespace haul::testing
