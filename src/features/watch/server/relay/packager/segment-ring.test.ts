import { expect, test } from 'vitest'
import { SegmentRing } from './segment-ring.ts'

const listedIn = (ring: SegmentRing) => [...ring.playlist(String).matchAll(/^\d+$/gm)].map(Number)

test('a player that read the playlist just before a new segment arrived can load every segment in it', () => {
  const ring = new SegmentRing(undefined)
  const add = () => ring.add({ bytes: Buffer.alloc(188), seconds: 2, isDiscontinuous: false })
  for (let count = 0; count < 20; count++) {
    add()
    const listed = listedIn(ring)
    expect(listed.length).toBe(Math.min(2 * count + 1, 6))
    ring.read(listed.at(-1)!)
    add()
    expect(listed.map((sequence) => ring.read(sequence)?.length)).toEqual(listed.map(() => 188))
  }
})

test('a live stream whose segments are read keeps few of them, however long it runs', () => {
  const ring = new SegmentRing(undefined)
  const added = Array.from({ length: 40 }, () => {
    ring.add({ bytes: Buffer.alloc(188), seconds: 2, isDiscontinuous: false })
    const newest = listedIn(ring).at(-1)!
    ring.read(newest)
    return newest
  })
  expect(added.filter((sequence) => ring.read(sequence))).toEqual(added.slice(-7))
})
