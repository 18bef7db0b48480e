#include "store/rules/event_data.h"

#include <doctest/doctest.h>

#include "lifecycle/tables.h"

namespace haul::rules {
namespace {

// "JOB_ERROR {...}"
std::string told(const Note& note) { return std::string{note.type} + " " + note.data; }

}  // namespace

TEST_CASE("S2-19: JOB_ADDED and JOB_STARTED name the address, the engine and the folder") {
  const Requested requested{.form = kBatch.request,
                            .request = R"({"engine":"http","folder":"/in","url":"https://h/1"})"};

  CHECK(told(added_note(requested)) ==
        R"(JOB_ADDED {"url":"https://h/1","engine":"http","output_folder":"/in"})");
  CHECK(told(started_note(requested)) == R"(JOB_STARTED {"url":"https://h/1","engine":"http"})");
}

TEST_CASE("a list of addresses is named by its first, and missing fields are null or auto") {
  const auto started = [](std::string_view request) {
    return started_note({.form = kBatch.request, .request = request}).data;
  };
  CHECK(started(R"({"urls":["https://a/","https://b/"]})") ==
        R"({"url":"https://a/","engine":"auto"})");
  CHECK(started(R"({"urls":["a\"\\","b"]})") == R"({"url":"a\"\\","engine":"auto"})");
  CHECK(started(R"({"url":null,"urls":["b"]})") == R"({"url":"b","engine":"auto"})");
  for (const char* none : {"{}", "[]", "3", "", R"({"urls":[]})", R"({"urls":[7]})",
                           R"({"urls":"a"})", R"({"engine":null})"}) {
    INFO(none);
    CHECK(started(none) == R"({"url":null,"engine":"auto"})");
  }
  CHECK(told(added_note({.form = kBatch.request, .request = "{}"})) ==
        R"(JOB_ADDED {"url":null,"engine":"auto","output_folder":null})");
}

TEST_CASE("S2-19: what is an address, an engine or a folder is in the table") {
  static constexpr RequestField kOwn[] = {
      RequestField{"mirrors", FieldType::list, "Where"}.used_as(FieldUse::address),
      RequestField{"page", FieldType::text, "Where"}.used_as(FieldUse::address),
      RequestField{"with", FieldType::text, "How"}.used_as(FieldUse::engine),
      RequestField{"shelf", FieldType::text, "Whereto"}.used_as(FieldUse::folder)};
  const RequestForm own{kOwn};
  const auto added = [&](std::string_view request) {
    return added_note({.form = own, .request = request}).data;
  };

  CHECK(added(R"({"mirrors":["m"],"page":"p","shelf":"/in","with":"w"})") ==
        R"({"url":"m","engine":"w","output_folder":"/in"})");
  CHECK(added(R"({"page":"p"})") == R"({"url":"p","engine":"auto","output_folder":null})");
  CHECK(added(R"({"engine":"w","folder":"/in","url":"u"})") ==
        R"({"url":null,"engine":"auto","output_folder":null})");
}

TEST_CASE("the engine that the job has goes before the one that its request names") {
  const std::string_view request = R"({"engine":"auto","url":"u"})";
  CHECK(started_note({.form = kBatch.request, .request = request, .engine = "yt-dlp"}).data ==
        R"({"url":"u","engine":"yt-dlp"})");
  CHECK(started_note({.form = kBatch.request, .request = request}).data ==
        R"({"url":"u","engine":"auto"})");
}

TEST_CASE("S2-19: JOB_ERROR has the message, and whether haul goes on") {
  CHECK(told(error_note({.message = "it said \"no\"\n", .recoverable = true})) ==
        R"(JOB_ERROR {"error_message":"it said \"no\"\n","recoverable":true})");
  CHECK(told(error_note({})) == R"(JOB_ERROR {"error_message":"","recoverable":false})");
}

TEST_CASE("S2-19, S2-17: JOB_DONE and JOB_PROGRESS count a skipped item as completed") {
  const Counts counts{.total = 9, .downloaded = 4, .skipped = 2, .failed = 1, .cancelled = 1};

  CHECK(told(done_note("FAILED", counts)) ==
        R"(JOB_DONE {"status":"FAILED","total_items":9,"completed_items":6,"failed_items":1,)"
        R"("skipped_items":2})");
  CHECK(told(progress_note(counts)) == R"(JOB_PROGRESS {"completed_items":6,"total_items":9})");
}

TEST_CASE("S2-19: ITEM_DONE has key and path, and no path is null") {
  CHECK(told(item_done_note({.key = "k", .path = "/in/é", .counted = ItemCount::downloaded})) ==
        R"(ITEM_DONE {"file_id":"k","file_path":"/in/é","success":true})");
  CHECK(told(item_done_note({.key = "k", .path = {}, .counted = ItemCount::skipped})) ==
        R"(ITEM_DONE {"file_id":"k","file_path":null,"success":true})");
  CHECK(told(item_done_note({.key = "k", .path = {}, .counted = ItemCount::failed})) ==
        R"(ITEM_DONE {"file_id":"k","file_path":null,"success":false})");
}

TEST_CASE("a cancel is told without data") { CHECK(told(cancelled_note()) == "JOB_CANCELLED "); }

TEST_CASE("ASSET_LOST says what was where, and how it was lost") {
  CHECK(told(asset_lost_note({.id = FileId{7},
                              .book = "b1",
                              .media_type = "text",
                              .path = "/books/\"a\"",
                              .loss = AssetLoss::deleted})) ==
        R"(ASSET_LOST {"asset":7,"book":"b1","media_type":"text","status":"deleted",)"
        R"("path":"/books/\"a\""})");
  CHECK(told(asset_lost_note({.id = FileId{7},
                              .book = {},
                              .media_type = "image",
                              .path = {},
                              .loss = AssetLoss::missing})) ==
        R"(ASSET_LOST {"asset":7,"book":null,"media_type":"image","status":"missing",)"
        R"("path":null})");
}

TEST_CASE("no event tells a password that an address or a message has") {
  const std::string_view request = R"({"folder":"/in","url":"https://ann:secret@h/1"})";
  for (const Note& note : {added_note({.form = kBatch.request, .request = request}),
                           started_note({.form = kBatch.request, .request = request}),
                           error_note({.message = "refused by https://ann:secret@h/1"}),
                           item_done_note({.key = "https://ann:secret@h/1", .path = {}}),
                           asset_lost_note({.id = FileId{1},
                                            .book = "b",
                                            .media_type = "text",
                                            .path = "https://ann:secret@h/1"})}) {
    CHECK_FALSE(note.data.contains("secret"));
    CHECK(note.data.contains("h/1"));
  }
}

}  // namespace haul::rules
