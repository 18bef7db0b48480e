#include "support/process/get_bench.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "base/hash.h"
#include "base/json.h"
#include "support/store/sql.h"

namespace haul::testing {
namespace {

Fields fields_of(const std::string& line) {
  const auto read = read_object(line);
  if (!read) throw std::runtime_error{"not a line of JSON: " + line};
  Fields fields;
  for (const JsonField& field : *read) fields[field.name] = field.text;
  return fields;
}

}  // namespace

std::vector<Fields> Told::of_type(std::string_view type) const {
  std::vector<Fields> found;
  std::ranges::copy_if(lines, std::back_inserter(found),
                       [&](const Fields& line) { return line.at("type") == type; });
  return found;
}

Fields Told::item(std::string_view part_of_url) const {
  for (const Fields& line : of_type("item"))
    if (line.at("url").find(part_of_url) != std::string::npos) return line;
  return {};
}

std::string Told::outcome(std::string_view part_of_url) const {
  const Fields found = item(part_of_url);
  if (found.empty()) return {};
  const std::string& reason = found.at("reason");
  return found.at("outcome") + (reason == "null" ? "" : " " + reason);
}

Fields Told::summary() const {
  const std::vector<Fields> found = of_type("summary");
  return found.size() == 1 ? found.front() : Fields{};
}

Told told(const Finished& finished) {
  Told told{.code = finished.code, .out = finished.out, .err = finished.err, .lines = {}};
  std::istringstream lines{finished.out};
  for (std::string line; std::getline(lines, line);) told.lines.push_back(fields_of(line));
  return told;
}

Told told(Child& child) {
  Finished finished;
  while (const auto line = child.line()) finished.out += *line + "\n";
  finished.code = child.wait();
  return told(finished);
}

Words GetBench::polite_command(const Words& words) const {
  Words all{"env", "XDG_STATE_HOME=" + (temp_ / "state").string(), "HOME=" + temp_.path().string(),
            "no_proxy=", "NO_PROXY="};
  all.insert(all.end(), environment_.begin(), environment_.end());
  all.insert(all.end(),
             {HAUL_BINARY, "get", "--engine", engine_, "--json", "-d", folder_.string()});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Words GetBench::command(const Words& words) const {
  Words all{"--delay", "0", "--per-host", "16"};
  all.insert(all.end(), words.begin(), words.end());
  return polite_command(all);
}

Told GetBench::get(const Words& words) { return told(run_program(command(words))); }
Told GetBench::get_politely(const Words& words) { return told(run_program(polite_command(words))); }

Words GetBench::files() const {
  Words names;
  if (std::filesystem::exists(folder_))
    for (const auto& entry : std::filesystem::directory_iterator{folder_})
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string GetBench::listing() const {
  std::string all;
  for (const std::string& name : files()) all += (all.empty() ? "" : ", ") + name;
  return all;
}

std::string GetBench::content(const std::string& name) const {
  std::ifstream file{folder_ / name, std::ios::binary};
  if (!file) throw std::runtime_error{"there is no " + name};
  std::string bytes(std::filesystem::file_size(folder_ / name), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

bool GetBench::holds(const std::string& name, std::string_view content) const {
  return std::filesystem::exists(folder_ / name) && this->content(name) == content;
}

void GetBench::put(const std::string& name, std::string_view content) const {
  std::filesystem::create_directories(folder_);
  std::ofstream{folder_ / name, std::ios::binary} << content;
}

std::string GetBench::ask(const std::string& sql) const {
  const std::string hash = sha256_hex(folder_.string()).substr(0, 16);
  return Sql{temp_ / "state" / "haul" / "get" / hash / "haul.db"}.ask(sql);
}

}  // namespace haul::testing
