#include "engine/yandexdisk/replies.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::yandexdisk {
namespace {

// As a real answer has it.
constexpr const char* kFile = R"({"antivirus_status":"clean","size":12312,"name":"книга.pdf",
"created":"2017-07-01T18:41:17+00:00","modified":"2017-07-01T18:41:17+00:00",
"resource_id":"455675172:5717","mime_type":"application/pdf","media_type":"document",
"file":"https://downloader.disk.yandex.ru/disk/x","path":"disk:/книга.pdf",
"sha256":"44B8E6A310F1C1A0B8B3B7C6C6C3C3B6A5D4E3F2A1B0C9D8E7F6A5B4C3D2E1F0",
"md5":"9249a0c1b2c3d4e5f60718293a4b5c6d","type":"file","revision":1498934477800006,
"comment_ids":{},"exif":{}})";

Time now() { return from_unix_ms(1'700'000'000'000); }

io::HttpHead head_of(int status, std::string retry_after = {}) {
  io::HttpHead head{.status = status, .headers = {}};
  if (!retry_after.empty()) head.headers.emplace_back("retry-after", std::move(retry_after));
  return head;
}

// "permanent disk_not_found 0": kind, code and wait in seconds.
std::string text_of(const DiskRefusal& refusal) {
  constexpr std::string_view kKinds[] = {"retryable", "permanent", "rejected", "environment",
                                         "cancelled"};
  return fmt::format("{} {} {}", kKinds[static_cast<std::size_t>(refusal.fault.kind)],
                     refusal.fault.code, refusal.wait_ms / 1'000);
}

std::string error_body(std::string_view word) {
  return fmt::format(R"({{"message":"Ошибка.","description":"x","error":"{}"}})", word);
}

}  // namespace

