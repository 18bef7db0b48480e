// Checks of the source tree itself: includes between modules, banned calls, file lengths.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lifecycle/tables.h"

namespace fs = std::filesystem;

namespace {

// Which module may include which. Every other include between modules is an error.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"lifecycle", {"base"}},
    {"seam", {"base"}},
    {"io", {"base", "seam"}},
    {"store", {"base", "lifecycle"}},
    {"engine", {"base", "seam", "io"}},
    {"sink", {"base", "seam", "io"}},
    {"flow", {"base", "lifecycle", "seam", "store"}},
    {"bot", {"base", "lifecycle", "seam", "store", "flow", "io", "sink", "engine"}},
    {"api", {"base", "lifecycle", "store", "flow"}},
    {"sim", {"base", "lifecycle", "seam", "store", "flow"}},
    {"cli", {"base", "lifecycle", "api", "sim"}},
    {"picture", {}},
    {"app",
     {"base", "lifecycle", "seam", "io", "store", "engine", "sink", "flow", "bot", "api", "sim",
      "cli"}},
};

// The same one level below: which folder of a module may include which other folder of it. No
// handler includes another, and no engine but the one that chooses includes another. Every folder
// of these modules has a rule.
const std::set<std::string> kLayered = {"engine", "sink", "flow", "io", "store"};
const std::map<std::string, std::set<std::string>> kFolderMayInclude = {
    {"engine/child", {}},
    {"engine/choose", {"engine/child", "engine/http"}},
    {"engine/http", {}},
    {"engine/imageapi", {}},
    {"engine/linked", {}},
    {"engine/qbittorrent", {}},
    {"engine/yandexdisk", {}},
    {"flow/batch", {"flow/worker"}},
    {"flow/book", {"flow/client", "flow/worker"}},
    {"flow/client", {"flow/worker"}},
    {"flow/image", {"flow/worker"}},
    {"flow/linked", {"flow/user", "flow/worker"}},
    {"flow/media", {"flow/client", "flow/worker"}},
    {"flow/relay", {"flow/worker"}},
    {"flow/takeover", {"flow/user"}},
    {"flow/user", {"flow/worker"}},
    {"flow/worker", {}},
    {"io/file", {}},
    {"io/process", {"io/file"}},
    {"io/proxy", {"io/file", "io/process", "io/web"}},
    {"io/web", {"io/file", "io/process"}},
    {"sink/bucket", {}},
    {"sink/jellyfin", {"sink/server"}},
    {"sink/library", {}},
    {"sink/plex", {"sink/server"}},
    {"sink/server", {}},
    {"sink/telegram", {"sink/server"}},
    {"store/rules", {}},
    {"store/sqlite", {"store/rules"}},
};

// The folder of a path that has one below its module: "flow/worker" of "flow/worker/desk.h".
std::string folder_of(const std::string& path) {
  const std::size_t first = path.find('/');
  const std::size_t second = path.find('/', first + 1);
  return second == std::string::npos ? "" : path.substr(0, second);
}

// Why this folder must not include that file; empty if it may.
std::string folder_problem(const std::string& path, const std::string& included) {
  const std::string from = folder_of(path);
  const std::string to = folder_of(included);
  const bool same_module = from.substr(0, from.find('/')) == to.substr(0, to.find('/'));
  if (from.empty() || to.empty() || from == to || !same_module) return "";
  const auto rule = kFolderMayInclude.find(from);
  const bool is_layered = kLayered.contains(from.substr(0, from.find('/')));
  if (rule == kFolderMayInclude.end()) return is_layered ? from + " has no rule" : "";
  return rule->second.contains(to) ? "" : from + " must not include " + to;
}

// Folders that know lifecycles by their tables only, so that a new lifecycle changes none of them.
constexpr const char* kWithoutNames[] = {"flow/worker/", "flow/user/", "store/rules/", "api/"};

// The lines there that have a state's word and mean no state.
struct Allowed {
  std::string path;
  std::string text;  // This much of the line.
};
const std::vector<Allowed> kAllowed = {
    // The reason of every cancel: requirement A1-7, document 001, lines 44-46 in docs/contracts.md.
    {"flow/worker/answer.cc", R"(.reason = "canceled")"},
    // Codes of GET /jobs/{id}/why, the same for every lifecycle. Clients of the API know them.
    {"flow/user/why.cc", R"({"failed", fmt::format("it failed)"},
    {"flow/user/why.cc", R"({"downloading", "the client is fetching it")"},
};

