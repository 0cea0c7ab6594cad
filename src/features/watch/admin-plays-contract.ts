// Admin endpoints of what plays now, and of how channels have played.
import * as z from 'zod/mini'
import { del, get } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'
import { reasonNames } from './rules.ts'

/** How many running plays are listed. */
export const mostPlays = 200
const runningPlay = z.object({
  id: z.uuid(),
  userId: id,
  username: z.string(),
  /** The name of the device, such as `Living room`. */
  device: z.string(),
  since: instant,
})
export type RunningPlay = z.output<typeof runningPlay>

export const listRunningPlays = get('/api/admin/plays', {
  summary: `What plays now: the newest ${mostPlays} plays with their customers and devices. Which customer watches which channel is not listed`,
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
  /** Customers who watch it now. */
  viewers: z.int(),
  /** Plays of the last 24 hours, and how many of them ended because the channel or the panel failed. */
  starts: z.int(),
  failures: z.int(),
  /** How many customers had a failure. */
  failedCustomers: z.int(),
  lastFailureAt: z.nullable(instant),
  /** The most frequent reason of the failures. */
  reason: z.nullable(z.enum(reasonNames)),
})
export type ChannelHealth = z.output<typeof channelHealth>
export const listChannelHealth = get('/api/admin/channel-health', {
  summary:
    'How channels played in the last 24 hours: viewers, starts and failures of the 100 with the most failures, then the most viewers',
  access: 'admin',
  needs: 'watching.read',
  output: z.array(channelHealth),
})
