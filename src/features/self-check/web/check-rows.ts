import type { BrowserFacts, Cause, ServerFacts, Verdict } from '../contract.ts'
import { percentText } from '../evidence-rules.ts'
import {
  delayOf,
  droppedOf,
  hostSpeedOf,
  isClockWrong,
  jitterOf,
  neededKbps,
  slowDelayMs,
  speedOf,
  speedText,
  waitsForClick,
} from '../rules.ts'

export type RowState = 'unchecked' | 'busy' | 'ok' | 'warn' | 'bad'
export type RowId = 'device' | 'network' | 'account' | 'screens' | 'site' | 'channel'
export type Row = { id: RowId; name: string; value: string; text: string; state: RowState; details: [string, string][] }
type Facts = {
  server: ServerFacts | null
  browser: BrowserFacts
  verdict: Verdict | null
  brand: string
  channel: string | null
}

/** The row that each cause belongs to, and the state that the cause gives this row. */
const rowOf: Partial<Record<Cause, [RowId, RowState]>> = {
  offline: ['network', 'bad'],
  unreachable: ['network', 'warn'],
  slow: ['network', 'warn'],
  unstable: ['network', 'warn'],
  slow_host: ['site', 'warn'],
  expired: ['account', 'bad'],
  paused: ['account', 'bad'],
  preparing: ['account', 'warn'],
  login: ['account', 'bad'],
  screens: ['screens', 'bad'],
  busy: ['site', 'bad'],
  panel: ['site', 'bad'],
  off_air: ['channel', 'bad'],
  format: ['channel', 'bad'],
  territory: ['channel', 'bad'],
  not_licensed: ['channel', 'bad'],
  browser: ['device', 'bad'],
  codec: ['device', 'bad'],
  blocked: ['device', 'bad'],
  autoplay: ['device', 'warn'],
  frames: ['device', 'warn'],
  hidden: ['device', 'warn'],
  clock: ['device', 'warn'],
}
export const stateTexts: Record<RowState, string> = {
  unchecked: 'Not checked yet',
  busy: 'Being checked',
  ok: 'Works',
  warn: 'Needs attention',
  bad: 'Broken',
}
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const ms = (value: number | null): string => (value === null ? 'No answer' : `${value} ms`)

/** The results in rows. The row that decided the verdict is first. */
export function checkRows(facts: Facts): Row[] {
  const rows = rowsInOrder(facts)
  const [id] = (facts.verdict && rowOf[facts.verdict.cause]) ?? []
  return [...rows].sort((a, b) => Number(b.id === id) - Number(a.id === id))
}

/** The results in rows, in the order from the device to the channel. */
export function rowsInOrder({ server, browser, verdict, brand, channel }: Facts): Row[] {
  const [faultyId, faultyState] = (verdict && rowOf[verdict.cause]) ?? []
  const isDone = verdict !== null
  const state = (id: RowId, isMeasured: boolean, isGood: boolean): RowState => {
    if (faultyId === id && faultyState) return faultyState
    if (isMeasured && isGood) return 'ok'
    return !isDone ? 'busy' : isMeasured ? 'warn' : 'unchecked'
  }
  const speed = speedOf(browser)
  const delay = delayOf(browser)
  const jitter = jitterOf(browser)
  const { sample } = browser
  const hostSpeed = hostSpeedOf(browser)
  const account = server?.account
  const rows: Row[] = [
    {
      id: 'device',
      name: 'This device',
      value: 'OK',
      text: deviceText(browser, verdict),
      state: state('device', true, browser.mediaSource && browser.decodes),
      details: deviceDetails(browser, server !== null),
    },
    {
      id: 'network',
      name: 'Your network',
      value: speed === null ? '' : speedText(speed),
      text: networkText(browser, server),
      state: state('network', sample !== null || browser.delaysMs.length > 0, sample !== null),
      details: [
        ['Download', speed === null ? 'Not measured' : speedText(speed)],
        ['Needed', speedText(neededKbps(server))],
        ['Delay', ms(delay)],
        ...(jitter === null ? [] : ([['Delay varies by', ms(jitter)]] as [string, string][])),
        ...(sample ? ([['Late segments', `${sample.lateParts} of ${sample.parts}`]] as [string, string][]) : []),
        ['Requests lost', `${browser.lost} of 5`],
      ],
    },
    {
      id: 'account',
      name: 'Your account',
      value: account === 'ok' ? 'OK' : '',
      text: server ? accountText(server) : 'Not checked',
      state: state('account', server !== null, account === 'ok'),
      details: server ? [['TV login', loginTexts[server.line.login]]] : [],
    },
    {
      id: 'screens',
      name: 'Your screens',
      value: server ? `${server.screens.used} of ${server.screens.all}` : '',
      text: server ? screensText(server) : 'Not checked',
      state: state('screens', server !== null, true),
      details: server ? server.screens.devices.map((device) => ['Playing', device]) : [],
    },
    {
      id: 'site',
      name: brand,
      value: server?.panelMs != null ? ms(server.panelMs) : '',
      text: server
        ? server.line.login === 'no_answer'
          ? 'The streaming service did not answer'
          : verdict?.cause === 'slow_host'
            ? 'The streaming server is slow'
            : 'Everything is up'
        : 'Not checked',
      state: state('site', server !== null, server?.line.login !== 'no_answer'),
      details: server
        ? [
            ['Streaming service', server.panelMs === null ? 'No answer' : `Answered in ${server.panelMs} ms`],
            ['Capacity', server.relay === 'ok' ? 'Available' : 'Low'],
            ...(hostSpeed === null
              ? []
              : ([['Streaming server to this device', speedText(hostSpeed)]] as [string, string][])),
          ]
        : [],
    },
  ]
  if (channel !== null) rows.push(channelRow(channel, server, state))
  return rows
}

