// The foot of the filters: the number of workers, and the speed limit that holds now. Silent workers
// are named, not counted.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api';
import { clock, limit_text, plural } from '../format';
import { cut_middle, plain } from '../text';
import type { Stats, User } from '../types';
import { may_operate } from '../who';
import { listen, NO_WORKERS, type Workers } from '../workers';

const LOOK_EVERY_MS = 5_000;

// Null until the first answer, and for a user who may not see the workers.
function useWorkers(user: User): Workers | null {
  const [workers, set] = useState<Workers | null>(null);
  const last = useRef(NO_WORKERS);
  const may_look = may_operate(user);
  useEffect(() => {
    if (!may_look) return;
    let gone = false;
    const look = () => {
      if (document.hidden) return;
      api.workers().then(
        ({ items }) => {
          if (gone) return;
          last.current = listen(last.current, items, performance.now());
          set(last.current);
        },
        () => undefined, // The list of jobs reports a server that does not answer.
      );
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [may_look]);
  return workers;
}

// The count in the statistics includes silent workers, so only users who may not see the workers
// get it.
export function WorkersFoot({ stats, user }: { stats: Stats; user: User }) {
  const workers = useWorkers(user);
  const count = workers ? workers.live.length : may_operate(user) ? null : stats.workers;
  const silent = workers?.silent ?? [];
  const names = silent.map(
    ({ name, beat_at }) => `${plain(cut_middle(name, 60))}: last heartbeat ${clock(beat_at)}`,
  );
  const limit = stats.speed_limit ? limit_text(stats.speed_limit, Date.now()) : '';
  return (
    <>
      <p class="rail-foot">
        {count !== null && plural(count, 'worker')}
        {silent.length > 0 && (
          <span title={names.join('\n')}>, {silent.length.toLocaleString('en')} silent</span>
        )}
        {`${count === null ? '' : ' · '}${stats.version}`}
      </p>
      {limit && (
        <p class="rail-limit" title={`Set by ${stats.speed_limit?.set_by}`}>
          {limit}
        </p>
      )}
    </>
  );
}