// The names of all lifecycles and of their states in quotes, and the names of the tables.
std::regex names_of_tables() {
  std::string quoted;
  std::string tables;
  for (const haul::Lifecycle* table : haul::all_lifecycles()) {
    quoted += std::string{table->name} + "|";
    for (const haul::State& state : table->states) quoted += std::string{state.name} + "|";
    std::string in_code{table->name};
    in_code.front() = static_cast<char>(in_code.front() - 'a' + 'A');
    tables += in_code + "|";
  }
  quoted.pop_back();
  tables.pop_back();
  return std::regex{"\"(" + quoted + ")\"|\\bk(" + tables + ")\\b"};
}

// Why this line must not name a lifecycle or a state; empty if it names none, or may.
// `json["book"]`, `json.number("failed", …)` and `"book":` in a JSON text are fields of an answer.
std::string name_problem(const std::string& path, const std::string& line) {
  static const std::regex names = names_of_tables();
  static const std::regex field{R"re(json(\[|\.\w+\()"\w+"|"\w+":)re"};
  const bool is_free = std::none_of(std::begin(kWithoutNames), std::end(kWithoutNames),
                                    [&](const char* folder) { return path.starts_with(folder); });
  if (is_free || path.ends_with("_test.cc")) return "";
  for (const Allowed& each : kAllowed)
    if (path == each.path && line.find(each.text) != std::string::npos) return "";
  if (!std::regex_search(std::regex_replace(line, field, ""), names)) return "";
  return "a lifecycle or a state by name; the table must say what makes it different";
}

struct Ban {
  std::string token;
  std::string home;  // The folders or files where it is allowed.
};
// Tokens are split, so that this file does not contain them.
const std::vector<Ban> kBans = {
    {"system_clock::"
     "now",
     "base/clock.cc"},
    {"steady_clock::"
     "now",
     "base/clock.cc"},
    {"sleep"
     "_for",
     "base/clock.cc"},
    {"sqlite3"
     "_",
     "store/sqlite"},
    {"PQ"
     "exec",
     "store/postgres"},
    {"curl_"
     "easy_",
     "io/ base/url.cc"},
    {"std::"
     "cout",
     "app/"},
    {"using namespace "
     "std;",
     "nowhere"},
    {"FIX"
     "ME",
     "nowhere"},
    {"#include <iostream>", "app/"},
    {"#include <nlohmann/", "api/ base/json.cc base/json_rows.cc"},
    {"#include <CLI/", "cli/run.cc cli/declare_get.cc cli/remote/declare_remote.cc"},
    {"#include <sqlite3.h>", "store/sqlite"},
    {"#include <openssl/", "base/hash.cc"},
    {"#include <curl/", "io/ base/url.cc"},
    {"#include <idn2.h>", "base/hostname.cc"},
    {"#include <boost/", "io/web/http_server.cc"},
    {"#include <libxml/", "io/web/html_page.cc io/web/metalink.cc"},
    {"#include <sodium", "base/seal.cc base/secret.cc"},
    {"#include <vips/", "picture/"},
};

// Recognises SQL in C++ sources by its keywords.
const std::regex kSql{R"re(\b(SELECT .* FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b)re"};

bool is_home(const Ban& ban, const std::string& path) {
  std::istringstream homes{ban.home};
  for (std::string home; homes >> home;)
    if (path.starts_with(home)) return true;
  return false;
}

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cc";
}

// Files that npm installed are not ours.
bool is_installed(const fs::path& path) {
  return path.string().find("/node_modules/") != std::string::npos;
}

std::string shown(const std::string& path, int line) { return path + ":" + std::to_string(line); }

// Width in columns: a UTF-8 continuation byte takes no column.
std::size_t width(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0U) == 0x80 ? 0 : 1;
  return columns;
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream in{path};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void check_source_line(const std::string& module, const std::string& path, const std::string& line,
                       const std::string& at) {
  static const std::regex include{R"re(^#include "([a-z]+)/)re"};
  const bool test = path.ends_with("_test.cc");
  if (std::smatch m; std::regex_search(line, m, include) && m[1] != module && !test)
    CHECK_MESSAGE(kMayInclude.at(module).contains(m[1]),
                  at << ": " << module << " must not include " << m[1].str());
  static const std::regex file{R"re(^#include "([a-z0-9_/]+\.h)")re"};
  if (std::smatch m; std::regex_search(line, m, file) && !test)
    CHECK_MESSAGE(folder_problem(path, m[1]).empty(), at << ": " << folder_problem(path, m[1]));
  CHECK_MESSAGE(name_problem(path, line).empty(), at << ": " << name_problem(path, line));
  for (const Ban& ban : kBans)
    CHECK_MESSAGE((line.find(ban.token) == std::string::npos || is_home(ban, path) || test),
                  at << ": " << ban.token << " belongs in " << ban.home);
  CHECK_MESSAGE((module == "store" || test || !std::regex_search(line, kSql)),
                at << ": SQL belongs in store/");
}

