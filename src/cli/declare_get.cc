#include "cli/declare_get.h"

#include <CLI/CLI.hpp>

#include "base/request_value.h"

namespace haul::cli {
namespace {

void declare_output(CLI::App& command, GetMore& more) {
  command.add_option("--url", more.urls, "A URL to download, as in curl")->allow_extra_args(false);
  command
      .add_option("--mirror", more.mirrors,
                  "Another URL of the same file, for when the first one fails; with a checksum "
                  "both are used at once")
      ->allow_extra_args(false);
  command
      .add_option("--replace-url", more.replaces,
                  "An expired URL whose unfinished file in the folder the given URL goes on with")
      ->allow_extra_args(false);
  command.add_flag("--metalink", more.metalink,
                   "The URL or file is a Metalink 4 (names that end in .meta4 always are)");
  command.add_flag("--stream", more.stream, "With -o -: write bytes as they arrive, unverified");
  command.add_flag("--dry-run", more.dry_run,
                   "List what would be downloaded, and where to; store nothing");
  command.add_option("--checksum-file", more.checksum_file,
                     "Check each file by its name in this list, such as SHA256SUMS");
  command.add_option("--save-failed", more.save_failed,
                     "Write the URLs that failed to this file, for -i");
  command.add_flag("--remote-time,!--no-remote-time", more.remote_time,
                   "Set a file's time to its Last-Modified (default: on)");
  command.add_option("--not-before", more.not_before,
                     "With --daemon: begin no earlier than this time, or after this duration");
  command.add_option("--category", more.category,
                     "With --daemon: use the folder and the limits of this category");
  command.add_flag("--compressed", more.compressed,
                   "Ask for compressed bodies, and store them decoded");
}

void declare_messages(CLI::App& command, GetMore& more) {
  auto* quiet = command.add_flag("-q,--quiet,-s,--silent", more.quiet, "Print only what failed");
  command
      .add_flag("-v,--verbose", more.verbose,
                "Print requests, redirects, answers and ranges on standard error")
      ->excludes(quiet);
  command.add_option("--log", more.log, "Append what -v prints, and each file's end, to this file");
}

void declare_limits(CLI::App& command, GetMore& more) {
  command
      .add_option("-j,--max-concurrent-downloads", more.at_once,
                  "Files in transfer at once (default: as the hosts allow)")
      ->check(CLI::Range(1, 256));
  command
      .add_option("--retries,--retry", more.retries,
                  "Retries of a file in a row without progress (default: 4)")
      ->check(CLI::Range(0, static_cast<int>(kRetriesMax)));
  command
      .add_option("--connect-timeout", more.connect_timeout,
                  "Time to connect: 5, 2.5 or 500ms (default: 20)")
      ->check(wrong_with_seconds);
  command.add_option("-m,--max-time", more.max_time, "Fail a file whose transfer takes longer: 60")
      ->check(wrong_with_seconds);
}

void declare_trust(CLI::App& command, GetMore& more) {
  command.add_option("-e,--referer", more.referer, "Send this Referer");
  command.add_option("--cookies-from-browser", more.browser,
                     "Use the cookies of a browser, read by yt-dlp: firefox, or NAME:PROFILE");
  command.add_option("-u,--user", more.login, "Login for the given URLs: user:password");
  auto* hosts = command.add_option("--noproxy", more.no_proxy,
                                   "Hosts to reach without a proxy, separated by commas");
  command.add_flag_callback(
             "--no-proxy", [&more] { more.no_proxy = "*"; }, "Use no proxy at all")
      ->excludes(hosts);
  command.add_flag("-k,--insecure", more.insecure,
                   "Accept any certificate; files then count as unverified");
  command
      .add_option("--cacert,--ca-certificate", more.ca_file,
                  "Trust the CA certificates in this file")
      ->check(CLI::ExistingFile);
  auto* ipv4 = command.add_flag("-4,--ipv4", more.ipv4, "Connect over IPv4 only");
  command.add_flag("-6,--ipv6", more.ipv6, "Connect over IPv6 only")->excludes(ipv4);
}

// Options that ask for what haul does anyway.
void declare_ignored(CLI::App& command) {
  command.add_flag_callback(
      "-O,--remote-name", [] {}, "Accepted: without -o a file has the server's name");
  command.add_flag_callback("-c,--continue", [] {}, "Accepted: haul always resumes");
  command
      .add_option_function<std::string>(
          "-C,--continue-at", [](const std::string&) {}, "Accepted with -: haul always resumes")
      ->check([](const std::string& text) {
        return text == "-" ? std::string{} : std::string{"expected -: haul finds the offset"};
      });
  command.add_flag_callback(
      "-J,--remote-header-name,--content-disposition", [] {},
      "Accepted: a file has the name that the server gives it");
  command.add_flag_callback("--create-dirs", [] {}, "Accepted: haul always makes the folders");
  command.add_flag_callback(
      "-f,--fail", [] {}, "Accepted: haul never takes an error page for the file");
  command.add_flag_callback("-S,--show-error", [] {}, "Accepted: haul always prints what failed");
  command.add_flag_callback("-L,--location", [] {}, "Accepted: haul always follows redirects");
}

}  // namespace

void declare_more(CLI::App& command, GetMore& more) {
  declare_output(command, more);
  declare_messages(command, more);
  declare_limits(command, more);
  declare_trust(command, more);
  declare_ignored(command);
}

}  // namespace haul::cli
