// How haul calls gallery-dl and reads its output, from Debian's 1.25.3 on.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/json.h"
#include "engine/child/json_list.h"
#include "engine/child/program.h"
#include "io/file/filename.h"

namespace haul::child {
namespace {

// gallery-dl's exit code is a sum of these.
constexpr unsigned kNotFoundBit = 8;
constexpr unsigned kLoginBit = 16;
constexpr unsigned kInputBit = 32;
constexpr unsigned kUnsupportedBit = 64;
constexpr unsigned kSystemBit = 128;

constexpr std::string_view kFileMessage = "3";
constexpr std::string_view kQueueMessage = "6";

// Makes gallery-dl print a file's address before it requests the file, so that a failure has a
// name, too.
constexpr const char* kPostprocessors =
    R"(postprocessors=[{"name":"metadata","event":"prepare","mode":"custom","filename":"-",)"
    R"("content-format":"@N {haul_url!j}\n"}])";
constexpr const char* kOutput =
    R"(output.mode={"start":"@S {}\n","success":"@D {}\n","skip":"@K {}\n",)"
    R"("progress":"","progress-total":""})";

std::string text_of(const std::vector<JsonField>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &JsonField::name);
  return found == fields.end() || found->is_null ? "" : found->text;
}

Fault fault_named(const std::string& error, const std::string& message) {
  const bool both = !error.empty() && !message.empty();
  const std::string detail = both ? fmt::format("{}: {}", error, message) : error + message;
  const std::string low = lower(detail);
  const auto has = [&](std::string_view part) { return low.find(part) != std::string::npos; };
  if (has("noextractor") || has("unsupported url"))
    return {FaultKind::permanent, "unsupported_url", detail};
  if (has("file too large")) return {FaultKind::permanent, "file_too_large", detail};
  if (auto fault = status_fault(detail, "'")) return *std::move(fault);
  if (has("notfound") || has("authentication") || has("authorization") || has("filter") ||
      has("format"))
    return {FaultKind::permanent, "site_refuses", detail};
  return {FaultKind::retryable, "site_error", detail};
}

// Old and new form of an error: ["HttpError","…"] and [-1,{"error":…,"message":…}].
std::optional<Fault> error_in(const std::vector<std::string>& message) {
  if (message.size() != 2) return std::nullopt;
  if (message[0] == "-1") {
    const auto fields = read_object(message[1]);
    if (!fields) return Fault{FaultKind::retryable, "site_error", message[1]};
    return fault_named(text_of(*fields, "error"), text_of(*fields, "message"));
  }
  const bool is_number = message[0].find_first_not_of("0123456789") == std::string::npos;
  if (is_number) return std::nullopt;
  return fault_named(message[0], message[1]);
}

FoundItem item_of(const std::string& url, const std::string& meta, const PageItem& where,
                  const engine::Filters& filters) {
  FoundItem item{.key = item_key(kGalleryDl, where), .url = url, .size = {}, .skip = {}};
  const auto fields = read_object(meta);
  if (!fields) return item;
  const std::string extension = text_of(*fields, "extension");
  const std::string name =
      text_of(*fields, "filename") + (extension.empty() ? "" : "." + extension);
  const std::string date = text_of(*fields, "date").substr(0, 10);  // "2020-01-31 08:00:00"
  const bool is_date = date.size() == 10 && date[4] == '-' && date[7] == '-';
  item.skip = engine::skip_reason(filters, {.name = name, .size = {}, .date = is_date ? date : ""});
  return item;
}

// "3,5,7", each once.
std::string range_of(const std::vector<PageItem>& items) {
  std::set<std::int64_t> indices;
  for (const PageItem& item : items)
    if (item.index > 0) indices.insert(item.index);
  std::string range;
  for (const std::int64_t index : indices)
    range += (range.empty() ? "" : ",") + std::to_string(index);
  return range;
}

class GalleryDl final : public Program {
 public:
  std::string_view name() const override { return kGalleryDl; }
  std::string_view oldest() const override { return "1.25"; }
  std::size_t pages_at_once() const override { return 50; }
  std::size_t items_at_once() const override { return 64; }
  std::string_view mark() const override { return ""; }

  std::string private_options(const engine::GetRequest&,
                              const std::vector<std::string>& pages) const override {
    std::string lines;
    for (const std::string& page : pages) lines += page + "\n";
    return lines;
  }

  std::vector<std::string> list_words(const ProgramCall& call) const override {
    std::vector<std::string> words = common(call);
    words.emplace_back("-j");
    return words;
  }

  // gallery-dl prints one array per supported page, in order. It exits with 0 even if listing such
  // a page fails; the arrays contain the errors.
  PagesRead read_listing(const Listing& listing, const engine::Filters& filters) const override {
    PagesRead listed;
    std::string_view left = listing.out;
    for (const std::string& page : listing.pages) {
      if (const auto unsupported = complaint(listing.said, "Unsupported URL", page)) {
        listed.faults[page] = *unsupported;
        continue;
      }
      if (left.find('[') == std::string_view::npos)
        listed.faults[page] = why(listing.code, listing.said, page);
      else
        read_page(take_array(left), page, filters, listed);
    }
    return listed;
  }

