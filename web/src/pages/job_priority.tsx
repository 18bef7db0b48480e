// Chooses the priority of a job: when it is added, and while it is open.
import { useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { PRIORITIES, priority_word } from '../priority';
import { complain, say } from '../say';
import type { Job } from '../types';

interface SelectProps {
  value: number;
  disabled?: boolean;
  pick: (priority: number) => void;
}

export function PrioritySelect({ value, disabled = false, pick }: SelectProps) {
  return (
    <label class="priority">
      <span class="sub">Priority</span>
      <select
        class="input"
        value={String(value)}
        disabled={disabled}
        title="Among its owner’s jobs in its lane a higher one begins first"
        onChange={(event) => pick(Number(event.currentTarget.value))}
      >
        {PRIORITIES.map((one) => (
          <option key={one.value} value={String(one.value)}>
            {one.word}
          </option>
        ))}
      </select>
    </label>
  );
}

export function PriorityPicker({ job, refresh }: { job: Job; refresh: () => void }) {
  const [busy, set_busy] = useState(false);
  const pick = async (priority: number) => {
    set_busy(true);
    try {
      await api.set_priority(job.id, priority);
      say(`The priority is ${priority_word(priority)}`);
    } catch (error) {
      complain(`The priority was refused: ${sentence(error)}`);
    }
    set_busy(false);
    refresh();
  };
  return <PrioritySelect value={job.priority} disabled={busy} pick={pick} />;
}
