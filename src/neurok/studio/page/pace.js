// Adapts the quality of moving pictures to the drawing speed: slow ones lose the shadow, then resolution. A
// picture at rest is redrawn in full quality.

const SLOW = 31, FAST = 22, BETWEEN = 25; // ms between pictures on average: lower quality, raise it, start value
const WEIGHT = 0.1, MOST = 40; // weight of the last picture in the average, and ms to which it is clipped
const LONG = 60, LONGEST = 960; // fast pictures before quality rises; doubled each time that it was too slow
const REST = 250; // ms without a new picture that count as rest
export const FINE = { sharpness: 1, shadow: true };
const LEVELS = [FINE, { sharpness: 1 }, { sharpness: 0.75 }, { sharpness: 0.55 }];

export class Pace {
  constructor() {
    this.level = this.last = 0;
    this.long = LONG;
    this.finer = false; // whether quality was raised since it was last lowered
    this.change(0);
  }

  // The quality of the picture drawn now; called for every picture.
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

  // Whether a picture of reduced quality is at rest and should be redrawn.
  isRest(now) {
    return this.level > 0 && now - this.last > REST;
  }
}
