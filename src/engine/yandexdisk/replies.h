#pragma once
// What Yandex Disk answers, as values, and what each refusal means (document 003, §4). Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "base/time.h"
#include "io/web/http.h"

namespace haul::yandexdisk {

// What the disk says about a file or a folder.
struct DiskMeta {
  std::string name;
  std::string path;
  bool is_file = false;
  std::int64_t size = 0;  // Of a file, like all below.
  std::string sha256{};   // Lower case. Empty if the disk has not computed it yet.
  std::string md5{};
  std::string mime{};
  std::string resource_id{};
  std::int64_t revision = 0;  // Changes with the content. Zero if unknown.

  bool operator==(const DiskMeta&) const = default;
};
Result<DiskMeta> read_meta(std::string_view body);

// The address to download from. It is secret and valid for a few minutes.
Result<std::string> read_link(std::string_view body);

// One page of a folder.
struct DiskPage {
  std::vector<DiskMeta> entries;
  std::int64_t total = 0;       // Entries of the whole folder.
  std::int64_t unreadable = 0;  // Entries of this page that the API would not send so.
};
Result<DiskPage> read_page(std::string_view body);

// What the OAuth server gives for a refresh token.
struct DiskGrant {
  std::string token;
  std::string refresh_token{};  // Empty if the old one stays valid.
  std::int64_t expires_in_s = 0;
};
Result<DiskGrant> read_grant(std::string_view body);

// A fault, and how long the disk asked to wait.
struct DiskRefusal {
  Fault fault;
  std::int64_t wait_ms = 0;
};

inline constexpr const char* kUnauthorised = "disk_unauthorised";

// What an answer of the API other than 2xx means. 401 is the environment fault kUnauthorised.
DiskRefusal refusal_of_api(const io::HttpHead& head, std::string_view body, Time now);
// The same for a host that a link leads to. Its bodies are HTML.
DiskRefusal refusal_of_link(const io::HttpHead& head, Time now);
// Whether the OAuth server says that this refresh token will never work again.
bool is_final_refusal(const io::HttpHead& head, std::string_view body);

// Whether haul could not reach or trust the server at all: no matter of the one file.
bool is_outage(const Fault& fault);

// The answer is not what the API sends.
Fault disk_garbage(std::string_view what);

// From Retry-After: at most ten minutes. Zero if there is none.
std::int64_t wait_in(const io::HttpHead& head, Time now);

}  // namespace haul::yandexdisk
