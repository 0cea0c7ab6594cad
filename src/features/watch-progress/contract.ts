import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { showing } from '#features/guide/contract.ts'
import { del, get, put } from '#kit/endpoint.ts'
import { maxLengthMs, parseProgressRef, progressKinds } from './rules.ts'

const kind = z.enum(progressKinds)
const params = z.object({
  kind,
  /** Identifies a program by its channel and its start; see `progressRef`. */
  ref: z.string().check(z.refine((ref) => parseProgressRef(ref) !== undefined)),
})

/** A program that was not watched to its end. */
export const watchProgress = z.object({
  kind,
  ref: z.string(),
  ...showing.shape,
  channelName: z.string(),
  category: channelCategory,
  /** Where the customer stopped watching, in milliseconds from the start of the program. */
  positionMs: z.int(),
  lengthMs: z.int(),
})
export type WatchProgress = z.output<typeof watchProgress>

export const listWatchProgress = get('/api/watch-progress', {
  summary:
    'The programs that the customer has not watched to the end and can still watch in this country, most recently watched first, and whether the watch history is on',
  access: 'watcher',
  dependsOn: ['watch_progress'],
  output: z.object({
    /** False if the customer turned the watch history off. */
    isKept: z.boolean(),
    items: z.array(watchProgress),
  }),
})
export type WatchHistory = z.output<typeof listWatchProgress.output>

const wrongPosition = 'Please give a position in milliseconds, at most 24 hours'
export const storeWatchProgress = put('/api/watch-progress/:kind/:ref', {
  summary:
    'Store how far a program in the archive was watched. A position after the end of the program counts as the end. A position is ignored while the watch history is off, and within 12 seconds of the last one unless the viewer jumped by more than 20 seconds',
  access: 'watcher',
  limit: 'watchProgress',
  params,
  body: z.object({
    /** In milliseconds from the start of the program. */
    positionMs: z.int(wrongPosition).check(z.gte(0, wrongPosition), z.lte(maxLengthMs, wrongPosition)),
  }),
  output: z.object({
    /** False if the position was ignored. */
    stored: z.boolean(),
  }),
})

export const removeWatchProgress = del('/api/watch-progress/:kind/:ref', {
  summary: 'Forget how far a program was watched; idempotent',
  access: 'watcher',
  limit: 'write',
  params,
  output: z.object({ removed: z.literal(true) }),
})

export const clearWatchProgress = del('/api/watch-progress', {
  summary: 'Forget how far all programs were watched; idempotent',
  access: 'watcher',
  limit: 'write',
  output: z.object({ removed: z.literal(true) }),
})

export const setWatchHistory = put('/api/watch-progress', {
  summary: 'Turn the watch history on or off. Turning it off deletes all stored positions',
  access: 'member',
  limit: 'write',
  body: z.object({ isKept: z.boolean() }),
  output: z.object({ isKept: z.boolean() }),
})
