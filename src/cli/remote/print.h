#pragma once
// Prints a reply of the daemon: a list as a table, an object as a sentence. With --json, prints the
// reply itself.

#include <functional>
#include <string>

#include "cli/draw/table.h"
#include "cli/remote/answers.h"

namespace haul::cli {

using AddRow = std::function<void(Table&, const JsonView&)>;
// Returns the exit code.
int print_table(Remote remote, const Walk& what, Table table, const AddRow& add_row);

// Makes the sentence to print from the reply.
using Sentence = std::function<std::string(const JsonView&)>;
// Sends the request and prints its reply; returns the exit code.
int print_reply(Remote remote, const ApiRequest& what, const Sentence& sentence);

}  // namespace haul::cli
