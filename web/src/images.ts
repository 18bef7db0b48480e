// Images as their page lists them: what they cost, what a job made, and what became of the credits.
import type { Credit, Json, Lifecycle, Picture, Wallet } from './types';
import { plural } from './format';

export const IMAGES = 'image';

export const credits = (count: number) => plural(count, 'credit');
export const images = (count: number) => plural(count, 'image');

// The state of jobs that haul has given up on. They wait for a review.
export function given_up(table: Lifecycle | undefined): string {
  return table?.moves.find((move) => move.on === 'give_up')?.to ?? '';
}

// Whether an image costs its price although the provider's safety filter blocks it.
export function block_costs(table: Lifecycle): boolean {
  if (table.refunds_rejected) return false;
  const leased = new Set(table.states.filter((one) => one.leased).map((one) => one.name));
  const block = table.moves.find((move) => move.on === 'reject' && leased.has(move.from));
  return block?.effects.includes('spend_credit') ?? false;
}

// What a new image costs, as sentences for the form. Null: the server names no price.
export function price_words(table: Lifecycle): string[] {
  const price = table.price ?? null;
  if (price === null) return [];
  if (price === 0) return ['Images are free.'];
  const spent = `${credits(price)} ${price === 1 ? 'is' : 'are'} spent and no image comes`;
  const block = block_costs(table) ? spent : 'nothing is spent';
  return [
    `An image costs ${credits(price)}.`,
    `If the provider blocks the prompt for safety, ${block}.`,
    'After any other failure haul gives the credits back.',
  ];
}

// Unknown credits do not stop the user: the server decides.
export function can_pay(table: Lifecycle, wallet: Wallet | null): boolean {
  return !wallet || wallet.available >= (table.price ?? 0);
}

// The pictures in a result. Only paths of this server: the page loads nothing from another one.
export function pictures_of(result: Json): Picture[] {
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return [];
  const assets = result['assets'];
  if (!Array.isArray(assets)) return [];
  const own = (value: Json | undefined) =>
    typeof value === 'string' && /^\/api\/v1\/assets\/\d+\/file(\?[\w=&]*)?$/.test(value)
      ? value
      : null;
  return assets.flatMap((one) => {
    if (one === null || typeof one !== 'object' || Array.isArray(one)) return [];
    const url = own(one['url']);
    if (!url || typeof one['id'] !== 'number') return [];
    return [
      {
        id: one['id'],
        url,
        thumbnail_url: own(one['thumbnail_url']) ?? url,
        size: typeof one['size'] === 'number' ? one['size'] : null,
      },
    ];
  });
}

const NEXT: Record<string, string> = {
  prompt_too_long: 'Shorten the prompt. Nothing was spent.',
  prompt_blocked: 'Change the prompt. Nothing was spent.',
  no_credit: 'An admin can grant you credits.',
  too_many_open: 'Wait until one of your open images has ended.',
  too_fast: 'Wait a minute, then try again.',
};

// What the user can do after a refusal. Empty: the server's words say it.
export const next_step = (code: string) => NEXT[code] ?? '';

// A change of the available credits with its sign. A spend takes what was reserved before.
export function amount_words({ kind, amount }: Pick<Credit, 'kind' | 'amount'>): string {
  const count = Math.abs(amount).toLocaleString('en');
  if (kind === 'spend') return count;
  return kind === 'reserve' ? `−${count}` : `+${count}`;
}
