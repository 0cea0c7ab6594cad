import type { Verdict } from '#features/iptv/rules.ts'

/** A response to the login call, and what it means at `now`. The responses have the form of real panels; names, hosts and numbers are invented. */
export type PanelResponseCase = { name: string; status: number; body: string; means: Verdict; neverExpires?: number[] }

/** The time at which all these responses are received. */
export const now = '2026-11-20T12:00:00.000Z'
const seconds = (instant: string) => Date.parse(instant) / 1000
const later = '2026-12-20T12:00:00.000Z'
const earlier = '2026-10-20T12:00:00.000Z'

/** The `user_info` of a classic panel: all numbers except `auth` are strings. */
const line = {
  username: 'line-7',
  password: 'unused',
  message: '',
  auth: 1,
  status: 'Active',
  exp_date: String(seconds(later)),
  is_trial: '0',
  active_cons: '0',
  created_at: '1763640000',
  max_connections: '3',
  allowed_output_formats: ['m3u8', 'ts', 'rtmp'],
}
const server = {
  url: 'panel.example',
  port: '25461',
  https_port: '25463',
  server_protocol: 'http',
  rtmp_port: '25462',
  timezone: 'America/New_York',
  timestamp_now: seconds(now),
  time_now: '2026-11-20 07:00:00',
  process: false,
}
const ok = (maxConnections: number | null, expiresAt: string | null = later): Verdict => ({
  outcome: 'ok',
  expiresAt,
  maxConnections,
})
const refused = (outcome: Exclude<Verdict['outcome'], 'ok'>): Verdict => ({ outcome })
/** Creates a login response: that of the classic panel, with `other` fields in `user_info`. */
const login = (
  name: string,
  other: object,
  means: Verdict,
  more: { status?: number; server?: object; neverExpires?: number[] } = {},
): PanelResponseCase => ({
  name,
  status: more.status ?? 200,
  body: JSON.stringify({ user_info: { ...line, ...other }, server_info: { ...server, ...more.server } }),
  means,
  neverExpires: more.neverExpires,
})
const bare = (name: string, userInfo: object, means: Verdict, status = 200): PanelResponseCase => ({
  name,
  status,
  body: JSON.stringify({ user_info: userInfo }),
  means,
})

export const loginResponses: PanelResponseCase[] = [
  login('classic, active', {}, ok(3)),
  login('classic, never expires', { exp_date: null, active_cons: '1' }, ok(3, null)),
  login('classic, with a greeting', { message: 'Welcome Friends' }, ok(3), { server: { url: '192.0.2.165' } }),
  login('classic, past its date by our clock', { exp_date: String(seconds(earlier)) }, refused('expired')),
  login('a newer build with numeric counts', { active_cons: 0, max_connections: '5' }, ok(5), {
    server: { xui: true, version: '1.5.13', revision: null, process: undefined },
  }),
  bare(
    'bare numbers, no status, one format, unknown fields',
    {
      username: 'x user',
      auth: 1,
      exp_date: null,
      max_connections: 2,
      active_cons: 0,
      is_trial: 0,
      allowed_output_formats: 'ts',
      brand_new_field: { x: [1, 2] },
    },
    ok(2, null),
  ),
  login(
    'a proxy that invents its date and has no trials',
    { max_connections: '50', is_trial: undefined, created_at: undefined },
    ok(50),
    {
      server: { https_port: undefined, rtmp_port: undefined },
    },
  ),
  login('an editor with one connection', { max_connections: '1', allowed_output_formats: ['m3u8'] }, ok(1)),
  login(
    'a panel that sends a fixed date for lines that never expire',
    { exp_date: '1773864593', max_connections: 999999 },
    refused('expired'),
  ),
  login(
    'the same panel when its fixed date is known',
    { exp_date: '1773864593', max_connections: 999999 },
    ok(0, null),
    { neverExpires: [1773864593] },
  ),
  login('a server that sends its address as a full URL', { max_connections: '2' }, ok(2), {
    server: { url: 'http://panel.example:3300', port: '3300' },
  }),
  login('ports and connections as numbers', { max_connections: 2, active_cons: 0 }, ok(2), {
    server: { port: 3220, https_port: 3220, rtmp_port: 3220 },
  }),
  bare(
    'all screens in use',
    {
      username: 'line-7',
      auth: 1,
      status: 'Active',
      message: 'Screen limit reached.',
      active_cons: '2',
      max_connections: '2',
    },
    ok(2, null),
  ),
  login('an active trial', { status: 'Trial', is_trial: '1' }, ok(3)),
  login('auth as a string, no limit, no date', { auth: '1', max_connections: '0', exp_date: 'null' }, ok(0, null)),
  login(
    'auth as true, connections unknown, date empty',
    { auth: true, max_connections: null, exp_date: '' },
    ok(null, null),
  ),
  login('a date out of range', { exp_date: '99999999999999' }, ok(3, null)),
  login('a date with a five-digit year', { exp_date: 999_999_999_999 }, ok(3, '+033658-09-27T01:46:39.000Z')),
  login('expired, though auth is 1', { status: 'Expired', exp_date: String(seconds(earlier)) }, refused('expired')),
  login('expired exactly now', { exp_date: seconds(now) }, refused('expired')),
  login('active, but past its date', { exp_date: '1577836800' }, refused('expired'), {
    server: { time_now: '2026-11-20 12:00:00.467Z' },
  }),
  login('banned, though auth is 1', { status: 'Banned' }, refused('banned')),
  login('disabled, though auth is 1', { status: 'Disabled' }, refused('disabled')),
  login('a nonstandard status', { status: 'Paused' }, refused('disabled')),
  bare('a wrong password', { auth: 0, message: 'Invalid username or password' }, refused('bad_credentials')),
  bare('a wrong password without a message', { auth: 0 }, refused('bad_credentials'), 401),
  bare(
    'a wrong password, with a status',
    { auth: 0, status: 'Invalid', message: 'Invalid username or password' },
    refused('bad_credentials'),
  ),
  bare('auth 0 as a string', { auth: '0' }, refused('bad_credentials')),
  bare('auth as null', { auth: null }, refused('bad_credentials')),
  bare(
    'a status takes precedence over a wrong password',
    { auth: 0, status: 'Expired', message: 'Your subscription has expired' },
    refused('expired'),
  ),
  bare('banned takes precedence over a wrong password', { auth: '0', status: 'BANNED' }, refused('banned')),
  bare(
    'too many failed attempts by others',
    { auth: 0, message: 'Too many failed attempts. Try later.' },
    refused('rate_limited'),
  ),
  bare('an invalid `auth`', { auth: 'perhaps', status: 'Active' }, refused('bad_response')),
]

