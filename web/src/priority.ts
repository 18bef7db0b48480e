// The priorities of jobs: among the jobs of their owner in their lane the higher one begins first.
export const PRIORITIES = [
  { value: 1, word: 'high' },
  { value: 0, word: 'normal' },
  { value: -1, word: 'low' },
] as const;

export function priority_word(priority: number): string {
  return PRIORITIES.find((one) => one.value === priority)?.word ?? String(priority);
}
