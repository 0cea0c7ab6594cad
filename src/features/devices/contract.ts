import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { id, instant, singleLine } from '#kit/text.ts'
import {
  codeLength,
  codeLetters,
  type DeviceKind,
  kindNames,
  nameLength,
  normalizedCode,
  wrongCodeMessage,
} from './rules.ts'

const kind = z.enum(Object.keys(kindNames) as [DeviceKind, ...DeviceKind[]])
export const deviceName = z.object({ name: singleLine(1, nameLength, 'Please give the device a name') })
const params = z.object({ deviceId: z.uuid() })
export const device = z.object({
  id: z.uuid(),
  kind,
  name: z.string(),
  /** The browser and operating system from the user agent, such as `Chrome on Windows`; empty if unknown. */
  agent: z.string(),
  /** The country code of the IP address from which the device was added; null if unknown. */
  country: z.nullable(z.string()),
  /** Whether the device is the browser that sends the request. */
  isHere: z.boolean(),
  /** The username of a TV app; null for other devices. */
  linkName: z.nullable(z.string()),
  addedAt: instant,
  lastWatchedAt: z.nullable(instant),
  lastChannel: z.nullable(z.string()),
  /** The current play; null if nothing is playing. */
  playing: z.nullable(z.object({ playId: z.uuid(), channelId: id, channelName: z.string(), since: instant })),
})
export type Device = z.output<typeof device>

export const listDevices = get('/api/devices', {
  summary: "The customer's browsers, paired TVs and TV apps, and how many screens the plan has",
  access: 'member',
  dependsOn: ['device', 'play', 'line', 'subscription', 'iptv_account'],
  output: z.object({
    /** The number of screens that may play at the same time; 0 if the customer cannot watch. */
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
  summary: 'Remove a device. The device is logged out, and its play ends',
  access: 'member',
  endsSessions: true,
  limit: 'write',
  params,
  output: z.object({ removed: z.literal(true) }),
})

const userCode = z
  .string(wrongCodeMessage)
  .check(
    z.overwrite<string>(normalizedCode),
    z.regex(new RegExp(`^[${codeLetters}]{${codeLength}}$`), `A code has ${codeLength} letters, such as BDWP-HQPK`),
  )
const deviceCode = z.string().check(z.regex(/^[\w-]{43}$/, 'This is not a valid device code'))
/** The form in the dialog that pairs a TV. */
export const pairing = z.object({ userCode, name: deviceName.shape.name })

export const createDeviceCode = post('/api/device-codes', {
  summary:
    'Start pairing the TV that sends the request. Returns the code that the TV shows, and the code with which it polls for its token (RFC 8628)',
  access: 'public',
  limit: 'deviceCode',
  output: z.object({
    deviceCode: z.string(),
    userCode: z.string(),
    verificationUri: z.string(),
    verificationUriComplete: z.string(),
    /** The number of seconds for which the codes are valid. */
    expiresIn: z.int(),
    /** The minimum number of seconds between two polls. */
    interval: z.int(),
  }),
})
export type DeviceCode = z.output<typeof createDeviceCode.output>
export const claimDevice = post('/api/device-codes/token', {
  summary:
    'Poll whether the TV has been paired. The first successful poll sets the cookie of the TV; any other poll gets 400 with `authorization_pending`, `slow_down`, `access_denied` or `expired_token`',
  access: 'public',
  limit: 'devicePoll',
  body: z.object({ deviceCode }),
  output: z.object({ name: z.string() }),
})
export const lookUpCode = post('/api/device-codes/look', {
  summary:
    'The browser, the country and the request time of the TV that shows a code. Only a few wrong codes are allowed',
  access: 'member',
  limit: 'write',
  body: z.object({ userCode }),
  output: z.object({ agent: z.string(), country: z.nullable(z.string()), createdAt: instant }),
})
export type PairingTv = z.output<typeof lookUpCode.output>
export const decideCode = post('/api/device-codes/decide', {
  summary: 'Pair the TV that shows a code, or refuse it',
  access: 'member',
  limit: 'write',
  body: z.object({ userCode, allow: z.boolean(), name: deviceName.shape.name }),
  output: z.object({ name: z.string() }),
})

export const getTv = get('/api/tv', {
  summary: 'The name of the paired TV that sends the request; empty for a browser that is logged in',
  access: 'watcher',
  nullWhenSignedOut: true,
  output: z.object({ name: z.string() }),
})
export const unpairTv = post('/api/tv/sign-out', {
  summary: 'Remove the paired TV that sends the request',
  access: 'watcher',
  limit: 'play',
  output: z.object({ removed: z.literal(true) }),
})

export const createAppLogin = post('/api/devices', {
  summary: 'Create credentials for a TV app. Only this response contains the password',
  access: 'member',
  limit: 'iptv',
  body: deviceName,
  output: z.object({
    id: z.uuid(),
    name: z.string(),
    server: z.string(),
    username: z.string(),
    password: z.string(),
    playlistUrl: z.string(),
    guideUrl: z.string(),
  }),
})
export type AppLogin = z.output<typeof createAppLogin.output>
