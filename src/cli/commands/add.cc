// `haul add`: builds a job's request from the words of the command line.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "base/ascii.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands/send_job.h"
#include "cli/remote/answers.h"

namespace haul::cli {
namespace {

bool is_url(std::string_view word) {
  const std::string start = lower(word.substr(0, 8));
  return start.starts_with("http://") || start.starts_with("https://");
}

struct Field {
  std::string name;
  std::string type;
  bool is_required = false;
};

struct Form {
  std::string lifecycle;
  std::vector<Field> fields;

  bool has(std::string_view name) const {
    return std::ranges::find(fields, name, &Field::name) != fields.end();
  }
};

template <class Names>
std::string did_you_mean(std::string_view word, const Names& names) {
  const std::vector<std::string_view> candidates{names.begin(), names.end()};
  const std::string_view like = nearest(word, candidates);
  return like.empty() ? "" : fmt::format("; did you mean '{}'?", like);
}

Form form_of(const JsonView& lifecycle) {
  Form form{.lifecycle = lifecycle.text("name"), .fields = {}};
  for (const std::string& text : lifecycle.list("request"))
    if (const auto field = JsonView::read(text))
      form.fields.push_back({field->text("name"), field->text("type"), field->flag("required")});
  return form;
}

// The fields of this lifecycle's request, as the daemon lists them.
OrFailure<Form> find_form(Remote remote, const std::string& name) {
  const auto answer = ask(remote, "/api/v1/lifecycles");
  if (!answer) return std::unexpected{answer.error()};
  const auto list = read_list(answer->body);
  if (!list) return std::unexpected{failure_of(list.error(), remote.client)};
  std::vector<std::string> names;
  std::string all;
  for (const std::string& text : list->items) {
    const auto lifecycle = JsonView::read(text);
    if (!lifecycle || lifecycle->list("request").empty()) continue;  // Users cannot add these.
    if (lifecycle->text("name") == name) return form_of(*lifecycle);
    names.push_back(lifecycle->text("name"));
    const bool is_ready = lifecycle->text("not_ready").empty();
    all += (all.empty() ? "" : ", ") + names.back() + (is_ready ? "" : " [not configured]");
  }
  return std::unexpected{wrong_usage(fmt::format("'{}' is neither a URL nor a lifecycle ({}){}",
                                                 name, all, did_you_mean(name, names)))};
}

// The type that a form would give to a field of this JSON schema.
std::string form_type(const JsonView& schema) {
  const std::string type = schema.text("type");
  if (type == "integer") return "number";
  if (type == "array") return "list";
  return type == "boolean" || type == "object" ? type : "string";
}

// Forms leave out the fields that few users need. The description of the API has them all.
void add_rare_fields(Remote remote, Form& form) {
  const auto api = ask_object(remote, "/api/v1/openapi.json");
  if (!api) return;  // The form is all that is known then.
  const JsonView schemas = api->object("components").object("schemas");
  const JsonView properties = schemas.object(form.lifecycle + "_request").object("properties");
  for (const std::string& name : properties.names())
    if (!form.has(name)) form.fields.push_back({name, form_type(properties.object(name))});
}

bool is_json_number(const std::string& text) {
  const bool begins = !text.empty() && (text[0] == '-' || is_digit(text[0]));
  const auto alone = begins ? read_array("[" + text + "]") : Result<std::vector<std::string>>{};
  return alone && alone->size() == 1;
}

// The word as JSON of the field's type.
OrFailure<std::string> as_json(const Field& field, const std::string& word) {
  const auto wrong = [&](const char* wanted) {
    return std::unexpected{wrong_usage(fmt::format("{}: expected {}", field.name, wanted))};
  };
  if (field.type == "number") {
    if (!is_json_number(word)) return wrong("a number");
    return word;
  }
  if (field.type == "boolean") {
    if (word != "true" && word != "false") return wrong("true or false");
    return word;
  }
  if (field.type == "object") {
    const auto object = canonical(word);
    if (!object) return wrong(R"(an object such as '{"name":"value"}')");
    return *object;
  }
  return json_quoted(word);
}

// The elements of a list, without brackets. The word is a JSON list or a single element.
OrFailure<std::string> as_elements(const Field& field, const std::string& word) {
  if (!word.starts_with('[')) return json_quoted(word);
  const auto holder = read_object(R"({"list":)" + word + "}");
  if (!holder || !holder->front().json.starts_with('['))
    return std::unexpected{wrong_usage(fmt::format("{}: expected a list", field.name))};
  const std::string& list = holder->front().json;
  return list.substr(1, list.size() - 2);
}

struct Words {
  std::map<std::string, std::string> values;
  std::map<std::string, std::string> lists;  // Without brackets.
};

OrFailure<void> take_word(const Form& form, const std::string& word, Words& words) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0)
    return std::unexpected{wrong_usage(fmt::format("'{}': expected field=value", word))};
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  const auto field = std::ranges::find(form.fields, name, &Field::name);
  if (field == form.fields.end()) {
    std::vector<std::string_view> names;
    names.reserve(form.fields.size());
    for (const Field& each : form.fields) names.push_back(each.name);
    return std::unexpected{wrong_usage(fmt::format("a {} job has no field '{}'{}", form.lifecycle,
                                                   name, did_you_mean(name, names)))};
  }
  if (field->type == "list") {
    const auto elements = as_elements(*field, value);
    if (!elements) return std::unexpected{elements.error()};
    std::string& list = words.lists[name];
    list += (list.empty() || elements->empty() ? "" : ",") + *elements;
    return {};
  }
  const auto json = as_json(*field, value);
  if (!json) return std::unexpected{json.error()};
  if (!words.values.emplace(name, *json).second)
    return std::unexpected{wrong_usage(fmt::format("{} is given twice", name))};
  return {};
}

