import * as z from 'zod/mini'
import { del, get, put } from '#kit/endpoint.ts'
import { id, instant, singleLine } from '#kit/text.ts'
import { type DeviceKind, kindNames, nameLength } from './rules.ts'

const kind = z.enum(Object.keys(kindNames) as [DeviceKind, ...DeviceKind[]])
export const deviceName = z.object({ name: singleLine(1, nameLength, 'Please give the device a name') })
const params = z.object({ deviceId: z.uuid() })
export const device = z.object({
  id: z.uuid(),
  kind,
  name: z.string(),
  /** What the device says it is, such as `Chrome on Windows`; empty if unknown. */
  agent: z.string(),
  /** The country code of its address when it was added. */
  country: z.nullable(z.string()),
  /** The browser that calls. */
  isHere: z.boolean(),
  /** The user name of a TV app. */
  linkName: z.nullable(z.string()),
  addedAt: instant,
  lastWatchedAt: z.nullable(instant),
  lastChannel: z.nullable(z.string()),
  /** What plays now; null if nothing does. */
  playing: z.nullable(z.object({ playId: z.uuid(), channelId: id, channelName: z.string(), since: instant })),
})
export type Device = z.output<typeof device>

export const listDevices = get('/api/devices', {
  summary: "The customer's browsers, paired TVs and TV apps, and how many screens the plan has",
  access: 'member',
  dependsOn: ['device', 'play', 'line', 'subscription', 'iptv_account'],
  output: z.object({
    /** How many screens may play at the same time; 0 if nothing can be watched. */
    screens: z.int(),
    devices: z.array(device),
  }),
})
export type Devices = z.output<typeof listDevices.output>

export const renameDevice = put('/api/devices/:deviceId', {
  summary: 'Rename a device',
  access: 'member',
  limit: 'write',
  params,
  body: deviceName,
  output: z.object({ name: z.string() }),
})
export const removeDevice = del('/api/devices/:deviceId', {
  summary: 'Remove a device: it is logged out, and what plays on it ends',
  access: 'member',
  endsSessions: true,
  limit: 'write',
  params,
  output: z.object({ removed: z.literal(true) }),
})
