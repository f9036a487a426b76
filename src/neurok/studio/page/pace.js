// How fine a moving picture can be: one that takes too long to draw goes without shadow, then with fewer
// pixels, and is drawn once more with everything when nothing moves.

const SLOW = 30, FAST = 20; // ms between pictures
export const FINE = { sharpness: 1, shadow: true };
const LEVELS = [FINE, { sharpness: 1 }, { sharpness: 0.75 }, { sharpness: 0.55 }];
const PATIENCE = 6; // pictures in a row before anything changes
const REST = 250; // ms without a new picture

export class Pace {
  constructor() {
    this.level = this.slow = this.fast = 0;
    this.last = 0;
  }

  // Told of every picture; how fine this one is to be.
  drawn(now) {
    const took = now - this.last;
    this.last = now;
    if (took > REST) return LEVELS[this.level];
    this.slow = took > SLOW ? this.slow + 1 : 0;
    this.fast = took < FAST ? this.fast + 1 : 0;
    if (this.slow > PATIENCE && this.level < LEVELS.length - 1) this.change(1);
    if (this.fast > 20 * PATIENCE && this.level > 0) this.change(-1);
    return LEVELS[this.level];
  }

  change(by) {
    this.level += by;
    this.slow = this.fast = 0;
  }

  // Whether a rough picture has stood long enough to be drawn once more.
  isRest(now) {
    return this.level > 0 && now - this.last > REST;
  }
}
