export type Tier = 1 | 2 | 3 | 4
export type Eyes = 1 | 2 | 3 | 4 | 5

export const ink = '#1d0f08'
export const cream = '#f7f0e1'

interface Shape {
  skin: string
  horn: string
  body: string
  horns: string
}

/** Silhouette and colors of each tier, in a 100 by 100 view box. */
export const shapes: Record<Tier, Shape> = {
  1: {
    skin: 'var(--bar-lime)',
    horn: 'var(--bar-teal)',
    body: 'M16 101C13 85 13 72 14 60 15 38 30 24 50 24s35 14 36 36c1 12 1 25-2 41Z',
    horns: 'M26 40c-7-7-9-15-6-23 8 1 15 7 18 16ZM74 40c7-7 9-15 6-23-8 1-15 7-18 16Z',
  },
  2: {
    skin: 'var(--bar-mustard)',
    horn: 'var(--bar-ember)',
    body: 'M13 101C10 84 10 70 12 56 14 35 29 22 50 22s36 13 38 34c2 14 2 28-1 45Z',
    horns: 'M30 38C15 34 7 23 9 8c12 3 22 11 27 22ZM70 38c15-4 23-15 21-30-12 3-22 11-27 22Z',
  },
  3: {
    skin: 'var(--bar-ember)',
    horn: 'var(--bar-mustard)',
    body: 'M9 101C6 84 6 66 9 52 12 32 25 20 43 20h14c18 0 31 12 34 32 3 14 3 32 0 49Z',
    horns: 'M28 34C13 33 4 22 3 5c14 0 27 7 34 20ZM72 34c15-1 24-12 25-29-14 0-27 7-34 20Z',
  },
  4: {
    skin: 'var(--bar-plum)',
    horn: 'var(--bar-ember)',
    body: 'M7 101C4 84 4 66 7 52 10 32 24 21 42 21h16c18 0 32 11 35 31 3 14 3 32 0 49Z',
    horns:
      'M22 40C8 34 0 22 2 4c13 4 24 13 29 26ZM78 40c14-6 22-18 20-36-13 4-24 13-29 26ZM34 30 41 6l13 19ZM48 27 60 7l9 22Z',
  },
}

/** Center and radius of each eye, by the number of eyes. */
export const eyes: Record<Eyes, readonly (readonly [x: number, y: number, r: number])[]> = {
  1: [[50, 53, 16]],
  2: [
    [34, 53, 12.5],
    [66, 53, 12.5],
  ],
  3: [
    [26, 55, 10.5],
    [50, 47, 12.5],
    [74, 55, 10.5],
  ],
  4: [
    [22, 57, 9],
    [41, 49, 10],
    [60, 49, 10],
    [79, 57, 9],
  ],
  5: [
    [18, 59, 7.4],
    [33, 50, 8.4],
    [50, 46, 9.2],
    [67, 50, 8.4],
    [82, 59, 7.4],
  ],
}

/** Returns the number of eyes: one for each connection, but at least 1 and at most 5. */
export const eyeCount = (connections: number): Eyes => Math.min(5, Math.max(1, Math.round(connections))) as Eyes
