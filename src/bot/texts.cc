#include "bot/texts.h"

#include <array>

namespace haul::bot {
namespace {

struct TextRow {
  Text which;
  std::string_view russian;
  std::string_view english;
};

// clang-format off
constexpr std::array kTexts = {
    TextRow{Text::welcome, "Это закрытая библиотека. Запросите доступ.",
            "This library is private. Ask for access."},
    TextRow{Text::ask_access, "Запросить доступ", "Ask for access"},
    TextRow{Text::asked, "Запрос отправлен. Ждите ответа администратора.",
            "The request is sent. An administrator will answer it."},
    TextRow{Text::closed, "Доступ закрыт.", "You have no access."},
    TextRow{Text::access_over, "Срок доступа истёк. Запросите его снова.",
            "Your access has ended. Ask for it again."},
    TextRow{Text::approved, "Доступ открыт. Библиотека: /menu",
            "You have access. The library: /menu"},
    TextRow{Text::library, "Библиотека", "Library"},
    TextRow{Text::help, "/menu — библиотека. Чтобы найти файл, пришлите часть его названия.",
            "/menu shows the library. To find a file, send a part of its name."},
    TextRow{Text::no_catalogue, "Библиотека ещё загружается. Попробуйте позже.",
            "The library is still loading. Try again later."},
    TextRow{Text::nothing_here, "Здесь ничего нет.", "There is nothing here."},
    TextRow{Text::found, "Найдено: {}", "Found: {}"},
    TextRow{Text::nothing_found, "Ничего не найдено.", "Nothing was found."},
    TextRow{Text::query_too_short, "Пришлите хотя бы два знака названия.",
            "Send at least two characters of the name."},
    TextRow{Text::back, "« Назад", "« Back"},
    TextRow{Text::to_start, "В начало", "To the start"},
    TextRow{Text::previous, "‹", "‹"},
    TextRow{Text::next, "›", "›"},
    TextRow{Text::download, "Скачать", "Download"},
    TextRow{Text::download_again, "Скачать ещё раз", "Download again"},
    TextRow{Text::cancel, "Отменить", "Cancel"},
    TextRow{Text::added, "Добавлено в очередь", "Added to the queue"},
    TextRow{Text::queued, "В очереди", "In the queue"},
    TextRow{Text::starting, "Готовлю файл", "Preparing the file"},
    TextRow{Text::loading, "Загрузка", "Loading"},
    TextRow{Text::loading_percent, "Загрузка: {}%", "Loading: {}%"},
    TextRow{Text::done, "Готово", "Done"},
    TextRow{Text::cancelled, "Отменено", "Cancelled"},
    TextRow{Text::expired, "Срок ожидания истёк", "It waited for too long"},
    TextRow{Text::failed, "Ошибка: {}", "Error: {}"},
    TextRow{Text::too_late, "Поздно: файл уже отправляется.", "Too late: the file is on its way."},
    TextRow{Text::gone, "Этого файла больше нет в библиотеке.",
            "This file is no longer in the library."},
    TextRow{Text::old_button, "Эта кнопка устарела. Откройте /menu",
            "This button is out of date. Open /menu"},
    TextRow{Text::queue_full, "Очередь заполнена. Попробуйте позже.",
            "The queue is full. Try again later."},
    TextRow{Text::own_queue_full, "У вас слишком много файлов в очереди.",
            "You have too many files in the queue."},
    TextRow{Text::unavailable, "Сейчас это невозможно. Попробуйте позже.",
            "This is not possible now. Try again later."},
    TextRow{Text::why_too_big, "файл слишком большой", "the file is too big"},
    TextRow{Text::why_not_found, "файл не найден", "the file was not found"},
    TextRow{Text::why_no_access, "нет доступа", "you have no access"},
    TextRow{Text::why_chat, "чат не принимает файлы", "the chat accepts no files"},
    TextRow{Text::why_other, "не удалось отправить файл", "the file could not be sent"},
    TextRow{Text::request_of, "Запрос доступа: {}", "Request for access: {}"},
    TextRow{Text::approve, "Разрешить", "Approve"},
    TextRow{Text::deny, "Отклонить", "Deny"},
    TextRow{Text::was_approved, "Доступ открыт: {}", "Approved: {}"},
    TextRow{Text::was_denied, "Доступ закрыт: {}", "Denied: {}"},
    TextRow{Text::no_requests, "Новых запросов нет.", "There are no requests."},
    TextRow{Text::admins_only, "Эта команда только для администратора.",
            "Only the administrator may do that."},
    TextRow{Text::refreshing, "Обновляю библиотеку.", "The library is being refreshed."},
    TextRow{Text::status_queue, "В очереди: {}", "Queue depth: {}"},
    TextRow{Text::status_stuck, "Зависли (stuck): {}", "Stuck: {}"},
    TextRow{Text::status_beat, "Последний сигнал воркера: {} с назад",
            "Last heartbeat of a worker: {} s ago"},
    TextRow{Text::status_no_worker, "Нет работающих воркеров", "No worker is running"},
    TextRow{Text::status_errors, "Частые ошибки:", "Top errors:"},
    TextRow{Text::alert_failed, "Не доставлено: задание {}", "Not delivered: job {}"},
    TextRow{Text::alert_held, "Файлы не отправляются, задания ждут: {}",
            "No file is sent, and the jobs wait: {}"},
    TextRow{Text::access_ends,
            "Доступ закончится через {} ч. После этого его можно запросить снова.",
            "Your access ends in {} h. After that you can ask for it again."},
    TextRow{Text::why_unknown, "файл, возможно, уже пришёл",
            "the file may have arrived already"},
    TextRow{Text::maybe_sent, "Файл, возможно, уже пришёл. Повтор — по решению администратора.",
            "The file may have arrived already. The administrator decides about another try."},
    TextRow{Text::alert_paused,
            "Задание {0} ждёт: файл, возможно, уже пришёл. haul resume {0} отправит его ещё раз.",
            "Job {0} waits: the file may have arrived. haul resume {0} sends it again."},
};
// clang-format on

constexpr bool is_complete() {
  if (kTexts.size() != static_cast<std::size_t>(Text::alert_paused) + 1) return false;
  for (std::size_t i = 0; i < kTexts.size(); ++i)
    if (static_cast<std::size_t>(kTexts[i].which) != i || kTexts[i].russian.empty() ||
        kTexts[i].english.empty())
      return false;
  return true;
}
static_assert(is_complete());

}  // namespace

Language language_of(std::string_view code) {
  const std::string_view main = code.substr(0, code.find('-'));
  constexpr std::string_view kRussian[] = {"", "ru", "be", "uk", "kk"};
  for (const std::string_view each : kRussian)
    if (main == each) return Language::russian;
  return Language::english;
}

std::string_view text(Language language, Text which) {
  const TextRow& row = kTexts[static_cast<std::size_t>(which)];
  return language == Language::russian ? row.russian : row.english;
}

}  // namespace haul::bot
