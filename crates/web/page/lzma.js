// Unpacks what `xz --format=lzma` packed: a fifth smaller than gzip, which is all that browsers unpack by themselves.
//
// Source: the LZMA specification, I. Pavlov, 2015 (LZMA SDK, lzma-specification.txt).

/** A number of 11 bits: how likely the next bit is 0, in 2048ths. It moves by a 32nd of the way after each bit. */
const EVEN = 1024;
const chances = (count) => new Uint16Array(count).fill(EVEN);

/** Bits from a range coder: each narrows the range by its chance. */
class Bits {
  /** The range, and how far into it the code lies: whole numbers without a sign, as the format has them. */
  #coder = new Uint32Array(2);

  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at + 1; // The first byte is always 0.
    this.#coder[0] = 0xffffffff;
    for (let n = 0; n < 4; n++) this.#coder[1] = (this.#coder[1] << 8) | bytes[this.at++];
  }

  #fill() {
    const coder = this.#coder;
    coder[0] <<= 8;
    coder[1] = (coder[1] << 8) | this.bytes[this.at++];
  }

  bit(chances, place) {
    const coder = this.#coder;
    const chance = chances[place];
    const bound = Math.imul(coder[0] >>> 11, chance) >>> 0;
    const bit = coder[1] < bound ? 0 : 1;
    if (bit === 0) {
      coder[0] = bound;
      chances[place] = chance + ((2048 - chance) >> 5);
    } else {
      coder[0] -= bound;
      coder[1] -= bound;
      chances[place] = chance - (chance >> 5);
    }
    if (coder[0] < 0x1000000) this.#fill();
    return bit;
  }

  /** Bits of equal chance, the highest first. */
  plain(count) {
    const coder = this.#coder;
    let value = 0;
    for (let n = 0; n < count; n++) {
      coder[0] >>>= 1;
      const bit = coder[1] >= coder[0] ? 1 : 0;
      if (bit === 1) coder[1] -= coder[0];
      if (coder[0] < 0x1000000) this.#fill();
      value = value * 2 + bit;
    }
    return value;
  }

  /** A number of so many bits down a tree of chances, the highest first. */
  tree(chances, from, count) {
    let node = 1;
    for (let n = 0; n < count; n++) node = (node << 1) | this.bit(chances, from + node);
    return node - (1 << count);
  }

  /** The same, the lowest bit first. */
  reversed(chances, from, count) {
    let node = 1, value = 0;
    for (let n = 0; n < count; n++) {
      const bit = this.bit(chances, from + node);
      node = (node << 1) | bit;
      value |= bit << n;
    }
    return value;
  }
}

/** Lengths of matches: 2 to 9, 10 to 17, or 18 to 273. */
class Lengths {
  constructor() {
    this.choice = chances(2);
    this.low = chances(16 * 8);
    this.middle = chances(16 * 8);
    this.high = chances(256);
  }

  next(bits, state) {
    if (bits.bit(this.choice, 0) === 0) return 2 + bits.tree(this.low, state * 8, 3);
    if (bits.bit(this.choice, 1) === 0) return 10 + bits.tree(this.middle, state * 8, 3);
    return 18 + bits.tree(this.high, 0, 8);
  }
}

/** The distance of a match of this length, 0 for the byte before. */
class Distances {
  constructor() {
    this.slots = chances(4 * 64);
    this.short = chances(128);
    this.lowest = chances(16);
  }

  next(bits, length) {
    const slot = bits.tree(this.slots, Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return base + bits.reversed(this.short, base - slot, count);
    return base + bits.plain(count - 4) * 16 + bits.reversed(this.lowest, 0, 4);
  }
}

/** One byte: where the last match ended otherwise, its next byte says what is likely. */
function literal(bits, chances, from, matched) {
  let node = 1;
  if (matched >= 0) {
    while (node < 256) {
      const likely = (matched >> 7) & 1;
      matched <<= 1;
      const bit = bits.bit(chances, from + ((1 + likely) << 8) + node);
      node = (node << 1) | bit;
      if (bit !== likely) break;
    }
  }
  while (node < 256) node = (node << 1) | bits.bit(chances, from + node);
  return node & 255;
}

/** What is unpacked so far, whose length nobody says before. */
class Output {
  constructor() {
    this.bytes = new Uint8Array(1 << 22);
    this.length = 0;
  }

