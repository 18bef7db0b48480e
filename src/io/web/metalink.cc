// Reads Metalink documents with libxml2's SAX parser: no tree, no DTD, no entities, no network.

#include "io/web/metalink.h"

#include <fmt/core.h>
#include <libxml/parser.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "base/url.h"
#include "base/url_options.h"
#include "base/utf8.h"

namespace haul::io {
namespace {

constexpr std::string_view kNamespace = "urn:ietf:params:xml:ns:metalink";
constexpr std::size_t kTextMax = 8'192;  // Of one element or attribute that haul reads.
constexpr std::size_t kNameMax = 1'000;
constexpr std::size_t kUrlsReadMax = 1'000;  // Of one file, before the best are chosen.
constexpr std::int64_t kPriorityLast = 999'999;
constexpr int kOptions = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                         XML_PARSE_IGNORE_ENC;  // No charset converter is looked up.
constexpr int kChunk = 16'384;
constexpr std::string_view kAmp = "&#38;";  // How libxml2 leaves a "&" in an attribute.

// From the one that haul prefers. The last two prove little, but find damage.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kHashes = {{
    {"sha-256", "sha256"},
    {"sha-512", "sha512"},
    {"sha-1", "sha1"},
    {"md5", "md5"},
}};

// The position in kHashes; its size if haul does not know the type.
std::size_t rank_of(std::string_view type) {
  const auto found = std::ranges::find(kHashes, lower(type),
                                       [](const auto& hash) { return std::string{hash.first}; });
  return static_cast<std::size_t>(found - kHashes.begin());
}

std::string_view text_of(const xmlChar* from) {
  return from == nullptr ? "" : reinterpret_cast<const char*>(from);
}

// An attribute's value as the document's author meant it.
std::string decoded(std::string_view value) {
  std::string out;
  for (std::size_t amp = value.find(kAmp); amp != std::string_view::npos; amp = value.find(kAmp)) {
    out.append(value.substr(0, amp)).append("&");
    value.remove_prefix(amp + kAmp.size());
  }
  return out.append(value);
}

// What is wrong with the name of a file; empty: nothing.
std::string wrong_with_name(std::string_view name) {
  if (name.empty() || name.size() > kNameMax) return "expected a name of 1 to 1000 bytes";
  if (has_control(name) || name.find('\\') != std::string_view::npos)
    return "control characters and backslashes are not allowed";
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('/', from), name.size());
    const std::string_view part = name.substr(from, end - from);
    if (part.empty() || part == "." || part == "..")
      return "must be a path below the folder, without \"..\"";
    from = end + 1;
  }
  return {};
}

struct RankedUrl {
  std::int64_t priority = kPriorityLast;
  std::string url;
};

// The file that is being read.
struct Draft {
  MetalinkFile file;
  std::size_t checksum_rank = kHashes.size();
  std::size_t pieces_rank = kHashes.size();
  std::vector<RankedUrl> urls;
};

class Document {
 public:
  explicit Document(xmlParserCtxt*& parser) : parser_{parser} {}

  void open(std::string_view name, std::string_view space, const xmlChar** attributes, int count);
  void close();
  void add_text(std::string_view text);
  void refuse(std::string why);

  const std::string& problem() const { return problem_; }
  bool is_metalink() const { return is_metalink_; }
  std::vector<MetalinkFile> take() { return std::move(files_); }

 private:
  // The values of attributes: local name, prefix, URI, value, end of the value. Refuses a document
  // whose value is too long.
  std::string find(std::string_view name, const xmlChar** attributes, int count);
  void open_file(const std::string& name);
  void open_child(std::string_view name, const xmlChar** attributes, int count);
  void close_child();
  void close_hash();
  void close_url();
  void close_file();

  xmlParserCtxt*& parser_;
  std::string problem_;
  bool is_metalink_ = false;
  int depth_ = 0;     // Of the elements that are open.
  int foreign_ = 0;   // The depth of the outermost element that haul skips. Zero: none.
  std::string at_;    // The open child of a file.
  std::string type_;  // Of the open hash.
  std::int64_t priority_ = kPriorityLast;
  bool takes_text_ = false;
  bool takes_pieces_ = false;  // The open list of pieces is the best so far.
  std::string text_;
  Draft draft_;
  std::set<std::string> names_;
  std::vector<MetalinkFile> files_;
};

void Document::refuse(std::string why) {
  if (!problem_.empty()) return;
  const int line = parser_->input == nullptr ? 0 : parser_->input->line;
  problem_ = fmt::format("line {}: {}", line, why);
  xmlStopParser(parser_);
}

