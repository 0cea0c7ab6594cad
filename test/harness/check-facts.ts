import type { BrowserFacts, ServerFacts } from '#features/self-check/contract.ts'

const nothing = { starts: 0, failures: 0, failedCustomers: 0 }
/** What a self-check finds on the server when everything works. */
export const workingServer: ServerFacts = {
  at: '2026-11-24T01:37:00.000Z',
  channelName: 'Harbor Drama',
  account: 'ok',
  accountUntil: null,
  line: { kind: 'ours', login: 'ok' },
  panelMs: 62,
  screens: { used: 0, all: 3, playsHere: false, devices: [] },
  place: 'ok',
  others: { ...nothing, viewers: 0, reports: 0, failingSince: null },
  service: { ...nothing, failedChannels: 0 },
  probe: { result: 'alive', detail: null, ms: 40, kbps: 5_000, codecs: null },
  relay: 'ok',
}
/** What a self-check measures in the browser when everything works. */
export const workingBrowser: BrowserFacts = {
  online: true,
  server: 'answered',
  mediaSource: true,
  decodes: true,
  clockOffMs: 0,
  delaysMs: [18, 19],
  lost: 0,
  sample: { bytes: 4_194_304, ms: 700, parts: 20, lateParts: 0 },
  events: [],
}