const page = '<!DOCTYPE html><html><body>A message from your network</body></html>'
const text = (
  name: string,
  status: number,
  body: string,
  outcome: Exclude<Verdict['outcome'], 'ok'>,
): PanelResponseCase => ({
  name,
  status,
  body,
  means: { outcome },
})

export const otherResponses: PanelResponseCase[] = [
  text('401 with a reason', 401, '{"error":"Unauthorized"}', 'bad_credentials'),
  text('401 with one word', 401, 'NO', 'bad_credentials'),
  text('401 with nothing', 401, '', 'bad_credentials'),
  text('403 with a reason', 403, '{"error":"Forbidden"}', 'blocked'),
  text('403 with nothing', 403, '', 'blocked'),
  text('407', 407, '', 'blocked'),
  text('451', 451, page, 'blocked'),
  text('429', 429, '', 'blocked'),
  text('429 with a wrong password in the body', 429, '{"user_info":{"auth":0}}', 'blocked'),
  text('403 with auth 1 in the body', 403, '{"user_info":{"auth":1,"status":"Active"}}', 'blocked'),
  text('404 with an HTML page', 404, page, 'not_found_or_rejected'),
  text('400 for an action we never sent', 400, '{"error":"Invalid action parameter"}', 'client_error'),
  text('a nonstandard status code', 459, '', 'provider_error'),
  text('500', 500, page, 'provider_error'),
  text('500 with a wrong password in the body', 500, '{"user_info":{"auth":0}}', 'provider_error'),
  text('503 with auth 1 in the body', 503, '{"user_info":{"auth":1,"status":"Active"}}', 'provider_error'),
  text('a redirect with auth 1 in the body', 302, '{"user_info":{"auth":1,"status":"Active"}}', 'bad_response'),
  text('the page of a captive portal', 200, page, 'not_xtream'),
  text('a page after blank lines', 200, `\r\n\r\n  ${page}`, 'not_xtream'),
  text('a message from a firewall', 200, 'Access Denied by policy', 'blocked'),
  text('broken JSON', 200, '{"user_info": [1, 2', 'bad_response'),
  text('nothing', 200, '', 'bad_response'),
  text('an empty object', 200, '{}', 'bad_response'),
  text('null', 200, 'null', 'bad_response'),
  text('a list', 200, '[{"user_info":{"auth":1}}]', 'bad_response'),
  text('no auth field', 200, '{"user_info":{"username":"line-7","status":"Active"}}', 'bad_response'),
  text('a title with a forbidden word', 200, '{"title":"Forbidden Planet"}', 'bad_response'),
  text('auth 1 in a prototype', 200, '{"__proto__":{"user_info":{"auth":1,"status":"Active"}}}', 'bad_response'),
  text(
    'auth 1 in the prototype of user_info',
    200,
    '{"user_info":{"__proto__":{"auth":1,"status":"Active"}}}',
    'bad_response',
  ),
]
