// How fine a moving picture can be: one that takes too long to draw goes without shadow, then with fewer
// pixels, and is drawn once more with everything when nothing moves.

const SLOW = 31, FAST = 22, BETWEEN = 25; // ms between pictures, on average
const WEIGHT = 0.1, MOST = 40; // of the last picture in that average, and ms that it may count: no hiccup does
const LONG = 60, LONGEST = 960; // pictures that are fast before they become finer again; twice as many each time
// that finer ones were too slow
const REST = 250; // ms without a new picture
export const FINE = { sharpness: 1, shadow: true };
const LEVELS = [FINE, { sharpness: 1 }, { sharpness: 0.75 }, { sharpness: 0.55 }];

export class Pace {
  constructor() {
    this.level = this.last = 0;
    this.long = LONG;
    this.finer = false; // since it became coarser
    this.change(0);
  }

  // Told of every picture; how fine this one is to be.
  drawn(now) {
    const took = now - this.last;
    this.last = now;
    if (took > REST) return LEVELS[this.level];
    this.mean += WEIGHT * (Math.min(took, MOST) - this.mean);
    this.fast = this.mean < FAST ? this.fast + 1 : 0;
    if (this.mean > SLOW && this.level < LEVELS.length - 1) {
      this.change(1);
      if (this.finer) this.long = Math.min(2 * this.long, LONGEST);
      this.finer = false;
    }
    if (this.fast > this.long && this.level > 0) {
      this.change(-1);
      this.finer = true;
    }
    return LEVELS[this.level];
  }

  change(by) {
    this.level += by;
    this.mean = BETWEEN;
    this.fast = 0;
  }

  // Whether a rough picture has stood long enough to be drawn once more.
  isRest(now) {
    return this.level > 0 && now - this.last > REST;
  }
}
