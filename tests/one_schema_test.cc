// The fields of a request have one table. What checks, describes, documents and asks for them is
// made from it: a field that is in one place and not in the others fails here.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "api/json/lifecycle_json.h"
#include "api/json/openapi.h"
#include "base/json.h"
#include "cli/commands/get_words.h"
#include "cli/remote/remote.h"
#include "lifecycle/tables.h"
#include "store/rules/request_check.h"
#include "support/api/api_bench.h"
#include "support/api/fake_api.h"

namespace haul {
namespace {

using Paths = std::set<std::string>;

enum class Which : std::uint8_t { all, in_forms };

// "limits", "limits.per_host", …
void collect(std::span<const RequestField> fields, Which which, const std::string& before,
             Paths& paths) {
  for (const RequestField& field : fields) {
    if (which == Which::in_forms && !field.in_forms) continue;
    const std::string path = before + std::string{field.name};
    paths.insert(path);
    collect(field.within, which, path + ".", paths);
  }
}

Paths paths_of(const Lifecycle& table, Which which = Which::all) {
  Paths paths;
  collect(table.request.fields, which, "", paths);
  return paths;
}

std::string json_of(const std::string& object, std::string_view name) {
  const auto fields = read_object(object);
  if (!fields) return {};
  for (const JsonField& field : *fields)
    if (field.name == name) return field.json;
  return {};
}

// The properties of a JSON schema, and those of its properties.
void collect_schema(const std::string& schema, const std::string& before, Paths& paths) {
  const auto properties = read_object(json_of(schema, "properties"));
  if (!properties) return;
  for (const JsonField& property : *properties) {
    paths.insert(before + property.name);
    collect_schema(property.json, before + property.name + ".", paths);
  }
}

// The fields of a form, and those within them.
void collect_form(const std::string& fields, const std::string& before, Paths& paths) {
  const auto list = read_array(fields);
  if (!list) return;
  for (const std::string& each : *list) {
    const std::string quoted = json_of(each, "name");
    const std::string path = before + quoted.substr(1, quoted.size() - 2);
    paths.insert(path);
    collect_form(json_of(each, "fields"), path + ".", paths);
  }
}

// The rows of a lifecycle's section in the page.
Paths documented(const std::string& page, std::string_view lifecycle) {
  Paths paths;
  const std::size_t begin = page.find("\n### " + std::string{lifecycle} + "\n");
  if (begin == std::string::npos) return paths;
  const std::string section = page.substr(begin + 1, page.find("\n#", begin + 2) - begin);
  for (std::size_t at = section.find("\n| `"); at != std::string::npos;
       at = section.find("\n| `", at + 1)) {
    const std::size_t name = at + 4;
    paths.insert(section.substr(name, section.find('`', name) - name));
  }
  return paths;
}

// A value of the field's type, as JSON.
std::string json_for(const RequestField& field) {
  switch (field.type) {
    case FieldType::number:
      return "7";
    case FieldType::flag:
      return "true";
    case FieldType::list:
      return R"(["x"])";
    case FieldType::object:
    case FieldType::logins:
    case FieldType::any:
      return R"({"x":"y"})";
    case FieldType::text:
    case FieldType::lines:
    case FieldType::duration:
    case FieldType::id:
      return R"("x")";
  }
  return {};
}

// The same as a word of haul add: "pages_max=7".
std::string word_for(const RequestField& field) {
  const std::string json = json_for(field);
  const bool is_quoted = json.starts_with('"');
  return std::string{field.name} + "=" + (is_quoted ? json.substr(1, json.size() - 2) : json);
}

std::string text_of(const std::string& path) {
  std::ifstream file{std::string{HAUL_SOURCE_DIR "/"} + path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

TEST_CASE("OpenAPI, docs and forms have the fields of the tables, and no others") {
  testing::ApiBench daemon{
      testing::open_test_store(testing::Bench::kStart), std::nullopt, {}, {{.name = "films"}}};
  const std::string schemas = json_of(json_of(api::openapi_json("1"), "components"), "schemas");
  const std::string page = api::api_doc();
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->request.fields.empty()) continue;
    CAPTURE(table->name);
    const std::string name{table->name};

    Paths described;
    collect_schema(json_of(schemas, name + "_request"), "", described);
    CHECK(described == paths_of(*table));
    CHECK(documented(page, name) == paths_of(*table));
    Paths asked;
    collect_form(json_of(daemon.get("/api/v1/lifecycles/" + name).body, "request"), "", asked);
    CHECK(asked == paths_of(*table, Which::in_forms));
  }
}

TEST_CASE("the page's mock has the tables that haul lifecycle --json prints; ./dev docs mends it") {
  const auto whole = [](const std::string& list) { return canonical("{\"list\":" + list + "}"); };
  const auto file = whole(text_of("web/mock/lifecycles.json"));
  REQUIRE(file);
  CHECK(*file == whole(api::to_json(all_lifecycles())));
}

TEST_CASE("every field of a batch has an option of haul get, or a reason to have none") {
  // url and urls are the words of the command, objects have options for their fields, a list (-i)
  // has the options of single URLs, and naming is for the page and the API.
  const Paths without{"url", "urls", "filters", "limits", "each", "naming"};
  for (const std::string& path : paths_of(kBatch))
    CHECK_MESSAGE(cli::has_option(path) != without.contains(path), path);
}

TEST_CASE("haul add takes every field of every table, and sends it as its type") {
  testing::ApiBench daemon;
  const std::string forms = daemon.get("/api/v1/lifecycles").body;
  const std::string api = daemon.get("/api/v1/openapi.json").body;
  for (const Lifecycle* table : all_lifecycles())
    for (const RequestField& field : table->request.fields) {
      testing::Desk desk;
      desk.api.on("GET /api/v1/lifecycles", 200, forms)
          .on("GET /api/v1/openapi.json", 200, api)
          .on("POST /api/v1/jobs", 201, R"({"id":1,"state":"x","end":"open"})");
      std::vector<std::string> words{std::string{table->name}};
      for (const RequestField& each : table->request.fields)
        if (each.required || each.name == field.name) words.push_back(word_for(each));
      CAPTURE(table->name);
      CAPTURE(field.name);

      CHECK(cli::run_add({.words = words}, desk.remote()) == 0);

      CHECK(desk.err.str().empty());
      const std::string sent = desk.api.asked.substr(desk.api.asked.find('{'));
      CHECK(json_of(json_of(sent, "request"), field.name) == json_for(field));
    }
}

TEST_CASE("a field that no table has is refused at the door") {
  for (const Lifecycle* table : all_lifecycles()) {
    if (table->request.fields.empty()) continue;
    const auto refusal = rules::check_request(*table, R"({"no_such_field":1})");
    REQUIRE(refusal);
    CHECK(refusal->field == "no_such_field");
  }
}

}  // namespace haul