OrFailure<std::string> request_of(const Form& form, std::span<const std::string> given) {
  Words words;
  for (const std::string& word : given)
    if (const auto taken = take_word(form, word, words); !taken)
      return std::unexpected{taken.error()};
  std::string missing;
  for (const Field& field : form.fields)
    if (field.is_required && !words.values.contains(field.name) &&
        !words.lists.contains(field.name))
      missing += (missing.empty() ? "" : ", ") + field.name;
  if (!missing.empty())
    return std::unexpected{
        wrong_usage(fmt::format("a {} job also requires {}", form.lifecycle, missing))};
  for (const auto& [name, elements] : words.lists) words.values[name] = "[" + elements + "]";
  std::string out;
  for (const auto& [name, json] : words.values)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", json_quoted(name), json);
  return "{" + out + "}";
}

// URLs alone make a batch.
std::string batch_of(const AddOptions& options) {
  const std::vector<std::string>& urls = options.words;
  const std::string category =
      options.category.empty() ? ""
                               : fmt::format(R"(,"category":{})", json_quoted(options.category));
  if (urls.size() == 1)
    return fmt::format(R"({{"url":{}{}}})", json_quoted(urls.front()), category);
  std::string list;
  for (const std::string& url : urls) list += (list.empty() ? "" : ",") + json_quoted(url);
  return fmt::format(R"({{"urls":[{}]{}}})", list, category);
}

struct JobToAdd {
  std::string lifecycle;
  std::string request;
};

OrFailure<JobToAdd> job_to_add(const AddOptions& options, Remote remote) {
  if (is_url(options.words.front())) {
    const auto other = std::ranges::find_if_not(options.words, is_url);
    if (other != options.words.end())
      return std::unexpected{wrong_usage(fmt::format("'{}' is not a URL", *other))};
    return JobToAdd{"batch", batch_of(options)};
  }
  if (!options.category.empty())
    return std::unexpected{wrong_usage("--category is for URLs; write category=NAME as a field")};
  auto form = find_form(remote, options.words.front());
  if (!form) return std::unexpected{form.error()};
  const std::span given = std::span{options.words}.subspan(1);
  const auto is_in_form = [&](const std::string& word) {
    return form->has(std::string_view{word}.substr(0, word.find('=')));
  };
  if (!std::ranges::all_of(given, is_in_form)) add_rare_fields(remote, *form);
  const auto request = request_of(*form, given);
  if (!request) return std::unexpected{request.error()};
  return JobToAdd{form->lifecycle, *request};
}

}  // namespace

int run_add(const AddOptions& options, Remote remote) {
  if (options.words.empty())
    return tell(wrong_usage("expected URL…, or LIFECYCLE field=value…"), remote);
  const auto job_asked = job_to_add(options, remote);
  if (!job_asked) return tell(job_asked.error(), remote);
  std::string body = fmt::format(R"({{"lifecycle":{},"request":{})",
                                 json_quoted(job_asked->lifecycle), job_asked->request);
  if (options.owner) body += fmt::format(R"(,"owner":{})", *options.owner);
  if (options.paused) body += R"(,"paused":true)";
  if (!options.not_before.empty())
    body += fmt::format(R"(,"not_before":{})", json_quoted(options.not_before));
  if (const auto priority = priority_named(options.priority))
    body += fmt::format(R"(,"priority":{})", *priority);
  return send_job(remote, body + "}", options.key);
}

}  // namespace haul::cli