const deviceTexts: Partial<Record<Cause, string>> = {
  blocked: 'Something blocks the streams',
  autoplay: 'Waits for a click or tap',
  frames: 'Drops frames',
  hidden: 'The page was in the background',
  clock: 'The clock is wrong',
}
const deviceText = ({ decodes }: BrowserFacts, verdict: Verdict | null): string =>
  (verdict && deviceTexts[verdict.cause]) ?? (decodes ? 'Plays video' : 'Cannot play this channel')
function deviceDetails(browser: BrowserFacts, hasClock: boolean): [string, string][] {
  const dropped = droppedOf(browser)
  return [
    ['Plays streams', browser.mediaSource ? 'Yes' : 'No'],
    ['Decodes the channel', browser.decodes ? 'Yes' : 'No'],
    ...(browser.blocked ? [['Streams', 'Blocked in this browser'] as [string, string]] : []),
    ...(waitsForClick(browser) ? [['Sound', 'Waits for a click or tap'] as [string, string]] : []),
    ...(dropped === null ? [] : [['Dropped frames', percentText(dropped)] as [string, string]]),
    ...(browser.hidden ? [['Page', 'Hidden during the check'] as [string, string]] : []),
    ...(hasClock
      ? [['Clock', isClockWrong(browser) ? 'Wrong by more than a minute' : 'Correct'] as [string, string]]
      : []),
  ]
}

const loginTexts: Record<ServerFacts['line']['login'], string> = {
  ok: 'Accepted',
  refused: 'Refused',
  no_answer: 'No answer',
  not_asked: 'Not checked',
}
function networkText(browser: BrowserFacts, server: ServerFacts | null): string {
  if (!browser.online) return 'This device is offline'
  const speed = speedOf(browser)
  if (speed === null) return browser.delaysMs.length > 0 ? 'Measuring speed and delay' : 'Not measured'
  if (speed < neededKbps(server)) return 'Too slow for this channel'
  if ((delayOf(browser) ?? 0) > slowDelayMs) return 'Fast enough, with long delays'
  if ((jitterOf(browser) ?? 0) > slowDelayMs) return 'Fast enough, with uneven delays'
  return speed > 25_000 ? 'Enough for 4K' : 'Fast enough'
}
function accountText({ account, accountUntil }: ServerFacts): string {
  const until = accountUntil ? day.format(new Date(accountUntil)) : null
  if (account === 'ok') return until ? `Active until ${until}` : 'Active'
  if (account === 'expired') return until ? `Ended on ${until}` : 'No subscription'
  return account === 'paused' ? 'The TV login is paused' : 'The TV login is being created'
}
function screensText({ screens }: ServerFacts): string {
  const free = Math.max(0, screens.all - screens.used)
  if (screens.used === 0) return 'None in use'
  return free === 0 ? 'All in use' : `${free} more can play right now`
}

type StateOf = (id: RowId, isMeasured: boolean, isGood: boolean) => RowState
function channelRow(name: string, server: ServerFacts | null, state: StateOf): Row {
  const { probe, others, place } = server ?? {}
  const works = probe?.result === 'alive' || (others?.viewers ?? 0) > 0
  const texts = {
    alive: 'Sends a picture',
    dead: 'The channel sends no picture',
    refused: 'The channel was refused',
    too_many: 'Another connection is still open',
    no_answer: 'The channel does not answer',
    not_playable: 'Sends a format that only apps play',
    skipped: works ? 'Others are watching it' : 'Not checked because your screens are in use',
  }
  return {
    id: 'channel',
    name,
    value: works ? 'On air' : probe?.result === 'dead' ? 'No signal' : '',
    text: place && place !== 'ok' ? 'Not licensed here' : probe ? texts[probe.result] : 'Not checked',
    state: state('channel', probe !== undefined && probe.result !== 'skipped', works),
    details:
      probe && others
        ? [
            ...(probe.detail ? ([['Answer', probe.detail]] as [string, string][]) : []),
            ...(probe.ms === null ? [] : ([['Read in', `${probe.ms} ms`]] as [string, string][])),
            ['Others in the last 15 minutes', `${others.starts - others.failures} of ${others.starts} could watch`],
            ['Open reports of others', String(others.reports)],
          ]
        : [],
  }
}
