// Admin endpoints for the running plays and the health of channels.
import * as z from 'zod/mini'
import { del, get } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'
import { directOutcomes } from './direct-rules.ts'
import { reasonNames } from './rules.ts'

/** The maximum number of running plays in the list. */
export const maxPlays = 200
const runningPlay = z.object({
  id: z.uuid(),
  userId: id,
  username: z.string(),
  /** The name of the device, such as `Living room`. */
  device: z.string(),
  since: instant,
  /** `direct` if the page loads the stream from the panel, otherwise why it does not; null if direct delivery was off when the play was opened. */
  direct: z.nullable(z.enum(directOutcomes)),
})
export type RunningPlay = z.output<typeof runningPlay>

export const listRunningPlays = get('/api/admin/plays', {
  summary: `The newest ${maxPlays} running plays with their customers and devices, but without their channels`,
  access: 'admin',
  needs: 'watching.read',
  output: z.array(runningPlay),
})
export const stopPlay = del('/api/admin/plays/:playId', {
  summary: 'Stop a play of any customer; audited. Idempotent',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  params: z.object({ playId: z.uuid() }),
  output: z.object({ ended: z.literal(true) }),
})

const channelHealth = z.object({
  channelId: id,
  channelName: z.string(),
  /** How many customers are watching the channel now. */
  viewers: z.int(),
  /** Plays in the last 24 hours, and how many of them ended because the channel or the panel failed. */
  starts: z.int(),
  failures: z.int(),
  /** How many customers were affected by a failure. */
  failedCustomers: z.int(),
  lastFailureAt: z.nullable(instant),
  /** The most frequent reason for the failures. */
  reason: z.nullable(z.enum(reasonNames)),
})
export type ChannelHealth = z.output<typeof channelHealth>
export const listChannelHealth = get('/api/admin/channel-health', {
  summary:
    'Current viewers, and starts and failures in the last 24 hours, for at most 100 channels: those with the most failures first, then those with the most viewers',
  access: 'admin',
  needs: 'watching.read',
  output: z.array(channelHealth),
})