TEST_CASE("metadata of a file is read with size, checksums and revision") {
  const auto meta = read_meta(kFile);
  REQUIRE(meta);
  CHECK(meta->is_file);
  CHECK(meta->name == "книга.pdf");
  CHECK(meta->path == "disk:/книга.pdf");
  CHECK(meta->size == 12'312);
  CHECK(meta->sha256.starts_with("44b8e6"));
  CHECK(meta->md5 == "9249a0c1b2c3d4e5f60718293a4b5c6d");
  CHECK(meta->mime == "application/pdf");
  CHECK(meta->resource_id == "455675172:5717");
  CHECK(meta->revision == 1'498'934'477'800'006);
}

TEST_CASE("a folder has neither size nor checksum, and a new file may have no checksum yet") {
  const auto folder = read_meta(R"({"name":"a","path":"disk:/a","type":"dir"})");
  REQUIRE(folder);
  CHECK_FALSE(folder->is_file);
  const auto file = read_meta(R"({"name":"a","path":"disk:/a","type":"file","size":0,"md5":""})");
  REQUIRE(file);
  CHECK(file->md5.empty());
  CHECK(file->sha256.empty());
}

TEST_CASE("metadata that the API would not send is garbage, which is worth another try") {
  for (const char* bad :
       {"", "<html>", "[]", "{}", R"({"name":"a","path":"disk:/a","type":"file"})",
        R"({"name":"a","path":"disk:/a","type":"file","size":-1})",
        R"({"name":"a","path":"disk:/a","type":"file","size":"7"})",
        R"({"name":"a","path":"disk:/a","type":"link","size":1})",
        R"({"name":"a","path":"disk:/a","type":"file","size":1,"sha256":"44b8"})",
        R"({"name":"a","path":"disk:/a","type":"file","size":1,)"
        R"("md5":"zz49a0c1b2c3d4e5f60718293a4b5c6d"})"}) {
    const auto meta = read_meta(bad);
    REQUIRE_FALSE_MESSAGE(meta, bad);
    CHECK(meta.error().kind == FaultKind::retryable);
    CHECK(meta.error().code == "disk_garbage");
  }
}

TEST_CASE("a link is an address of the web, and nothing else") {
  CHECK(read_link(R"({"href":"https://d.yandex.ru/disk/a?b=c","method":"GET","templated":false})")
            .value() == "https://d.yandex.ru/disk/a?b=c");
  for (const char* bad : {"", "{}", R"({"href":"file:///etc/passwd"})", R"({"href":7})"})
    CHECK_FALSE(read_link(bad));
}

TEST_CASE("a page lists entries and the total, and counts those that make no sense") {
  const auto page =
      read_page(R"({"_embedded":{"items":[{"name":"a","path":"disk:/a","type":"dir"},)"
                R"({"name":"b","path":"disk:/b","type":"file","size":3}],"total":7}})");
  REQUIRE(page);
  CHECK(page->total == 7);
  REQUIRE(page->entries.size() == 2);
  CHECK(page->entries[1].size == 3);
  for (const char* bad : {"{}", R"({"_embedded":{"items":[]}})", R"({"_embedded":{"total":1}})"})
    CHECK_FALSE(read_page(bad));
  const auto part =
      read_page(R"({"_embedded":{"items":[7,{"name":"a","path":"disk:/a","type":"file"},)"
                R"({"name":"b","path":"disk:/b","type":"file","size":3}],"total":3}})");
  REQUIRE(part);
  CHECK(part->unreadable == 2);
  REQUIRE(part->entries.size() == 1);
  CHECK(part->entries[0].name == "b");
}

TEST_CASE("S3-11, S3-12: what each answer of the disk means") {
  const auto api = [](int status, std::string_view word = "", std::string retry_after = {}) {
    return text_of(
        refusal_of_api(head_of(status, std::move(retry_after)), error_body(word), now()));
  };
  CHECK(api(400, "FieldValidationError") == "permanent disk_refused 0");
  CHECK(api(401, "UnauthorizedError") == "environment disk_unauthorised 0");
  CHECK(api(403, "ForbiddenError") == "permanent disk_forbidden 0");
  CHECK(api(404, "DiskNotFoundError") == "permanent disk_not_found 0");
  CHECK(api(409) == "permanent disk_refused 0");
  CHECK(api(413) == "permanent disk_refused 0");
  CHECK(api(423, "DiskResourceLockedError") == "retryable disk_locked 120");
  CHECK(api(429, "TooManyRequestsError") == "retryable disk_busy 0");
  CHECK(api(429, "TooManyRequestsError", "7") == "retryable disk_busy 7");
  CHECK(api(429, "DiskResourceDownloadLimitExceededError") == "retryable disk_download_limit 600");
  for (const int status : {500, 502, 503, 504})
    CHECK(api(status) == "retryable disk_unavailable 0");
  CHECK(api(503, "", "30") == "retryable disk_unavailable 30");
  CHECK(api(507) == "permanent disk_refused 0");
  CHECK(api(302) == "retryable disk_garbage 0");
}

TEST_CASE("the word in a fault's detail is one word, whatever the disk sends") {
  const auto refusal =
      refusal_of_api(head_of(404), R"({"error":"<script>alert(1)</script>"})", now());
  CHECK(refusal.fault.detail.find("script") == std::string::npos);
  CHECK(refusal_of_api(head_of(404), error_body("DiskNotFoundError"), now())
            .fault.detail.find("404 DiskNotFoundError") != std::string::npos);
}

TEST_CASE("S3-11: what each answer of a download host means") {
  const auto link = [](int status) { return text_of(refusal_of_link(head_of(status), now())); };
  CHECK(link(403) == "permanent disk_forbidden 0");
  CHECK(link(404) == "permanent disk_not_found 0");
  CHECK(link(410) == "retryable disk_link_expired 0");
  CHECK(link(416) == "permanent disk_refused 0");
  CHECK(link(429) == "retryable disk_busy 0");
  CHECK(link(500) == "retryable disk_unavailable 0");
}

TEST_CASE("Retry-After is obeyed for at most ten minutes, in seconds or as a date") {
  const auto wait = [](std::string text) { return wait_in(head_of(429, std::move(text)), now()); };
  CHECK(wait("") == 0);
  CHECK(wait("0") == 0);
  CHECK(wait("600") == 600'000);
  CHECK(wait("601") == 600'000);
  CHECK(wait("99999999999999999999") == 600'000);
  CHECK(wait("soon") == 0);
  CHECK(wait("Tue, 14 Nov 2023 22:13:30 GMT") == 10'000);
  CHECK(wait("Tue, 14 Nov 2023 22:13:10 GMT") == 0);
}

TEST_CASE("Z-14: a refresh token that is refused for good is told from a server in trouble") {
  const auto is_final = [](int status, std::string_view word) {
    return is_final_refusal(head_of(status), fmt::format(R"({{"error":"{}"}})", word));
  };
  CHECK(is_final(400, "invalid_grant"));
  CHECK(is_final(400, "invalid_client"));
  CHECK(is_final(401, ""));
  CHECK_FALSE(is_final(400, "invalid_request"));
  CHECK_FALSE(is_final(500, "invalid_grant"));
  CHECK_FALSE(is_final(429, ""));

  const auto grant =
      read_grant(R"({"access_token":"a","expires_in":31536000,"refresh_token":"r"})");
  REQUIRE(grant);
  CHECK(grant->token == "a");
  CHECK(grant->refresh_token == "r");
  CHECK(grant->expires_in_s == 31'536'000);
  CHECK(read_grant(R"({"access_token":"a"})")->refresh_token.empty());
  CHECK_FALSE(read_grant(R"({"refresh_token":"r"})"));
}

}  // namespace haul::yandexdisk
