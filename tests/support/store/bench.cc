#include "support/store/bench.h"

#include <fmt/core.h>

#include <deque>
#include <map>
#include <stdexcept>
#include <vector>

namespace haul::testing {
namespace {

// The triggers of the shortest path from the initial state to the wanted one.
std::vector<On> path_to(const Lifecycle& table, std::string_view wanted) {
  std::map<std::string_view, std::vector<On>> paths{{table.initial().name, {}}};
  std::deque<std::string_view> open{table.initial().name};
  while (!open.empty()) {
    const std::string_view from = open.front();
    open.pop_front();
    for (const Move& move : table.moves) {
      if (!move.from.contains(from) || paths.contains(move.to)) continue;
      paths[move.to] = paths[from];
      paths[move.to].push_back(move.on);
      open.push_back(move.to);
    }
  }
  return paths.at(wanted);
}

}  // namespace

std::string request_for(const Lifecycle& table, int number) {
  if (table.name == "book")
    return fmt::format(
        R"({{"book_id":"b{}","media_type":"text","source":"tracker","source_url":"https://t/1"}})",
        number);
  if (table.name == "media")
    return fmt::format(R"({{"title":"Film {0}","release_name":"Film.{0}"}})", number);
  if (table.name == "batch")
    return fmt::format(R"({{"url":"https://h/{}","engine":"http","folder":"/in"}})", number);
  if (table.name == "relay")
    return fmt::format(R"({{"user_id":1,"chat_id":2,"file_id":"/f{}","nonce":"n"}})", number);
  return fmt::format(R"({{"prompt":"a boat {}","params":{{"size":"1024"}}}})", number);
}

Bench::Bench(std::unique_ptr<Store> store) : store_{std::move(store)} {
  worker_ = store_->workers().enlist("test", now_);
}

JobId Bench::add(const Lifecycle& table) {
  NewJob job{.lifecycle = &table, .request = request_for(table, ++added_)};
  const AddAnswer answer = add(job);
  if (!answer) throw std::runtime_error{"refused: " + answer.error().code};
  return answer->id;
}

Ask Bench::draft(JobId id, On on) {
  const Job job = this->job(id);
  const Move* move = job.version.lifecycle->find(job.version.state, on);
  Ask ask{.version = job.version, .on = on};
  if (!move) return ask;
  ask.by = move->by;
  if (move->by == By::worker) ask.worker = on == On::claim ? worker_ : job.worker;
  ask.proof = {move->terms.needs, move->terms.needs == Proof::none ? "" : R"({"size":1})"};
  ask.holds = move->terms.guards;
  if (move->has(Effect::record_asset)) {
    const bool book = job.version.lifecycle->name == "book";
    ask.assets = {AssetFacts{.book = book ? fmt::format("b{}", id.value) : "",
                             .media_type = book ? "text" : "file",
                             .path = fmt::format("/library/{}", id.value),
                             .size = 1}};
  }
  return ask;
}

MoveAnswer Bench::ask(JobId id, On on) { return ask(draft(id, on)); }

Claim Bench::claim(const Lifecycle& table) {
  const auto claims = jobs().claim({.lifecycle = &table, .worker = worker_, .limit = 1}, now_);
  if (claims.empty()) throw std::runtime_error{"nothing to claim"};
  return claims.front();
}

JobId Bench::reach(const Lifecycle& table, std::string_view state) {
  const JobId id = add(table);
  for (const On on : path_to(table, state)) {
    if (const MoveAnswer moved = ask(id, on); !moved)
      throw std::runtime_error{"cannot reach: " + moved.error().code + " " + moved.error().detail};
    // A move into a leased state, except by a claim, leaves the job unleased, to be adopted.
    if (const Job now_there = job(id); now_there.state().is_leased() && !now_there.worker)
      claim(table);
  }
  return id;
}

std::string Bench::trail(JobId id) {
  std::string text;
  for (const Event& event : store_->events().of(id, {}, 1000))
    if (!event.to.empty()) text += (text.empty() ? "" : " > ") + event.to;
  return text;
}

std::string Bench::event_types(JobId id) {
  std::string text;
  for (const Event& event : store_->events().of(id, {}, 1000))
    text += (text.empty() ? "" : " ") + event.type;
  return text;
}

}  // namespace haul::testing
