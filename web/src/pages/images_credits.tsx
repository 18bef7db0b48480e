// A user's credits and their history. An admin sees those of all users and grants more.
import { useEffect, useState } from 'preact/hooks';
import { api, random_key, sentence } from '../api';
import { clock } from '../format';
import { amount_words, block_costs, credits } from '../images';
import { useLoad, useSoon, useTitle } from '../hooks';
import { hear } from '../live';
import { Trouble, Waiting } from '../parts/small';
import { Pieces } from '../parts/text';
import { complain, say } from '../say';
import { cut_middle } from '../text';
import type { Credit, Lifecycle, User, Wallet } from '../types';
import { is_admin } from '../who';

const PAGE = 50;
const USERS_MAX = 100;

interface Props {
  user: User;
  table: Lifecycle | undefined;
  onGranted: () => void;
}

export function ImagesCredits({ user, table, onGranted }: Props) {
  useTitle('Credits');
  const [whose, set_whose] = useState(user.id);
  const wallet = useLoad(`credits ${whose}`, () => api.wallet(whose));
  const refresh = () => {
    wallet.again();
    if (whose === user.id) onGranted();
  };
  return (
    <>
      {is_admin(user) && <Admin user={user} whose={whose} choose={set_whose} granted={refresh} />}
      {wallet.error !== null && <Trouble error={wallet.error} again={wallet.again} />}
      {wallet.data && <Figures wallet={wallet.data} table={table} />}
      <History key={whose} whose={whose} refresh={wallet.again} />
    </>
  );
}

function figures(table: Lifecycle | undefined): { name: keyof Wallet; about: string }[] {
  const costly = table && block_costs(table);
  return [
    { name: 'available', about: 'for new images' },
    { name: 'reserved', about: 'for images in progress' },
    { name: 'spent', about: costly ? 'on images and blocked prompts' : 'on images' },
    { name: 'granted', about: 'in total' },
  ];
}

function Figures({ wallet, table }: { wallet: Wallet; table: Lifecycle | undefined }) {
  return (
    <dl class="figures" aria-label="Where the credits are">
      {figures(table).map((one) => (
        <div key={one.name} class={`panel figure figure-${one.name}`}>
          <dt>{one.name}</dt>
          <dd class="num">{wallet[one.name].toLocaleString('en')}</dd>
          <dd class="muted">{one.about}</dd>
        </div>
      ))}
    </dl>
  );
}

interface AdminProps {
  user: User;
  whose: number;
  choose: (user: number) => void;
  granted: () => void;
}

function Admin({ user, whose, choose, granted }: AdminProps) {
  const users = useLoad('users', () => api.users({ limit: USERS_MAX }));
  const [amount, set_amount] = useState('');
  const [detail, set_detail] = useState('');
  const [key, set_key] = useState(random_key);
  const [busy, set_busy] = useState(false);
  const count = Number(amount.trim());
  const fits = /^\d{1,9}$/.test(amount.trim()) && count > 0;
  const rows = users.data?.items ?? [user];
  const name = rows.find((one) => one.id === whose)?.name ?? `user ${whose}`;
  // Every change makes another grant; sending the same one again after a lost answer does not.
  const change =
    (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => {
      set(event.currentTarget.value);
      set_key(random_key());
    };
  const grant = async (event: Event) => {
    event.preventDefault();
    if (busy || !fits) return;
    set_busy(true);
    try {
      await api.grant(
        whose,
        { amount: count, ...(detail.trim() ? { detail: detail.trim() } : {}) },
        key,
      );
      say(`${credits(count)} granted to ${name}`);
      set_amount('');
      set_detail('');
      set_key(random_key());
    } catch (error) {
      complain(sentence(error));
    }
    set_busy(false);
    granted();
  };
  const select = (event: { currentTarget: { value: string } }) => {
    choose(Number(event.currentTarget.value));
    set_key(random_key());
  };
  return (
    <form class="panel grant" aria-label="Grant credits" noValidate onSubmit={grant}>
      {users.error !== null && <Trouble error={users.error} again={users.again} />}
      <label class="field">
        <span class="field-name">User</span>
        <select class="input" value={String(whose)} onChange={select}>
          {rows.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {cut_middle(one.name, 60)}
            </option>
          ))}
        </select>
      </label>
      <label class="field grant-amount">
        <span class="field-name">Credits</span>
        <input class="input num" inputMode="numeric" value={amount} onInput={change(set_amount)} />
      </label>
      <label class="field grow">
        <span class="field-name">What for</span>
        <input class="input" value={detail} onInput={change(set_detail)} />
      </label>
      <button type="submit" class="button" disabled={!fits || busy}>
        Grant
      </button>
    </form>
  );
}

function History({ whose, refresh }: { whose: number; refresh: () => void }) {
  const first = useLoad(`history ${whose}`, () => api.credit_history(whose, { limit: PAGE }));
  const [older, set_older] = useState<Credit[]>([]);
  const [next, set_next] = useState<string | null | undefined>(undefined);
  const [busy, set_busy] = useState(false);
  const soon = useSoon(() => {
    first.again();
    refresh();
  }, 1_000);
  useEffect(() => {
    const stops = [hear('event', (event) => event.to && soon()), hear('resync', soon)];
    return () => stops.forEach((stop) => stop());
  }, [soon]);
  // New entries push the last ones of the first page into the older ones.
  const known = new Set(first.data?.items.map((one) => one.id));
  const rows = [...(first.data?.items ?? []), ...older.filter((one) => !known.has(one.id))];
  const before = next === undefined ? (first.data?.next ?? null) : next;
  const more = async () => {
    set_busy(true);
    try {
      const page = await api.credit_history(whose, { limit: PAGE, before });
      set_older([...older, ...page.items]);
      set_next(page.next);
    } catch (error) {
      complain(sentence(error));
    }
    set_busy(false);
  };
  if (first.error !== null) return <Trouble error={first.error} again={first.again} />;
  if (!first.data) return <Waiting rows={6} />;
  if (rows.length === 0) return <p class="empty muted">No credits were granted or spent yet.</p>;
  return (
    <>
      <table class="table credits" aria-label="Credit history">
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
            <th class="credit-amount">Credits</th>
            <th>Job</th>
            <th>Detail</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class="row">
              <td class="num muted">{clock(row.at)}</td>
              <td>
                <Pieces text={row.kind} />
              </td>
              <td class="num credit-amount">{amount_words(row)}</td>
              <td class="num">{row.job !== null && <a href={`/jobs/${row.job}`}>#{row.job}</a>}</td>
              <td class="credit-detail muted">
                <Pieces text={cut_middle(row.detail ?? '', 200)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {before !== null && (
        <button type="button" class="button" disabled={busy} onClick={more}>
          Show older entries
        </button>
      )}
    </>
  );
}
