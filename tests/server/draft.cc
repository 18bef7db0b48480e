#include "server/draft.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "server/framing.h"

namespace haul::server {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kWaitMax_ms = 3'600'000;

// One byte at a time.
Pace dripping(std::uint64_t bytes_per_second) {
  if (bytes_per_second == 0) return {};
  return {1, std::chrono::microseconds{1s} / bytes_per_second};
}

// Twenty pieces a second, like a server that limits its clients.
Pace limited(std::uint64_t bytes_per_second) {
  if (bytes_per_second < 20) return dripping(bytes_per_second);
  return {bytes_per_second / 20, 50ms};
}

Pace body_pace(const Switches& switches) {
  if (const auto rate = switches.number("drip")) return dripping(*rate);
  return limited(switches.number("limit_rate", 0));
}

void set_pace(Step& step, const Pace& pace) {
  if (auto* text = std::get_if<Text>(&step)) text->pace = pace;
  if (auto* content = std::get_if<Content>(&step)) content->pace = pace;
}

bool has_body(int status) { return status != 204 && status != 304; }

struct Fault {
  std::string_view name;
  Step end;
};
const std::array<Fault, 3> kFaults = {Fault{"reset", End::reset}, Fault{"close", End::close},
                                      Fault{"stall", Stall{}}};

// Whether the fault applies to this request.
bool is_due(const Situation& situation, std::string_view fault) {
  return situation.before < situation.switches.number(std::string{fault} + "_times", UINT64_MAX);
}

void break_off(std::vector<Step>& head, std::vector<Step>& body, const Situation& situation) {
  for (const Fault& fault : kFaults) {
    const std::string name = std::string{fault.name} + "_after";
    const auto after = situation.switches.text(name);
    if (!after || !is_due(situation, fault.name)) continue;
    if (*after == "head") {
      head.clear();
      body = {fault.end};
    } else {
      cut(body, read_number(name, *after), fault.end);
    }
  }
}

std::vector<Step> head_of(const Draft& draft, const std::vector<std::string>& fields,
                          const Situation& situation) {
  const Switches& switches = situation.switches;
  std::vector<Step> head;
  if (const std::uint64_t times = switches.number("early_hints", 0))
    head.push_back(Text{"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n", times});
  std::string text =
      fmt::format("HTTP/{} {} Fault\r\n", switches.word("version", {"1.1", "1.0"}), draft.status);
  for (const std::string& field : draft.fields) text += field + "\r\n";
  for (const std::string& field : fields) text += field + "\r\n";
  head.push_back(Text{text});
  if (const std::uint64_t times = switches.number("headers", 0))
    head.push_back(Text{"X-Filler: 0\r\n", times});
  if (const std::uint64_t size = switches.number("header_size", 0)) {
    head.push_back(Text{"X-Long: "});
    head.push_back(Text{"a", size});
    head.push_back(Text{"\r\n"});
  }
  head.push_back(Text{"\r\n"});
  for (Step& step : head) set_pace(step, dripping(switches.number("header_drip", 0)));
  return head;
}

}  // namespace

Draft text_draft(std::uint64_t status, const std::string& type, std::string text) {
  if (status < 200 || status > 999) throw BadSwitch{"status: not between 200 and 999"};
  return {static_cast<int>(status),
          {"Content-Type: " + type},
          Text{.text = std::move(text), .role = Role::body}};
}

Answer finished(Draft draft, const Situation& situation) {
  Framed body{.steps = {End::keep}};
  if (has_body(draft.status)) body = framed(draft.body, situation.switches);
  for (Step& step : body.steps) set_pace(step, body_pace(situation.switches));
  const bool is_head = situation.request.method == "HEAD";
  if (is_head) body.steps = {End::keep};
  if (const auto length = situation.switches.text("head_length"); length && is_head)
    body.fields = {"Content-Length: " + *length};
  const bool is_old = situation.switches.text("version") == "1.0";
  if (is_old || situation.request.wants_close()) body.steps.back() = End::close;
  if (std::get<End>(body.steps.back()) == End::close) body.fields.emplace_back("Connection: close");

  std::vector<Step> head = head_of(draft, body.fields, situation);
  break_off(head, body.steps, situation);
  if (is_head && situation.switches.number("head_close", 0)) {
    head.clear();
    body.steps = {End::close};
  }

  Answer answer{.status = draft.status};
  if (const auto delay_ms = situation.switches.number("delay_ms"))
    answer.steps.push_back(Wait{std::chrono::milliseconds{std::min(*delay_ms, kWaitMax_ms)}});
  std::ranges::move(head, std::back_inserter(answer.steps));
  std::ranges::move(body.steps, std::back_inserter(answer.steps));
  return answer;
}

}  // namespace haul::server
