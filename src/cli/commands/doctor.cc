#include "cli/commands/doctor.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "base/json.h"
#include "base/text.h"
#include "cli/draw/width.h"
#include "cli/remote/json_view.h"

namespace haul::cli {
namespace {

std::string_view word_of(Health health) {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::note:
      return "note";
    case Health::wrong:
      return "wrong";
  }
  return "";
}

Ink ink_of(Health health) {
  switch (health) {
    case Health::ok:
      return Ink::green;
    case Health::note:
      return Ink::yellow;
    case Health::wrong:
      return Ink::red;
  }
  return Ink::plain;
}

std::string or_null(const std::string& text) { return text.empty() ? "null" : json_quoted(text); }

std::string json_of(const std::vector<Finding>& findings, bool healthy) {
  std::string items;
  for (const Finding& finding : findings)
    items +=
        fmt::format(R"({}{{"health":"{}","what":{},"detail":{},"mend":{},"setting":{},"at":{}}})",
                    items.empty() ? "" : ",", word_of(finding.health), json_quoted(finding.what),
                    json_quoted(finding.detail), or_null(finding.mend), or_null(finding.setting),
                    or_null(finding.at));
  return fmt::format(R"({{"healthy":{},"items":[{}],"next":null}})", healthy, items);
}

// Wide enough for the longest name.
std::size_t name_columns(const std::vector<Finding>& findings) {
  std::size_t widest = 15;
  for (const Finding& finding : findings)
    widest = std::max(widest, columns_of(printable(finding.what)));
  return widest;
}

std::string text_of(const Finding& finding, std::size_t columns, Colour colour) {
  std::string out =
      painted(colour, ink_of(finding.health), left_aligned(word_of(finding.health), 5));
  out += fmt::format("  {}  {}{}\n", left_aligned(printable(finding.what), columns),
                     printable(finding.detail),
                     finding.at.empty() ? "" : fmt::format(" ({})", printable(finding.at)));
  if (!finding.mend.empty())
    out += fmt::format("{:{}}→ {}\n", "", columns + 9, printable(finding.mend));
  return out;
}

}  // namespace

int run_doctor(const std::vector<Finding>& findings, const DoctorOutput& output) {
  const auto wrong = std::ranges::count(findings, Health::wrong, &Finding::health);
  if (output.form == OutputForm::json) {
    output.terminal.out << safe_json(json_of(findings, wrong == 0)) << "\n";
    return wrong == 0 ? 0 : 1;
  }
  const std::size_t columns = name_columns(findings);
  for (const Finding& finding : findings)
    output.terminal.out << text_of(finding, columns, output.colour);
  if (wrong == 0)
    output.terminal.out << "Everything haul needs is in order.\n";
  else
    output.terminal.out << fmt::format(
        "{} wrong.\n", wrong == 1 ? "One thing is" : fmt::format("{} things are", wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace haul::cli