// Tracks which namespaces a line is in, from the lines that open and close one.
class Namespaces {
 public:
  void read(const std::string& line) {
    static const std::regex opens{R"re(^namespace ?([a-z_:]*) ?\{)re"};
    if (std::smatch m; std::regex_search(line, m, opens) && !line.ends_with("}"))
      open_.push_back(m[1]);
    else if (line.starts_with("}  // namespace") && !open_.empty())
      open_.pop_back();
  }
  bool is_anonymous() const {
    return std::find(open_.begin(), open_.end(), std::string{}) != open_.end();
  }
  std::string name() const {
    std::string joined;
    for (const std::string& each : open_) joined += each + "::";
    return joined;
  }

 private:
  std::vector<std::string> open_;
};

// Which of a file's types count.
enum class Types : std::uint8_t {
  shared,  // Outside anonymous namespaces. If two files define one, the linker picks either.
  all,
};

// The types a file defines, with their namespaces, but without those inside other types.
std::set<std::string> types_in(const std::vector<std::string>& lines, Types which) {
  static const std::regex defines{R"re(^(?:class|struct|union|enum class|enum) )re"
                                  R"re((?:\w+\(.*\) )?(\w+)(?: final)?)re"
                                  R"re((?: :[^;]*)?(?: ?\{.*|,)?$)re"};
  Namespaces namespaces;
  std::set<std::string> types;
  for (const std::string& line : lines) {
    namespaces.read(line);
    if (which == Types::shared && namespaces.is_anonymous()) continue;
    if (std::smatch m; std::regex_match(line, m, defines))
      types.insert(namespaces.name() + m[1].str());
  }
  return types;
}

// "Worker" of "haul::flow::Worker".
std::string bare(const std::string& type) {
  const std::size_t colons = type.rfind("::");
  return colons == std::string::npos ? type : type.substr(colons + 2);
}

}  // namespace

TEST_CASE("tidy: no type is defined in two files, but in anonymous namespaces") {
  std::map<std::string, std::string> homes;  // The file that defines each type.
  for (const char* folder : {"/src", "/tests", "/bench"})
    for (const auto& entry :
         fs::recursive_directory_iterator(std::string{HAUL_SOURCE_DIR} + folder)) {
      if (!is_source(entry.path()) || is_installed(entry.path())) continue;
      const std::string path = fs::relative(entry.path(), HAUL_SOURCE_DIR).string();
      for (const std::string& type : types_in(read_lines(entry.path()), Types::shared)) {
        const auto [home, is_new] = homes.emplace(type, path);
        CHECK_MESSAGE(is_new, type << " is defined in " << home->second << " and in " << path);
      }
    }

  CHECK(homes.contains("haul::flow::Worker"));
  CHECK(homes.contains("haul::sqlite::Connection"));
  CHECK_FALSE(homes.contains("haul::SqliteJobs"));
}

// A reader who meets the bare name must know which type it is, without its namespace.
TEST_CASE("tidy: a type of a header shares its name with no other type of a header or source") {
  std::map<std::string, std::string> homes;  // The header that defines each bare name.
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(HAUL_SOURCE_DIR "/src")) {
    const std::string path = fs::relative(entry.path(), HAUL_SOURCE_DIR).string();
    if (path.ends_with(".cc") && !path.ends_with("_test.cc")) sources.push_back(entry.path());
    if (!path.ends_with(".h")) continue;
    for (const std::string& type : types_in(read_lines(entry.path()), Types::all)) {
      const auto [home, is_new] = homes.emplace(bare(type), path);
      CHECK_MESSAGE(is_new, type << ": " << home->second << " and " << path << " define one");
    }
  }
  for (const fs::path& source : sources)
    for (const std::string& type : types_in(read_lines(source), Types::all)) {
      const auto home = homes.find(bare(type));
      if (home == homes.end()) continue;
      FAIL_CHECK(type << ": " << home->second << " and " << source.string() << " define one");
    }

  CHECK(sources.size() > 100);
  CHECK(homes.contains("Worker"));
  CHECK(bare("haul::flow::Worker") == "Worker");
  CHECK(bare("haul::::SqliteJobs") == "SqliteJobs");
  CHECK(bare("Outside") == "Outside");
}

