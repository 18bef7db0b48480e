#include "engine/imageapi/graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"

namespace haul::imageapi {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// A placeholder between its braces: "seed" or "width=1024".
struct Placeholder {
  std::string name;
  std::string otherwise{};
  bool has_default = false;
};

Placeholder read_placeholder(std::string_view inside) {
  const std::size_t equals = inside.find('=');
  const std::string_view name = trimmed(inside.substr(0, equals));
  if (equals == std::string_view::npos) return {std::string{name}};
  return {std::string{name}, std::string{trimmed(inside.substr(equals + 1))}, true};
}

// The end of a string literal that begins at `at`, after its closing quote.
std::size_t end_of_literal(std::string_view json, std::size_t at) {
  for (std::size_t i = at + 1; i < json.size(); ++i) {
    if (json[i] == '"') return i + 1;
    if (json[i] == '\\') ++i;
  }
  return json.size();
}

// The placeholder that begins at `at` in the text of a literal. Empty if there is none.
std::string_view placeholder_at(std::string_view text, std::size_t at) {
  if (text.substr(at, kOpen.size()) != kOpen) return {};
  const std::size_t close = text.find(kClose, at + kOpen.size());
  if (close == std::string_view::npos) return {};
  return text.substr(at, close + kClose.size() - at);
}

std::string_view inside_of(std::string_view placeholder) {
  return placeholder.substr(kOpen.size(), placeholder.size() - kOpen.size() - kClose.size());
}

// Gives every placeholder its value, as JSON.
using ValueOf = std::function<ParamResult<std::string>(const Placeholder&)>;

// The text of a JSON literal without its quotes; other JSON as it is.
std::string within_text(const std::string& json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

ParamResult<std::string> fill_literal(std::string_view literal, const ValueOf& value_of) {
  const std::string_view text = literal.substr(1, literal.size() - 2);
  if (const auto whole = placeholder_at(text, 0); !whole.empty() && whole.size() == text.size())
    return value_of(read_placeholder(inside_of(whole)));
  std::string filled = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view found = placeholder_at(text, at);
    if (found.empty()) {
      filled += text[at++];
      continue;
    }
    const auto value = value_of(read_placeholder(inside_of(found)));
    if (!value) return value;
    filled += within_text(*value);
    at += found.size();
  }
  return filled + "\"";
}

ParamResult<std::string> fill_all(std::string_view workflow, const ValueOf& value_of) {
  std::string filled;
  for (std::size_t at = 0; at < workflow.size();) {
    if (workflow[at] != '"') {
      filled += workflow[at++];
      continue;
    }
    const std::size_t end = end_of_literal(workflow, at);
    const auto literal = fill_literal(workflow.substr(at, end - at), value_of);
    if (!literal) return literal;
    filled += *literal;
    at = end;
  }
  return filled;
}

// The seed of a call whose parameters give none: what 12 digits of its id say.
std::string seed_of(const ImageRequest& wanted) {
  return std::to_string(std::stoll(wanted.id.substr(wanted.id.size() - 12), nullptr, 16));
}

ParamResult<std::string> value_for(const ImageRequest& wanted, const Placeholder& placeholder) {
  if (placeholder.name == "prompt") return json_quoted(wanted.prompt);
  if (const JsonField* param = find_param(wanted, placeholder.name)) return param->json;
  if (placeholder.has_default)
    return is_json_text(placeholder.otherwise) ? placeholder.otherwise
                                               : json_quoted(placeholder.otherwise);
  if (placeholder.name == "seed") return seed_of(wanted);
  return std::unexpected{BadParam::of(placeholder.name, "the workflow needs it")};
}

bool is_node(const JsonField& field) {
  const auto node = read_object(field.json);
  return node && std::ranges::find(*node, "class_type", &JsonField::name) != node->end();
}

}  // namespace

Result<void> check_graph(std::string_view workflow) {
  const auto refuse = [](std::string why) {
    return std::unexpected{Fault{FaultKind::environment, "bad_workflow", std::move(why)}};
  };
  const auto nodes = read_object(workflow);
  if (!nodes) return refuse("is no JSON object: " + nodes.error().detail);
  if (nodes->empty() || !std::ranges::all_of(*nodes, is_node))
    return refuse("is no workflow in API format: export it with \"Export (API)\"");
  bool has_prompt = false;
  const auto filled = fill_all(workflow, [&](const Placeholder& each) -> ParamResult<std::string> {
    has_prompt = has_prompt || each.name == "prompt";
    return "0";
  });
  if (!filled || !read_object(*filled)) return refuse("has a placeholder in a wrong place");
  if (!has_prompt) return refuse("has no {{prompt}}");
  return {};
}

ParamResult<std::string> fill_graph(std::string_view workflow, const ImageRequest& wanted) {
  if (auto good = check_any_params(wanted); !good) return std::unexpected{good.error()};
  std::set<std::string> used;
  auto filled = fill_all(workflow, [&](const Placeholder& each) {
    used.insert(each.name);
    return value_for(wanted, each);
  });
  if (!filled) return filled;
  for (const JsonField& param : wanted.params)
    if (!param.is_null && !counts_images(param.name) && !used.contains(param.name))
      return std::unexpected{BadParam::of(param.name, "the workflow has no place for it")};
  return filled;
}

}  // namespace haul::imageapi
