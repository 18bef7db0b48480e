// Whose answer counts, of the loads that a page begins. A load of another key replaces the one
// under way. A load of the same key waits for its end: on a busy daemon the page is told to load
// again more often than a long load ends.
export class Turns {
  #turn = 0;
  #key: string | null = null; // Of the load under way.
  #wants_another = false;

  // The turn of a load that begins now. Null if it has to wait for the one under way.
  begin(key: string): number | null {
    if (this.#key === key) {
      this.#wants_another = true;
      return null;
    }
    this.#key = key;
    this.#wants_another = false;
    return ++this.#turn;
  }

  // Whether the answer of this turn counts, and whether a load has waited for it.
  end(turn: number): { counts: boolean; another: boolean } {
    if (turn !== this.#turn || this.#key === null) return { counts: false, another: false };
    this.#key = null;
    return { counts: true, another: this.#wants_another };
  }

  // No answer counts any more.
  stop(): void {
    this.#turn += 1;
    this.#key = null;
  }
}
