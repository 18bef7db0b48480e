#include "cli/commands/get_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <istream>
#include <utility>

#include "base/ascii.h"
#include "base/header_field.h"
#include "base/json.h"
#include "base/request_value.h"
#include "base/text.h"
#include "base/url_options.h"

namespace haul::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUrlsMax = 100'000;

std::unexpected<Fault> refuse(std::string detail) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_usage", std::move(detail)}};
}

// The options of one URL so far.
struct Options {
  std::string dir;
  std::string out;
  std::string checksum;
  std::string user_agent;
  std::vector<std::string> headers;
  std::vector<std::string> mirrors;
};
using Set = std::string (*)(Options& options, std::string_view value);

// What is wrong with a path that must stay below the folder of -d; empty: nothing.
std::string wrong_with_inside(std::string_view value) {
  const fs::path path{value};
  if (value.empty()) return "expected a path";
  if (path.is_absolute()) return "must be below the folder of -d, so not absolute";
  if (std::ranges::find(path, fs::path{".."}) != path.end()) return "\"..\" is not allowed";
  return {};
}

std::string set_dir(Options& options, std::string_view value) {
  options.dir = value;
  return wrong_with_inside(value);
}

std::string set_out(Options& options, std::string_view value) {
  options.out = value;
  if (value.ends_with('/') || fs::path{value}.filename() == ".") return "names no file";
  return wrong_with_inside(value);
}

// aria2 writes sha-256=9f86…, haul sha256:9f86….
std::string set_checksum(Options& options, std::string_view value) {
  std::string text{value};
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    std::string name = lower(text.substr(0, equals));
    std::erase(name, '-');
    text = name + ":" + text.substr(equals + 1);
  }
  options.checksum = text;
  return read_checksum(text) ? "" : "expected sha-256=<64 hexadecimal digits>, or sha-1, md5";
}

std::string add_header(Options& options, std::string header) {
  std::string why = wrong_with_header(header);
  options.headers.push_back(std::move(header));
  return why;
}

std::string set_header(Options& options, std::string_view value) {
  return add_header(options, std::string{value});
}

std::string set_referer(Options& options, std::string_view value) {
  return add_header(options, fmt::format("Referer: {}", value));
}

std::string set_user_agent(Options& options, std::string_view value) {
  options.user_agent = value;
  return {};
}

std::string add_mirror(Options& options, std::string_view value) {
  if (options.mirrors.size() >= kMirrorsMax)
    return fmt::format("more than {} of one file", kMirrorsMax);
  options.mirrors.emplace_back(value);
  return wrong_with_mirror(value);
}

struct InputOption {
  std::string_view name;
  Set set;
};
constexpr std::array kKnown{
    InputOption{"out", set_out},           InputOption{"dir", set_dir},
    InputOption{"checksum", set_checksum}, InputOption{"header", set_header},
    InputOption{"referer", set_referer},   InputOption{"user-agent", set_user_agent},
    InputOption{"mirror", add_mirror},
};

// What is wrong with an option's line; empty: nothing, and it is set.
std::string take_option(Options& options, std::string_view line) {
  const std::size_t equals = line.find('=');
  const std::string_view name = trimmed(line.substr(0, equals));
  const auto known = std::ranges::find(kKnown, name, &InputOption::name);
  if (known == kKnown.end()) {
    std::vector<std::string_view> names;
    names.reserve(kKnown.size());
    for (const InputOption& each : kKnown) names.push_back(each.name);
    const std::string_view like = nearest(name, names);
    return fmt::format("no such option \"{}\"{}", printable(name.substr(0, 40)),
                       like.empty() ? "; a line that begins with a blank is an option of its URL"
                                    : fmt::format("; did you mean \"{}\"?", like));
  }
  if (equals == std::string_view::npos) return fmt::format("expected {}=VALUE", name);
  const std::string why = known->set(options, trimmed(line.substr(equals + 1)));
  return why.empty() ? "" : fmt::format("{}: {}", name, why);
}