std::string Document::find(std::string_view name, const xmlChar** attributes, int count) {
  if (!problem_.empty()) return {};  // xmlStopParser freed the values.
  for (int i = 0; i < count; ++i) {
    const xmlChar** at = attributes + 5 * static_cast<std::ptrdiff_t>(i);
    if (text_of(at[0]) != name || at[1] != nullptr) continue;
    const std::string_view value{reinterpret_cast<const char*>(at[3]),
                                 reinterpret_cast<const char*>(at[4])};
    if (value.size() <= kTextMax) return decoded(value);
    refuse(fmt::format("more than {} bytes in one attribute", kTextMax));
    return {};
  }
  return {};
}

void Document::open(std::string_view name, std::string_view space, const xmlChar** attributes,
                    int count) {
  ++depth_;
  if (!problem_.empty() || foreign_ > 0) return;
  if (depth_ == 1) {
    is_metalink_ = name == "metalink" && space == kNamespace;
    if (!is_metalink_)
      refuse(space == "http://www.metalinker.org/" ? "Metalink 3 is not supported, only Metalink 4"
                                                   : "this is not a Metalink 4 document");
    return;
  }
  const bool is_known = space == kNamespace && (depth_ > 2 || name == "file") &&
                        (depth_ < 4 || (at_ == "pieces" && name == "hash")) && depth_ < 5;
  if (!is_known) {
    foreign_ = depth_;
    return;
  }
  if (depth_ == 2) return open_file(find("name", attributes, count));
  open_child(name, attributes, count);
}

void Document::open_file(const std::string& name) {
  if (files_.size() >= kMetalinkFilesMax)
    return refuse(fmt::format("more than {} files", kMetalinkFilesMax));
  if (const std::string why = wrong_with_name(name); !why.empty())
    return refuse(fmt::format("the file name \"{}\": {}", printable(name.substr(0, 200)), why));
  if (!names_.insert(name).second)
    return refuse(fmt::format("two files have the name \"{}\"", printable(name)));
  draft_ = {};
  draft_.file.name = name;
}

void Document::open_child(std::string_view name, const xmlChar** attributes, int count) {
  text_.clear();
  type_ = find("type", attributes, count);
  takes_text_ = name == "hash" || name == "url" || name == "size";
  if (depth_ == 4) return;  // The hash of a piece: its type is that of the list.
  at_ = name;
  if (name == "url") {
    const std::string given = find("priority", attributes, count);
    const auto priority = given.empty() ? kPriorityLast : read_whole(given).value_or(0);
    if (priority < 1 || priority > kPriorityLast)
      return refuse("priority: expected a number from 1 to 999999");
    priority_ = priority;
  }
  if (name != "pieces") return;
  const std::size_t rank = rank_of(type_);
  takes_pieces_ = rank < draft_.pieces_rank;
  if (rank < kHashes.size() && rank == draft_.pieces_rank)
    return refuse("a second list of pieces of the same type");
  const auto length = read_whole(find("length", attributes, count));
  if (!length || *length < kPieceLengthMin || *length > kPieceLengthMax)
    return refuse(fmt::format("pieces: expected a length of {} to {} bytes", kPieceLengthMin,
                              kPieceLengthMax));
  if (!takes_pieces_) return;
  draft_.pieces_rank = rank;
  draft_.file.pieces = {
      .algorithm = std::string{kHashes[rank].second}, .length = *length, .hashes = {}};
}

void Document::add_text(std::string_view text) {
  if (!takes_text_ || foreign_ > 0 || !problem_.empty()) return;
  if (text_.size() + text.size() > kTextMax)
    return refuse(fmt::format("more than {} bytes in one element", kTextMax));
  text_ += text;
}

void Document::close() {
  const int depth = depth_--;
  if (!problem_.empty()) return;
  if (foreign_ > 0) {
    if (depth == foreign_) foreign_ = 0;
    return;
  }
  if (depth == 2) close_file();
  if (depth == 3 || depth == 4) close_child();
  if (depth == 3) at_.clear();
}

void Document::close_child() {
  if (!std::exchange(takes_text_, false)) return;
  text_ = std::string{trimmed(text_)};
  if (at_ == "url") return close_url();
  if (at_ == "hash" || at_ == "pieces") return close_hash();
  draft_.file.size = read_whole(text_);
  if (!draft_.file.size || *draft_.file.size < 0 || *draft_.file.size > kFileSizeMax)
    refuse(fmt::format("size: expected a whole number from 0 to {}", kFileSizeMax));
}

