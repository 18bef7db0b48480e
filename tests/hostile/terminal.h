#pragma once
// Texts that try to control a terminal or to break a table: list T of the hostile inputs.

#include <array>
#include <string_view>

namespace haul::testing {

struct HostileText {
  std::string_view name;
  std::string_view text;
};

inline constexpr std::array kHostileTexts{
    HostileText{"T1 title", "\x1b]0;pwn\x07"},
    HostileText{"T2 clipboard", "\x1b]52;c;cm0gLXJm\x07"},
    HostileText{"T4 link",
                "\x1b]8;;http://evil\x07"
                "click\x1b]8;;\x07"},
    HostileText{"T6 overwrite", "a\r100% done"},
    HostileText{"T7 backspaces", "evil\b\b\b\bgood"},
    HostileText{"T9 combining marks",
                "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030balgo"},
    HostileText{"T11 right to left", "photo\u202egpj.exe"},
    HostileText{"T12 formula", "=cmd|' /C calc'!A0"},
    HostileText{"C1 control", "a\u009b31mred"},
    HostileText{"line break", "one\ntwo"},
    HostileText{"line separator", "one\u2028two"},
    HostileText{"not UTF-8", "\xff\xfe\xc0\xaf"},
    HostileText{
        "wide",
        "語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語語"},
};

}  // namespace haul::testing