  std::vector<std::string> match_words(const ProgramCall& call) const override {
    return {"--config-ignore", "-E", "-i", call.options};
  }

  std::vector<std::string> fetch_words(const ProgramCall& call,
                                       const std::vector<PageItem>& items) const override {
    std::vector<std::string> words = common(call);
    words.insert(words.end(),
                 {"-D", call.folder + "/out", "-o", "url-metadata=haul_url", "-o", kPostprocessors,
                  "-o", kOutput, "-o", "output.shorten=false", "--no-part", "--no-mtime"});
    if (const std::string range = range_of(items); !range.empty())
      words.insert(words.end(), {"--range", range});
    return words;
  }

  ProgramSays read_line(io::Stream stream, const std::string& line) const override {
    const std::string_view text{line};
    if (stream == io::Stream::err) return Complains{line};
    if (text.starts_with("@N ")) {
      const auto url = read_array(fmt::format("[{}]", text.substr(3)));
      return url && url->size() == 1 ? ProgramSays{Begins{url->front()}} : ProgramSays{};
    }
    if (text.starts_with("@S ")) return Comes{.file = std::string{text.substr(3)}};
    if (text.starts_with("@D ") || text.starts_with("@K "))
      return Delivered{std::string{text.substr(3)}};
    return {};
  }

  Fault why(int code, const std::vector<std::string>& said, std::string_view url) const override {
    for (const std::string& line : said)  // "[downloader.http][warning] '404 Not Found' for 'URL'"
      if (!url.empty() && line.find(fmt::format("'{}'", url)) != std::string::npos)
        return fault_named("", line);
    const std::string last =
        said.empty() ? fmt::format("gallery-dl ended with {}", code) : said.back();
    if (code == io::kNotFound || code == io::kCannotRun)
      return {FaultKind::permanent, "program_broken", last};
    const auto bits = static_cast<unsigned>(code);
    if ((bits & kSystemBit) != 0) return {FaultKind::retryable, "program_failed", last};
    if ((bits & kUnsupportedBit) != 0) return {FaultKind::permanent, "unsupported_url", last};
    if ((bits & (kLoginBit | kInputBit | kNotFoundBit)) != 0)
      return {FaultKind::permanent, "site_refuses", last};
    return {FaultKind::retryable, code == 0 ? "no_file" : "program_failed", last};
  }

  bool may_deliver(std::string_view name) const override {
    const io::MediaKind kind = io::kind_of(name);
    return kind != io::MediaKind::other && kind != io::MediaKind::page;
  }

 private:
  static std::optional<Fault> complaint(const std::vector<std::string>& said, std::string_view what,
                                        const std::string& page) {
    for (const std::string& line : said)
      if (line.find(what) != std::string::npos &&
          line.find(fmt::format("'{}'", page)) != std::string::npos)
        return fault_named("", line);
    return std::nullopt;
  }

  // An error is the last message of its page. The messages before it are all that was found there.
  static void read_page(const TakenArray& messages, const std::string& page,
                        const engine::Filters& filters, PagesRead& listed) {
    const std::size_t before = listed.items.size() + listed.pages.size();
    const auto break_off = [&](const Fault& fault) {
      const bool found = listed.items.size() + listed.pages.size() > before;
      (found ? listed.broken : listed.faults)[page] = fault;
    };
    std::int64_t index = 0;
    for (const std::string_view element : messages.elements) {
      const auto message = read_array(element);
      if (!message || message->empty()) continue;
      if (const auto error = error_in(*message)) return break_off(*error);
      if (message->size() < 3) continue;
      if ((*message)[0] == kFileMessage)
        listed.items.push_back(item_of((*message)[1], (*message)[2], {++index, page}, filters));
      if ((*message)[0] == kQueueMessage && check_page_url((*message)[1]))
        listed.pages.push_back((*message)[1]);
    }
    if (!messages.is_whole)
      break_off({FaultKind::retryable, "program_failed", "gallery-dl's list ends in the middle"});
  }

  static std::vector<std::string> common(const ProgramCall& call) {
    std::vector<std::string> words{
        "--config-ignore", "--retries", "0",
        "--http-timeout",  "3600",      "-o",
        "cache.file=null", "-o",        "base-directory=" + call.folder + "/out"};
    if (call.apart > Millis{0}) {
      const std::string seconds =
          fmt::format("{:.3f}", static_cast<double>(call.apart.count()) / 1'000);
      words.insert(words.end(), {"--sleep-request", seconds});
    }
    if (!call.cookies.empty()) words.insert(words.end(), {"--cookies", call.cookies});
    if (!call.request.user_agent.empty())
      words.insert(words.end(), {"--user-agent", call.request.user_agent});
    words.insert(words.end(), {"-i", call.options});
    return words;
  }
};

}  // namespace

const Program& gallery_dl() {
  static const GalleryDl program;
  return program;
}

}  // namespace haul::child
