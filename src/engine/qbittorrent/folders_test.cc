#include "engine/qbittorrent/folders.h"

#include <doctest/doctest.h>

#include <fstream>

#include "base/json.h"
#include "support/client/fake_qbittorrent.h"
#include "support/io/temp_folder.h"
#include "support/server/fake_on_port.h"

namespace haul::qbittorrent {
namespace {

using testing::FakeOnPort;
using testing::FakeQbittorrent;
using Shape = FakeQbittorrent::Shape;

// A client in a container, which has this machine's folder as /downloads.
struct ContainedClient {
  explicit ContainedClient(Shape shape) : client{shape} {
    const std::vector<std::string> map{"/downloads=" + folder.path().string()};
    client.disk = PathMap::parse(map).value();
    std::ofstream{folder / "a.txt"} << "x";
    std::filesystem::create_directory(folder / "inner");
  }

  testing::TempFolder folder;
  FakeQbittorrent client;
  FakeOnPort port{[this](const io::HttpRequest& sent) { return client.answer(sent); }};

  QbittorrentSettings settings() const {
    return {.url = port.url(), .username = "admin", .password = "secret"};
  }
  // The names, or the code of the fault.
  std::string list(const std::string& path) const {
    const auto names = list_client_folder(system_clock(), settings(), path);
    if (!names) return names.error().code;
    std::string text;
    for (const std::string& name : *names) text += (text.empty() ? "" : " ") + name;
    return text;
  }
};

constexpr const char* kManual = R"({"save_path":"/downloads/","auto_tmm_enabled":false})";
constexpr const char* kAutomatic = R"({"save_path":"/downloads/","auto_tmm_enabled":true})";
constexpr const char* kByCategory = R"({"save_path":"/downloads","auto_tmm_enabled":false,)"
                                    R"("use_category_paths_in_manual_mode":true})";

std::string save_path(const char* preferences, const std::string& of_category,
                      const char* category = "haul") {
  const auto path = read_save_path(
      preferences, R"({"haul":{"name":"haul","savePath":)" + json_quoted(of_category) + "}}",
      category);
  return path ? *path : path.error().code;
}

}  // namespace

TEST_CASE("S1-20: a finished torrent is in the default folder, or in that of its category") {
  CHECK(save_path(kManual, "/films") == "/downloads/");
  for (const char* preferences : {kAutomatic, kByCategory}) {
    CHECK(save_path(preferences, "/films") == "/films");
    CHECK(save_path(preferences, "films") == "/downloads/films");
    CHECK(save_path(preferences, "") == "/downloads/haul");
    CHECK(save_path(preferences, "/films", "other") == "/downloads/other");
  }
  CHECK(save_path(kAutomatic, "/films", "") == "/downloads/");
  CHECK(save_path("{}", "") == "client_garbage");
  CHECK(save_path("<html>", "") == "client_garbage");
  CHECK(read_save_path(kManual, "no JSON", "haul").error().code == "client_garbage");
}

TEST_CASE("S1-23: a folder's list has paths, of which the names are the last components") {
  CHECK((read_folder(R"(["/downloads/a.txt","/downloads/b c.txt"])").value() ==
         std::vector<std::string>{"a.txt", "b c.txt"}));
  CHECK((read_folder(R"(["C:\\d\\a.txt"])").value() == std::vector<std::string>{"a.txt"}));
  CHECK(read_folder("[]").value().empty());
  CHECK(read_folder("{}").error().code == "client_garbage");
}

TEST_CASE("S1-23: qBittorrent 5 lists a folder as it sees it, and an older one lists none") {
  const ContainedClient five{Shape::v5};
  CHECK(five.list("/downloads") == "a.txt");
  CHECK(five.list("/elsewhere") == "no_such_folder");
  const ContainedClient four{Shape::v4};
  CHECK(four.list("/downloads") == "cannot_list");
}

TEST_CASE("S1-23: the client says its version and where it saves, and refuses a wrong password") {
  ContainedClient four{Shape::v4};
  four.client.preferences = kAutomatic;
  four.client.categories = R"({"haul":{"name":"haul","savePath":"/downloads/films"}})";
  const auto folders = probe_folders(system_clock(), four.settings());
  REQUIRE(folders.has_value());
  CHECK(folders->save_path == "/downloads/films");
  CHECK_FALSE(folders->lists_folders());
  const ContainedClient five{Shape::v5};
  CHECK(probe_folders(system_clock(), five.settings()).value().lists_folders());

  QbittorrentSettings wrong = four.settings();
  wrong.password = "other";
  CHECK(probe_folders(system_clock(), wrong).error().code == "client_refused_login");
  CHECK(list_client_folder(system_clock(), wrong, "/").error().code == "client_refused_login");
}

}  // namespace haul::qbittorrent
