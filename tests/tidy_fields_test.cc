// Checks that generic code reads no field of a request by its name: FieldUse says what a field is
// for, and Secret what of it is hidden.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>
#include <string>

#include "lifecycle/tables.h"

namespace fs = std::filesystem;

namespace {

// Folders that know lifecycles by their tables only.
constexpr const char* kGeneric[] = {"flow/worker", "flow/user", "store/rules", "api"};

// The lines there that have a field's word and read no request.
struct Word {
  std::string path;
  std::string text;  // This much of the line.
};
const Word kWords[] = {
    // The description of the API prints names of its own: of its licence, a header and a cookie.
    {"api/json/openapi.cc", R"({"name", "Apache-2.0"})"},
    {"api/json/openapi.cc", R"({"name", "X-Api-Key"})"},
    {"api/json/openapi.cc", R"({"name", "haul_session"})"},
    // A filter of lists.
    {"api/handlers/job_filter.cc", R"(kCategory = "category")"},
};

void collect(std::span<const haul::RequestField> fields, std::set<std::string>& names) {
  for (const haul::RequestField& field : fields) {
    names.emplace(field.name);
    collect(field.within, names);
  }
}

// The names of all fields in quotes. In a JSON text, where a colon follows, it is printed.
std::regex names_of_fields() {
  std::set<std::string> names;
  for (const haul::Lifecycle* table : haul::all_lifecycles()) collect(table->request.fields, names);
  std::string any;
  for (const std::string& name : names) any += (any.empty() ? "" : "|") + name;
  return std::regex{"\"(" + any + ")\\\\?\"(?!:)"};
}

// Leaves out what is no field of a request: comments, what the API prints (`json["url"]` and
// `{"url", item.url}`), and the fields of its own bodies.
std::string without_own_words(const std::string& line) {
  static const std::regex own{R"re(//.*|json(\[|\.\w+\()"\w+"|\{"\w+", [a-z])re"
                              R"re(|Body::read\(.*|(body->\w+|wrong_field)\("\w+")re"};
  return std::regex_replace(line, own, "");
}

bool reads_field(const std::string& line) {
  static const std::regex names = names_of_fields();
  return std::regex_search(without_own_words(line), names);
}

bool is_allowed(const std::string& path, const std::string& line) {
  return std::ranges::any_of(
      kWords, [&](const Word& each) { return path == each.path && line.contains(each.text); });
}

}  // namespace

TEST_CASE("tidy: worker, user, rules and API read no field of a request by its name") {
  std::set<std::string> met;  // The allowed words that are still there.
  for (const char* folder : kGeneric)
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path{HAUL_SOURCE_DIR} / "src" / folder)) {
      const std::string path = fs::relative(entry.path(), HAUL_SOURCE_DIR "/src").string();
      if (!(path.ends_with(".cc") || path.ends_with(".h")) || path.ends_with("_test.cc")) continue;
      std::ifstream in{entry.path()};
      for (std::string line; std::getline(in, line);) {
        if (!reads_field(line)) continue;
        CHECK_MESSAGE(is_allowed(path, line), path << ": a field by its name: " << line);
        for (const Word& each : kWords)
          if (path == each.path && line.contains(each.text)) met.insert(each.text);
      }
    }
  CHECK(met.size() == std::size(kWords));
}

TEST_CASE("tidy: a field that is read is told from one that is printed") {
  for (const char* line :
       {R"(find_field(fields, "engine"))", R"(request["logins"].items())", R"(text_of("book_id"))",
        R"(if (request.contains("proxy")))", R"(if (field.name == "urls") return;)",
        R"(for (const char* name : {"headers", "cookies"}))", R"re(kSecrets{"\"logins\"", "x"})re",
        R"(find_field(*limits, "per_host"))"})
    CHECK_MESSAGE(reads_field(line), line);
  for (const char* line :
       {R"(json["url"] = item.url;)", R"(json.text("engine", job.engine);)", R"(// "auto", "url")",
        R"({"url", item.url},)", R"re(R"({{"url":{},"engine":{}}})")re",
        R"(const auto title = body->text("title");)", R"(Body::read(text, {"name", "role"}))",
        R"(wrong_field("name", why))", R"("a name")"})
    CHECK_MESSAGE(!reads_field(line), line);
}