TEST_CASE("tidy: a definition is told from a declaration, a member and an anonymous type") {
  const std::vector<std::string> lines = {"namespace haul {",
                                          "class Told;",
                                          "struct Plain {",
                                          "  struct Inner {",
                                          "enum class Kind : std::uint8_t {",
                                          "class Derived final : public Base,",
                                          "class CAPABILITY(\"mutex\") Locked {",
                                          "struct Short { int a; };",
                                          "namespace {",
                                          "struct Hidden {",
                                          "}  // namespace",
                                          "struct After {",
                                          "}  // namespace haul",
                                          "struct Outside {"};

  std::set<std::string> types = {"haul::Plain", "haul::Kind",  "haul::Derived", "haul::Locked",
                                 "haul::Short", "haul::After", "Outside"};
  CHECK(types_in(lines, Types::shared) == types);
  types.insert("haul::::Hidden");
  CHECK(types_in(lines, Types::all) == types);
}

TEST_CASE(
    "tidy: a handler may not include another, nor an engine, but all of them what they share") {
  CHECK(folder_problem("flow/book/book.cc", "flow/media/media.h") ==
        "flow/book must not include flow/media");
  CHECK(folder_problem("flow/book/book.cc", "flow/client/judge.h").empty());
  CHECK(folder_problem("flow/outside.cc", "flow/media/media.h").empty());
  CHECK(folder_problem("flow/book/book.cc", "flow/book/book_check.h").empty());
  CHECK(folder_problem("flow/worker/desk.h", "flow/user/user.h") ==
        "flow/worker must not include flow/user");
  CHECK(folder_problem("engine/http/http.cc", "engine/child/child.h") ==
        "engine/http must not include engine/child");
  CHECK(folder_problem("engine/choose/look.cc", "engine/http/http.h").empty());
  CHECK(folder_problem("engine/http/http.cc", "io/web/http.h").empty());
  CHECK(folder_problem("store/rules/move.cc", "store/sqlite/db.h") ==
        "store/rules must not include store/sqlite");
  CHECK(folder_problem("engine/newest/newest.cc", "engine/http/http.h") ==
        "engine/newest has no rule");
  CHECK(folder_problem("api/add/add_queue.cc", "api/json/job_json.h").empty());
}

TEST_CASE("tidy: every folder of a layered module has a rule, and every rule has a folder") {
  std::set<std::string> folders;
  for (const std::string& module : kLayered) {
    const fs::path root = fs::path{HAUL_SOURCE_DIR} / "src" / module;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::directory_iterator(root))
      if (entry.is_directory()) folders.insert(module + "/" + entry.path().filename().string());
  }

  for (const std::string& folder : folders)
    CHECK_MESSAGE(kFolderMayInclude.contains(folder), folder << " has no rule");
  for (const auto& rule : kFolderMayInclude)
    CHECK_MESSAGE(folders.contains(rule.first), rule.first << " has a rule and no folder");
}

TEST_CASE("tidy: worker, user, rules and API name no lifecycle and no state") {
  for (const char* folder : kWithoutNames) {
    const std::string path = std::string{folder} + "x.cc";
    for (const char* line :
         {"if (job.lifecycle == &kBook) return;", R"(find_lifecycle("relay"))",
          R"(if (name != "batch") return;)", R"(constexpr const char* kNames[] = {"image"};)",
          R"("media" == name)", R"(    "batch",)", "kItem.find(from)", R"(find_lifecycle("item"))",
          R"(items().list(id, "SKIPPED", 0, 9))", R"(if (state == "dead_letter") return;)",
          R"(list(id, "FAILED"); json["book"] = 1;)"})
      CHECK_MESSAGE(!name_problem(path, line).empty(), line);
    for (const char* line :
         {R"(json["book"] = asset.book;)", R"(Route{"GET", "/api/v1/books"})", "kBatchMax",
          R"("/api/v1/jobs/batch")", "a book, a batch", R"({"book":{}})",
          R"(json.number("failed", counts.failed);)", R"(json["item"] = n;)", R"("JOB_CANCELLED")",
          R"("skipped")", "kItemsMax"})
      CHECK_MESSAGE(name_problem(path, line).empty(), line);
    CHECK(name_problem(std::string{folder} + "x_test.cc", "kBook").empty());
  }
  CHECK(name_problem("flow/book/book.cc", "kBook").empty());
  CHECK(name_problem("store/sqlite/items.cc", R"("batch")").empty());
}