std::string name_of(const Options& options) {
  if (options.dir.empty()) return options.out;
  return (fs::path{options.dir} / options.out).lexically_normal().string();
}

std::string json_of(const Options& options) {
  std::string out;
  const auto field = [&out](std::string_view name, const std::string& json) {
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, json);
  };
  if (const std::string name = name_of(options); !name.empty()) field("name", json_quoted(name));
  if (!options.checksum.empty()) field("checksum", json_quoted(options.checksum));
  if (!options.user_agent.empty()) field("user_agent", json_quoted(options.user_agent));
  const auto list = [&field](std::string_view name, const std::vector<std::string>& texts) {
    std::string json;
    for (const std::string& text : texts) json += (json.empty() ? "" : ",") + json_quoted(text);
    if (!json.empty()) field(name, "[" + json + "]");
  };
  list("headers", options.headers);
  list("mirrors", options.mirrors);
  return "{" + out + "}";
}

class InputReader {
 public:
  explicit InputReader(GetBatch& batch, std::size_t line = 0) : batch_{batch}, line_{line} {}

  Result<void> take(std::string_view line) {
    ++number_;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.starts_with('#')) return {};
    const bool is_url = text.find("://") < text.find('=');
    if ((line.front() == ' ' || line.front() == '\t') && !is_url) return take_line(text);
    end_url();
    if (batch_.urls.size() >= kUrlsMax)
      return refuse(fmt::format("more than {} URLs; split the list", kUrlsMax));
    const std::size_t tab = std::min(text.find('\t'), text.size());
    batch_.urls.emplace_back(trimmed(text.substr(0, tab)));
    batch_.lines.push_back(number_);
    has_url_ = true;
    return take_mirrors(text.substr(tab));
  }

  // The last line is read.
  void end_url() {
    const Options options = std::exchange(options_, {});
    const std::string text = std::exchange(text_, {});
    if (text.empty()) return;
    batch_.each[batch_.urls.size() - 1] = json_of(options);
    batch_.texts[batch_.urls.size() - 1] = text;
  }

 private:
  std::string where() const {
    return fmt::format("{}:{}: ", batch_.input == "-" ? "standard input" : batch_.input,
                       line_ > 0 ? line_ : number_);
  }
  // As in aria2, the URLs after a tab are mirrors of the same file.
  Result<void> take_mirrors(std::string_view rest) {
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::size_t tab = std::min(rest.find('\t'), rest.size());
      const std::string_view url = trimmed(rest.substr(0, tab));
      rest.remove_prefix(tab);
      if (url.empty()) continue;
      if (auto taken = take_line(fmt::format("mirror={}", url)); !taken) return taken;
    }
    return {};
  }
  Result<void> take_line(std::string_view text) {
    if (!has_url_ && line_ > 0)
      return refuse(where() + "an option too late: the download of its URL has begun");
    if (!has_url_) return refuse(where() + "an option before the first URL");
    if (const std::string why = take_option(options_, text); !why.empty())
      return refuse(where() + why);
    text_ += fmt::format("  {}\n", text);
    return {};
  }

  GetBatch& batch_;
  const std::size_t line_;  // The line of a fault. Zero: the one that it was found in.
  std::size_t number_ = 0;
  Options options_;
  std::string text_;  // Their lines.
  bool has_url_ = false;
};

}  // namespace

Result<void> read_input(std::istream& lines, GetBatch& batch) {
  return read_input(lines, batch, 0);
}

UrlOptions options_at(const GetBatch& batch, std::size_t position) {
  const auto json = batch.each.find(position);
  if (json == batch.each.end()) return {};
  auto read = read_url_options(fmt::format(R"({{"0":{}}})", json->second));
  return read && !read->empty() ? std::move(read->begin()->second) : UrlOptions{};
}

Result<void> read_input(std::istream& lines, GetBatch& batch, std::size_t line) {
  InputReader reader{batch, line};
  for (std::string text; std::getline(lines, text);)
    if (auto taken = reader.take(text); !taken) return taken;
  reader.end_url();
  return {};
}

}  // namespace haul::cli
