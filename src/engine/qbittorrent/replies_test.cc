// What the client's answers mean, and how forms are encoded for it.

#include "engine/qbittorrent/replies.h"

#include <doctest/doctest.h>

#include "engine/qbittorrent/form.h"

namespace haul::qbittorrent {
namespace {

std::string version(std::string_view text) {
  const auto read = read_version(text);
  return read ? read->text() : read.error().code;
}

}  // namespace

TEST_CASE("a version is two or three numbers, and nothing else is one") {
  CHECK(version("2.8.19") == "2.8.19");
  CHECK(version("2.16.1\n") == "2.16.1");
  CHECK(version("2.9") == "2.9.0");
  for (const char* text :
       {"", "2", "v4.5.2", "2.8.19.1", "2..8", "2.8.", "-2.8.1", "<html>", "2.8.99999999999999"})
    CHECK_MESSAGE(version(text) == "client_unknown", text);
  CHECK(ApiVersion{2, 8, 19} > kOldestVersion);
  CHECK(ApiVersion{2, 8, 2} < kOldestVersion);
  CHECK(ApiVersion{2, 16, 1} > ApiVersion{2, 8, 19});
}

TEST_CASE("a login is let in, wrong or banned, in the words of either version") {
  CHECK(judge_login(200, "Ok.") == LoginReply::in);
  CHECK(judge_login(204, "") == LoginReply::in);
  CHECK(judge_login(200, "Fails.") == LoginReply::wrong);
  CHECK(judge_login(401, "Unauthorized") == LoginReply::wrong);
  CHECK(judge_login(403, "Your IP address has been banned") == LoginReply::banned);
  CHECK(judge_login(200, "<html>log in</html>") == LoginReply::odd);
  CHECK(judge_login(404, "") == LoginReply::odd);
  CHECK(judge_login(502, "Bad Gateway") == LoginReply::odd);
}

TEST_CASE("S0-27: a cookie goes back as it came, whatever its name") {
  CHECK(cookie_pair("SID=ab/+12==; HttpOnly; path=/; SameSite=Strict") == "SID=ab/+12==");
  CHECK(cookie_pair("QBT_SID_18080=abc/+==; expires=Thu, 01") == "QBT_SID_18080=abc/+==");
  CHECK(cookie_pair("mine=x") == "mine=x");
  for (const char* bad : {"", "SID", "=x", "SID=", "SID=a b", "SID=a\r\nX: y", "; path=/"})
    CHECK_MESSAGE(cookie_pair(bad).empty(), bad);
}

TEST_CASE("Q6, Q7: an add is taken, nothing new, no torrent, refused, or not the client's answer") {
  const std::string id(40, 'a');
  CHECK(judge_add(200, "Ok.") == Addition{AddReply::added, ""});
  CHECK(judge_add(200, "Fails.") == Addition{AddReply::nothing_new, ""});
  CHECK(judge_add(409, "Conflict") == Addition{AddReply::nothing_new, ""});
  CHECK(judge_add(415, "bad") == Addition{AddReply::not_torrent, ""});
  CHECK(judge_add(403, "") == Addition{AddReply::refused, ""});
  CHECK(judge_add(400, "") == Addition{AddReply::refused, ""});
  CHECK(judge_add(500, "") == Addition{AddReply::odd, ""});
  CHECK(judge_add(200, "<html>") == Addition{AddReply::odd, ""});
  CHECK(judge_add(200, R"({"added_torrent_ids":[")" + id + R"("],"success_count":1})") ==
        Addition{AddReply::added, id});
  CHECK(judge_add(202, R"({"added_torrent_ids":[],"pending_count":1,"success_count":0})") ==
        Addition{AddReply::added, ""});
  CHECK(judge_add(200, R"({"added_torrent_ids":[],"failure_count":1,"success_count":0})") ==
        Addition{AddReply::nothing_new, ""});
  CHECK(judge_add(200, R"({"added_torrent_ids":["../x"],"success_count":1})") ==
        Addition{AddReply::added, ""});
}

TEST_CASE("a file goes as one part, and its boundary is not in it") {
  const Multipart form = multipart({{"tags", "haul-1"}}, "haul-1.torrent", "--haul-form\r\n");
  CHECK(form.content_type == "multipart/form-data; boundary=haul-form-0");
  CHECK(form.body ==
        "--haul-form-0\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\nhaul-1\r\n"
        "--haul-form-0\r\nContent-Disposition: form-data; name=\"torrents\"; "
        "filename=\"haul-1.torrent\"\r\nContent-Type: application/x-bittorrent\r\n\r\n"
        "--haul-form\r\n\r\n--haul-form-0--\r\n");
}

}  // namespace haul::qbittorrent
