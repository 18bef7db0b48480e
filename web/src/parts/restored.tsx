// The notice after a restore: what haul does not do, and a button for an admin to resume it.
import { useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { complain, say } from '../say';
import type { User } from '../types';
import { is_admin } from '../who';
import { Ago, Notice } from './small';

export function Restored({ at, user, done }: { at: string; user: User; done: () => void }) {
  const [busy, set] = useState(false);
  const resume = () => {
    set(true);
    api
      .resume_store()
      .then(
        () => {
          say('Resumed: haul sends, pays, deletes and adds jobs to clients again.');
          done();
        },
        (error: unknown) => complain(sentence(error)),
      )
      .finally(() => set(false));
  };
  return (
    <Notice>
      <span class="grow">
        Restored from a backup <Ago at={at} />. Until an admin resumes haul, it sends nothing, pays
        for nothing, deletes nothing and adds no job to a client. Downloads continue.
      </span>
      {is_admin(user) && (
        <button type="button" class="button small" disabled={busy} onClick={resume}>
          Resume
        </button>
      )}
    </Notice>
  );
}