  room(more) {
    if (this.length + more <= this.bytes.length) return;
    const longer = new Uint8Array(2 * this.bytes.length);
    longer.set(this.bytes);
    this.bytes = longer;
  }

  push(byte) {
    this.room(1);
    this.bytes[this.length++] = byte;
  }

  /** The byte at this distance before the next one, 0 for the last one. */
  back(distance) {
    return this.bytes[this.length - distance - 1];
  }

  copy(distance, length) {
    if (distance >= this.length) throw new Error("the packed file looks back to before its beginning");
    this.room(length);
    const { bytes } = this;
    let at = this.length;
    for (const end = at + length; at < end; at++) bytes[at] = bytes[at - distance - 1];
    this.length = at;
  }
}

/** Literals and matches by turns, which chances to take after which, and the last four distances. */
class Packed {
  constructor(bytes) {
    const [properties] = bytes;
    if (bytes.length < 18 || properties >= 225) throw new Error("this is no packed file");
    this.bits = new Bits(bytes, 13);
    this.output = new Output();
    this.before = properties % 9;
    this.placeMask = (1 << (Math.trunc(properties / 9) % 5)) - 1;
    this.turnMask = (1 << Math.trunc(properties / 45)) - 1;
    this.literals = chances((0x300 << this.before) * (this.placeMask + 1));
    this.isMatch = chances(12 * 16);
    this.isLong = chances(12 * 16);
    [this.isAgain, this.isOlder, this.isThird, this.isFourth] = Array.from({ length: 4 }, () => chances(12));
    [this.lengths, this.lengthsAgain, this.distances] = [new Lengths(), new Lengths(), new Distances()];
    this.state = 0;
    [this.first, this.second, this.third, this.fourth] = [0, 0, 0, 0];
  }

  unpack() {
    const { bits, output } = this;
    for (;;) {
      const turn = output.length & this.turnMask;
      if (bits.bit(this.isMatch, this.state * 16 + turn) === 0) {
        this.literal();
        continue;
      }
      const length = bits.bit(this.isAgain, this.state) === 0 ? this.match(turn) : this.again(turn);
      if (this.first === 0xffffffff) return output.bytes.subarray(0, output.length);
      output.copy(this.first, length);
      if (bits.at > bits.bytes.length) throw new Error("the packed file ends before its end");
    }
  }

  literal() {
    const { output, state } = this;
    const last = output.length > 0 ? output.back(0) : 0;
    const kind = ((output.length & this.placeMask) << this.before) + (last >> (8 - this.before));
    output.push(literal(this.bits, this.literals, 0x300 * kind, state >= 7 ? output.back(this.first) : -1));
    this.state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  /** The length of a match at a new distance. */
  match(turn) {
    [this.fourth, this.third, this.second] = [this.third, this.second, this.first];
    const length = this.lengths.next(this.bits, turn);
    this.state = this.state < 7 ? 7 : 10;
    this.first = this.distances.next(this.bits, length);
    return length;
  }

  /** The length of a match at one of the last four distances. */
  again(turn) {
    const { bits, state } = this;
    if (bits.bit(this.isOlder, state) === 0) {
      if (bits.bit(this.isLong, state * 16 + turn) === 0) {
        this.state = state < 7 ? 9 : 11;
        return 1;
      }
    } else {
      let distance = this.second;
      if (bits.bit(this.isThird, state) === 1) {
        distance = this.third;
        if (bits.bit(this.isFourth, state) === 1) [distance, this.fourth] = [this.fourth, this.third];
        this.third = this.second;
      }
      [this.first, this.second] = [distance, this.first];
    }
    this.state = state < 7 ? 8 : 11;
    return this.lengthsAgain.next(bits, turn);
  }
}

/** The bytes that were packed. */
export const unpack = (bytes) => new Packed(bytes).unpack();