TEST_CASE("tidy: every allowed state's word is still in its file") {
  for (const Allowed& each : kAllowed) {
    CHECK(name_problem(each.path, each.text).empty());
    CHECK_FALSE(name_problem("api/x.cc", each.text).empty());
    bool is_there = false;
    for (const std::string& line : read_lines(fs::path{HAUL_SOURCE_DIR} / "src" / each.path))
      is_there = is_there || line.find(each.text) != std::string::npos;
    CHECK_MESSAGE(is_there, each.path << ": " << each.text);
  }
}

TEST_CASE("tidy: every source keeps to its layer, its length, its width and the bans") {
  for (const auto& entry : fs::recursive_directory_iterator(HAUL_SOURCE_DIR "/src")) {
    if (!is_source(entry.path())) continue;
    const std::string path = fs::relative(entry.path(), HAUL_SOURCE_DIR "/src").string();
    const std::string module = path.substr(0, path.find('/'));
    REQUIRE_MESSAGE(kMayInclude.contains(module), path << ": unknown module");

    const std::vector<std::string> lines = read_lines(entry.path());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string at = shown(path, static_cast<int>(i) + 1);
      CHECK_MESSAGE(width(lines[i]) <= 100, at << ": wider than 100 columns");
      check_source_line(module, path, lines[i], at);
    }
    CHECK_MESSAGE(lines.size() <= 500, path << ": longer than 500 lines, split it");
  }
}

TEST_CASE("tidy: every header says what it is for, and keeps third parties out") {
  static const std::regex third_party{
      R"re(#include <(sqlite3|nlohmann|CLI|openssl|curl|idn2|libxml|sodium|fmt/format))re"};
  for (const auto& entry : fs::recursive_directory_iterator(HAUL_SOURCE_DIR "/src")) {
    if (entry.path().extension() != ".h") continue;
    const std::string path = entry.path().filename().string();
    const std::vector<std::string> lines = read_lines(entry.path());
    REQUIRE_MESSAGE(lines.size() > 2, path << ": empty");
    CHECK_MESSAGE(lines[0] == "#pragma once", path << ": starts without #pragma once");
    CHECK_MESSAGE(lines[1].starts_with("// "), path << ": does not say what it is for");
    for (const std::string& line : lines)
      CHECK_MESSAGE(!std::regex_search(line, third_party), path << ": " << line);
  }
}

// HAUL_TEST_STORE chooses the backend: see tests/support/store/test_store.h.
TEST_CASE("tidy: conformance tests open their stores through the factory, never SQLite's own") {
  static const std::regex own{R"re(\bopen_sqlite\b|store/sqlite/)re"};
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(HAUL_SOURCE_DIR "/tests/conformance")) {
    if (!is_source(entry.path())) continue;
    ++files;
    for (const std::string& line : read_lines(entry.path()))
      CHECK_MESSAGE(!std::regex_search(line, own), entry.path().filename().string(), ": ", line);
  }
  CHECK(files > 50);
}

TEST_CASE("tidy: docs/ARCHITECTURE.md has at most 200 lines") {
  CHECK(read_lines(HAUL_SOURCE_DIR "/docs/ARCHITECTURE.md").size() <= 200);
}

TEST_CASE("tidy: tests and benchmarks keep to the length and width of sources") {
  for (const char* folder : {"/tests", "/bench"})
    for (const auto& entry :
         fs::recursive_directory_iterator(std::string{HAUL_SOURCE_DIR} + folder)) {
      if (!is_source(entry.path()) || is_installed(entry.path())) continue;
      const std::vector<std::string> lines = read_lines(entry.path());
      const std::string path = entry.path().filename().string();
      CHECK_MESSAGE(lines.size() <= 500, path << ": longer than 500 lines, split it");
      for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK_MESSAGE(width(lines[i]) <= 100, shown(path, static_cast<int>(i) + 1)
                                                  << ": wider than 100 columns");
    }
}
