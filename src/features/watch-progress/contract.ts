import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { showing } from '#features/guide/contract.ts'
import { del, get, put } from '#kit/endpoint.ts'
import { maxLengthMs, parseProgressRef, progressKinds } from './rules.ts'

const kind = z.enum(progressKinds)
const params = z.object({
  kind,
  /** The channel and the start of the program, see `progressRef`. */
  ref: z.string().check(z.refine((ref) => parseProgressRef(ref) !== undefined)),
})

/** A program that was not watched to its end. */
export const watchProgress = z.object({
  kind,
  ref: z.string(),
  ...showing.shape,
  channelName: z.string(),
  category: channelCategory,
  /** Where it was left, from the start of the program. */
  positionMs: z.int(),
  lengthMs: z.int(),
})
export type WatchProgress = z.output<typeof watchProgress>

export const listWatchProgress = get('/api/watch-progress', {
  summary:
    'The programs that the customer has not watched to the end and can still watch here, the latest first, and whether a history is kept',
  access: 'watcher',
  dependsOn: ['watch_progress'],
  output: z.object({
    /** False if the customer chose to keep no history. */
    isKept: z.boolean(),
    items: z.array(watchProgress),
  }),
})
export type WatchHistory = z.output<typeof listWatchProgress.output>

const wrongPosition = 'Please give a position of at most 24 hours in milliseconds'
export const storeWatchProgress = put('/api/watch-progress/:kind/:ref', {
  summary:
    'Store how far a program of the archive was watched. A position after its end counts as the end. Ignored within 12 seconds after the last one, and if no history is kept',
  access: 'watcher',
  limit: 'watchProgress',
  params,
  body: z.object({
    /** From the start of the program. */
    positionMs: z.int(wrongPosition).check(z.gte(0, wrongPosition), z.lte(maxLengthMs, wrongPosition)),
  }),
  output: z.object({
    /** False if it was ignored. */
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
  summary: 'Choose whether a history is kept. Keeping none deletes what is stored',
  access: 'member',
  limit: 'write',
  body: z.object({ isKept: z.boolean() }),
  output: z.object({ isKept: z.boolean() }),
})
