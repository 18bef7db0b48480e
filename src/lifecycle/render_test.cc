#include "lifecycle/render.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

#include "lifecycle/tables.h"

namespace haul {
namespace {

using namespace std::chrono_literals;
using namespace row;

// A small table with one of everything that can be shown.
// clang-format off
constexpr State kStates[] = {
    {"waiting", End::open, Step::claim,    Leased::no,  0s,  kStay,     "gone", kStay,  kRefused},
    {"at_work", End::open, Step::transfer, Leased::yes, 36h, "waiting", "gone", kAdopt, "gone"},
    {"arrived", End::good},
    {"gone",    End::bad},
};
constexpr Move kMoves[] = {
    {{"waiting"},            On::claim,   By::worker, "at_work", "001 §1"},
    {{"at_work"},            On::landed,  By::worker, "arrived", "001 §2",
     {.guards = {Guard::file_exists, Guard::import_durable}, .needs = Proof::evidence,
      .effects = {Effect::record_asset, Effect::spend_credit}}},
    {{"waiting", "at_work"}, On::fail,    By::worker, "gone",    "Z-1"},
    {{"at_work"},            On::requeue, By::timer,  "waiting", "Z-2", {.bound = Bound::timer}},
};
// clang-format on
constexpr Lifecycle kParcel{
    .name = "parcel",
    .states = kStates,
    .moves = kMoves,
    .add = {.guards = {Guard::credit_left}, .effects = {Effect::reserve_credit}},
    .key = {KeyScope::window, KeyForm::array, {"owner", "minute"}},
    .slot = {"owner", "address"},
    .attempts_max = 3,
};

constexpr std::string_view kDiagram =
    "stateDiagram-v2\n"
    "  [*] --> waiting\n"
    "  waiting --> at_work: claim (worker)\n"
    "  at_work --> arrived: landed (worker)\n"
    "  waiting --> gone: fail (worker)\n"
    "  at_work --> gone: fail (worker)\n"
    "  at_work --> waiting: requeue (timer)\n"
    "  arrived --> [*]\n"
    "  gone --> [*]\n";

auto lines_with(const std::string& text, std::string_view part) {
  std::ptrdiff_t lines = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++lines;
  return lines;
}

TEST_CASE("a picture has every state once, and an arrow from each to each it can move to") {
  for (const Lifecycle* table : all_lifecycles()) {
    CAPTURE(table->name);
    const std::string svg = to_svg(*table);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    std::set<std::pair<std::string_view, std::string_view>> pairs;
    for (const Move& move : table->moves)
      for (const std::string_view from : move.from) pairs.emplace(from, move.to);
    const auto count = [&](const std::string& text) {
      std::size_t found = 0;
      for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1))
        ++found;
      return found;
    };
    for (const State& state : table->states)
      CHECK(count(">" + std::string{state.name} + "</text>") == 1);
    CHECK(count("marker-end") == pairs.size());
    CHECK(count("<rect ") == table->states.size());
    CHECK(svg.find("style=") == std::string::npos);
  }
}

TEST_CASE("a Mermaid diagram has its start, a line per move and its ends, in the table's order") {
  CHECK(to_mermaid(kParcel) == kDiagram);
}

TEST_CASE("a page has the facts, the states, the moves with their origin, and the diagram (Z-20)") {
  CHECK(to_markdown(kParcel) ==
        "## parcel\n\n"
        "Starts in `waiting`. At most 3 attempts. "
        "A worker that sends no heartbeat for 8 s loses the job. "
        "One open job per slot (owner, address). Key: owner, minute, window. "
        "Adding is guarded by credit_left. Adding does reserve_credit.\n\n"
        "| state | end | step | leased | stuck after | on fault | on fail | on lost | on cancel |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| `waiting` | open | claim |  |  | stay | gone | stay | refused |\n"
        "| `at_work` | open | transfer | yes | 36 h | waiting | gone | adopt | gone |\n"
        "| `arrived` | good | none |  |  |  |  |  |  |\n"
        "| `gone` | bad | none |  |  |  |  |  |  |\n\n"
        "| from | on | by | to | guards | needs | effects | bound | origin |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| waiting | claim | worker | `at_work` |  |  |  |  | 001 §1 |\n"
        "| at_work | landed | worker | `arrived` | file_exists, import_durable | evidence "
        "| record_asset, spend_credit |  | 001 §2 |\n"
        "| waiting, at_work | fail | worker | `gone` |  |  |  |  | Z-1 |\n"
        "| at_work | requeue | timer | `waiting` |  |  |  | timer | Z-2 |\n\n"
        "```mermaid\n" +
            std::string{kDiagram} + "```\n");
}

TEST_CASE("a terminal shows each state, how it ends, and what leads on from it") {
  CHECK(to_text(kParcel) ==
        "parcel\n"
        "  waiting  open     claim > at_work, fail > gone\n"
        "  at_work  open     landed > arrived, fail > gone, requeue > waiting\n"
        "  arrived  good\n"
        "  gone     bad\n");
}

TEST_CASE("an answer reads as its word, or as the state it leads to") {
  CHECK(to_text(Answer{}) == "");
  CHECK(to_text(kStay) == "stay");
  CHECK(to_text(kRefused) == "refused");
  CHECK(to_text(kAdopt) == "adopt");
  CHECK(to_text(Answer{"gone"}) == "gone");
}

TEST_CASE("a table without slot, key, limit or rules for adding says only what it has") {
  const Lifecycle plain{.name = "plain", .states = kStates, .moves = kMoves, .lease_after = 30s};

  const std::string page = to_markdown(plain);

  CHECK(page.starts_with(
      "## plain\n\nStarts in `waiting`. A worker that sends no heartbeat for 30 s loses the job."
      "\n\n| state |"));
}

TEST_CASE("a table without a leased state does not mention heartbeats") {
  const State states[] = {kStates[0], kStates[3]};
  const Lifecycle unleased{.name = "unleased", .states = states, .moves = {}};

  CHECK(to_markdown(unleased).starts_with("## unleased\n\nStarts in `waiting`.\n\n| state |"));
}

TEST_CASE("the diagrams of the six have one line per start, pair and trigger, and end") {
  std::string shape;
  for (const Lifecycle* table : all_lifecycles())
    shape += std::string{table->name} + " " +
             std::to_string(lines_with(to_mermaid(*table), "-->")) + " " +
             std::to_string(lines_with(to_mermaid(*table), "--> [*]\n")) + "\n";

  // The first number counts the start, every (from, on, to) of the documents and settlements, and
  // every ended state. The second counts the ended states.
  CHECK(shape ==
        "book 10 3\n"
        "media 17 2\n"
        "batch 11 3\n"
        "item 13 4\n"
        "relay 22 4\n"
        "image 12 3\n");
}

TEST_CASE("Z-20: every move of the six tables says where it comes from") {
  for (const Lifecycle* table : all_lifecycles())
    for (const Move& move : table->moves) {
      CAPTURE(table->name);
      CAPTURE(name(move.on));
      CHECK(move.origin != "");
      CHECK(to_markdown(*table).contains(" | " + std::string{move.origin} + " |\n"));
    }
}

}  // namespace
}  // namespace haul