void Document::close_hash() {
  const bool is_piece = at_ == "pieces";
  if (is_piece && !takes_pieces_) return;
  const std::size_t rank = is_piece ? draft_.pieces_rank : rank_of(type_);
  if (rank >= kHashes.size()) return;  // Of a type that haul does not know.
  auto sum = read_checksum(fmt::format("{}:{}", kHashes[rank].second, text_));
  if (!sum)
    return refuse(
        fmt::format("\"{}\" is no {}", printable(text_.substr(0, 200)), kHashes[rank].first));
  if (is_piece) {
    if (draft_.file.pieces.hashes.size() >= kPiecesMax)
      return refuse(fmt::format("more than {} pieces", kPiecesMax));
    draft_.file.pieces.hashes.push_back(std::move(sum->hex));
  } else if (rank < draft_.checksum_rank) {
    draft_.checksum_rank = rank;
    draft_.file.checksum = *std::move(sum);
  }
}

// Other protocols and addresses with a login are left out.
void Document::close_url() {
  if (draft_.urls.size() >= kUrlsReadMax)
    return refuse(fmt::format("more than {} addresses of one file", kUrlsReadMax));
  if (wrong_with_mirror(text_).empty()) draft_.urls.push_back({priority_, text_});
}

void Document::close_file() {
  MetalinkFile& file = draft_.file;
  const auto refuse_file = [&](const std::string& why) {
    refuse(fmt::format("the file \"{}\": {}", printable(file.name), why));
  };
  if (draft_.urls.empty()) return refuse_file("it has no http or https address");
  if (!file.pieces.empty() && !file.size) return refuse_file("it has pieces, but no size");
  if (const std::string why = wrong_with_pieces(file.pieces, file.size.value_or(0)); !why.empty())
    return refuse_file(why);
  if (file.pieces.empty()) file.pieces = {};
  std::ranges::stable_sort(draft_.urls, {}, &RankedUrl::priority);
  for (RankedUrl& each : draft_.urls)
    if (file.urls.size() <= kMirrorsMax) file.urls.push_back(std::move(each.url));
  files_.push_back(std::move(file));
}

Document& of(void* context) { return *static_cast<Document*>(context); }

void on_open(void* context, const xmlChar* name, const xmlChar*, const xmlChar* space, int,
             const xmlChar**, int count, int, const xmlChar** attributes) {
  of(context).open(text_of(name), text_of(space), attributes, count);
}
void on_close(void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
  of(context).close();
}
void on_text(void* context, const xmlChar* text, int size) {
  of(context).add_text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
}
// Entities would need it, and no Metalink has one.
void on_doctype(void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
  of(context).refuse("a DOCTYPE is not allowed");
}

std::unexpected<Fault> refused(std::string why) {
  return std::unexpected{Fault{FaultKind::rejected, "bad_metalink", std::move(why)}};
}

}  // namespace

Result<std::vector<MetalinkFile>> read_metalink(std::string_view xml) {
  static const bool ready = (xmlInitParser(), true);  // Once: it is not thread-safe.
  if (xml.size() > kMetalinkBytesMax)
    return refused(fmt::format("larger than {} MiB", kMetalinkBytesMax >> 20U));
  if (!is_utf8(xml)) return refused("a Metalink is written in UTF-8");
  xmlSAXHandler handler{};
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = on_open;
  handler.endElementNs = on_close;
  handler.characters = on_text;
  handler.cdataBlock = on_text;
  handler.internalSubset = on_doctype;
  xmlParserCtxt* raw = nullptr;
  Document document{raw};
  raw = xmlCreatePushParserCtxt(&handler, &document, nullptr, 0, nullptr);
  const std::unique_ptr<xmlParserCtxt, decltype(&xmlFreeParserCtxt)> parser{raw,
                                                                            &xmlFreeParserCtxt};
  if (!ready || raw == nullptr) return refused("the XML parser did not start");
  xmlCtxtUseOptions(raw, kOptions);
  while (!xml.empty() && document.problem().empty()) {
    const auto size = std::min<std::size_t>(xml.size(), kChunk);
    if (xmlParseChunk(raw, xml.data(), static_cast<int>(size), 0) != 0) break;
    xml.remove_prefix(size);
  }
  xmlParseChunk(raw, nullptr, 0, 1);
  if (!document.problem().empty()) return refused(document.problem());
  if (raw->wellFormed == 0)
    return refused(
        fmt::format("line {}: not well-formed XML", raw->input == nullptr ? 0 : raw->input->line));
  if (!document.is_metalink()) return refused("this is not a Metalink 4 document");
  std::vector<MetalinkFile> files = document.take();
  if (files.empty()) return refused("it describes no file");
  return files;
}

}  // namespace haul::io
