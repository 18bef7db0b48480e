#include "support/store/acknowledged.h"

#include <fmt/core.h>

#include <sstream>

namespace haul::testing {

void Acknowledged::hear(const std::string& line) {
  ++heard_;
  std::istringstream words{line};
  std::string kind;
  std::string a;
  std::string b;
  std::string c;
  words >> kind >> a >> b >> c;
  const auto claim = [&](std::string question) { claims_.push_back({line, std::move(question)}); };
  if (kind == "job")
    claim(
        fmt::format("SELECT 1 FROM events e JOIN jobs j ON j.id = e.job WHERE e.job = {} "
                    "AND e.to_state = '{}' AND e.seq = {} AND j.seq >= e.seq",
                    a, b, c));
  else if (kind == "note")
    claim(fmt::format("SELECT 1 FROM events WHERE job = {} AND seq = {} AND type = '{}' LIMIT 1", a,
                      b, c));
  else if (kind == "item")  // A transfer may have been released since; an ended item stays.
    claim(
        fmt::format("SELECT 1 FROM items WHERE job = {} AND n = {} "
                    "AND '{}' IN (state, 'DOWNLOADING')",
                    a, b, c));
  else if (kind == "total")
    claim(fmt::format("SELECT 1 FROM counts WHERE job = {} AND total >= {}", a, b));
  else if (kind == "credit")  // -1 matches any amount.
    claim(fmt::format("SELECT 1 FROM credits WHERE job = {} AND kind = '{}' AND {} IN (amount, -1)",
                      a, b, c));
  else if (kind == "grant")
    granted_[a] += std::stoll(b);
  else if (kind == "key")
    hear_key(a, b, line);
  else
    broken_.push_back("what is this: " + line);
}

void Acknowledged::hear_key(const std::string& key, const std::string& id,
                            const std::string& line) {
  const auto [known, fresh] = keys_.try_emplace(key, id);
  if (known->second != id)
    broken_.push_back(fmt::format("key {} had job {}, now {}", key, known->second, id));
  claims_.push_back(
      {line, fmt::format("SELECT 1 FROM jobs WHERE id = {} AND key = '{}'", id, key)});
}

std::vector<std::string> Acknowledged::missing(Sql& sql, Which which) {
  std::vector<std::string> found = broken_;
  for (std::size_t i = which == Which::all ? 0 : asked_; i < claims_.size(); ++i)
    if (sql.ask(claims_[i].question) != "1") found.push_back("lost: " + claims_[i].line);
  for (const auto& [user, amount] : granted_)
    if (sql.ask(fmt::format("SELECT granted >= {} FROM wallets WHERE owner = {}", amount, user)) !=
        "1")
      found.push_back(fmt::format("lost: {} credits of user {}", amount, user));
  asked_ = claims_.size();
  return found;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace haul::testing
