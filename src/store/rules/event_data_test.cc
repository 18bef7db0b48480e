#include "store/rules/event_data.h"

#include <doctest/doctest.h>

namespace haul::rules {

TEST_CASE("S2-19: JOB_ADDED and JOB_STARTED name the address, the engine and the folder") {
  const Requested requested{.request = R"({"engine":"http","folder":"/in","url":"https://h/1"})"};

  CHECK(added_data(requested) == R"({"url":"https://h/1","engine":"http","output_folder":"/in"})");
  CHECK(started_data(requested) == R"({"url":"https://h/1","engine":"http"})");
}

TEST_CASE("a list of addresses is named by its first, and missing fields are null or auto") {
  const auto started = [](std::string_view request) { return started_data({.request = request}); };
  CHECK(started(R"({"urls":["https://a/","https://b/"]})") ==
        R"({"url":"https://a/","engine":"auto"})");
  CHECK(started(R"({"urls":["a\"\\","b"]})") == R"({"url":"a\"\\","engine":"auto"})");
  CHECK(started(R"({"url":null,"urls":["b"]})") == R"({"url":"b","engine":"auto"})");
  for (const char* none : {"{}", "[]", "3", "", R"({"urls":[]})", R"({"urls":[7]})",
                           R"({"urls":"a"})", R"({"engine":null})"}) {
    INFO(none);
    CHECK(started(none) == R"({"url":null,"engine":"auto"})");
  }
  CHECK(added_data({.request = "{}"}) == R"({"url":null,"engine":"auto","output_folder":null})");
}

TEST_CASE("the engine that the job has goes before the one that its request names") {
  const std::string_view request = R"({"engine":"auto","url":"u"})";
  CHECK(started_data({.request = request, .engine = "yt-dlp"}) ==
        R"({"url":"u","engine":"yt-dlp"})");
  CHECK(started_data({.request = request}) == R"({"url":"u","engine":"auto"})");
}

TEST_CASE("S2-19: JOB_ERROR has the message, and whether haul goes on") {
  CHECK(error_data({.message = "it said \"no\"\n", .recoverable = true}) ==
        R"({"error_message":"it said \"no\"\n","recoverable":true})");
  CHECK(error_data({}) == R"({"error_message":"","recoverable":false})");
}

TEST_CASE("S2-19, S2-17: JOB_DONE and JOB_PROGRESS count a skipped item as completed") {
  const Counts counts{.total = 9, .downloaded = 4, .skipped = 2, .failed = 1, .cancelled = 1};

  CHECK(done_data("FAILED", counts) ==
        R"({"status":"FAILED","total_items":9,"completed_items":6,"failed_items":1,)"
        R"("skipped_items":2})");
  CHECK(progress_data(counts) == R"({"completed_items":6,"total_items":9})");
}

TEST_CASE("S2-19: ITEM_DONE has key and path, and no path is null") {
  CHECK(item_done_data({.key = "k", .path = "/in/é", .counted = ItemCount::downloaded}) ==
        R"({"file_id":"k","file_path":"/in/é","success":true})");
  CHECK(item_done_data({.key = "k", .path = {}, .counted = ItemCount::skipped}) ==
        R"({"file_id":"k","file_path":null,"success":true})");
  CHECK(item_done_data({.key = "k", .path = {}, .counted = ItemCount::failed}) ==
        R"({"file_id":"k","file_path":null,"success":false})");
}

TEST_CASE("no event tells a password that an address or a message has") {
  const std::string_view request = R"({"folder":"/in","url":"https://ann:secret@h/1"})";
  for (const std::string& data :
       {added_data({.request = request}), started_data({.request = request}),
        error_data({.message = "refused by https://ann:secret@h/1"}),
        item_done_data({.key = "https://ann:secret@h/1", .path = {}})}) {
    CHECK_FALSE(data.contains("secret"));
    CHECK(data.contains("h/1"));
  }
}

}  // namespace haul::rules
