// The choice of a delete to remove the files of the jobs, too. Not shown if they have none.
import { files_label, type OwnFiles } from '../deleted_files';

interface Props {
  own: OwnFiles;
  whose: 'its' | 'their';
  on: boolean;
  set: (on: boolean) => void;
  disabled?: boolean;
}

export function WithFiles({ own, whose, on, set, disabled }: Props) {
  if (own.files === 0) return null;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={on}
        disabled={disabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />{' '}
      {files_label(own, whose)}
    </label>
  );
}
