import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { readSender, readSmtpUrl, type SmtpConfig } from './mail/smtp-address.ts'
import { nearest } from './near-miss.ts'

const integer = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)),
    z.coerce
      .number<string>()
      .check(
        z.gte(min, `must be a whole number from ${min} to ${max}`),
        z.lte(max, `must be a whole number from ${min} to ${max}`),
      ),
  )
const optional = <T extends z.core.$ZodType>(schema: T) => z.optional(schema)
const oneOf = <const Words extends [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` })
const filledIn = (what: string) => z.string().check(z.minLength(1, `must be ${what}`))
const isBareAddress = (value: string) => {
  const url = URL.parse(value)
  return url === null || url.username + url.password + url.search + url.hash === ''
}
const postgresUrl = z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))
const factor = 'must be a number above 0, up to 1000000'
const schema = z.object({
  PORT: optional(integer(0, 65535)),
  HOST: optional(filledIn('an address of this machine')),
  PROCESSES: optional(z.string().check(z.regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or 1 to 64'))),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_DIRECT_URL: optional(postgresUrl),
  DATABASE_OWNER_URL: optional(postgresUrl),
  DATABASE_REPLICA_URL: optional(postgresUrl),
  DATA_DIR: optional(filledIn('a folder')),
  ADMIN_USERNAME: optional(
    z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,32}$/, 'must be 3 to 32 letters, digits, dots, dashes or underscores')),
  ),
  ADMIN_EMAIL: optional(z.email('must be an e-mail address')),
  ADMIN_PASSWORD: optional(
    z
      .string()
      .check(z.minLength(6, 'must have 6 to 128 characters'), z.maxLength(128, 'must have 6 to 128 characters')),
  ),
  SECRET_KEY: optional(z.string().check(z.regex(/^[A-Za-z0-9+/_-]{43}=?$/, 'must be 32 random bytes in base64'))),
  SECRET_KEY_OTHER: optional(
    z
      .string()
      .check(
        z.regex(
          /^([A-Za-z0-9+/_-]{43}=?)(,[A-Za-z0-9+/_-]{43}=?)*$/,
          'must be keys like SECRET_KEY, separated by commas',
        ),
      ),
  ),
  RATE_LIMIT_FACTOR: optional(
    z.pipe(
      z.string().check(z.regex(/^\d+(\.\d+)?$/, factor)),
      z.coerce.number<string>().check(z.gt(0, factor), z.lte(1_000_000, factor)),
    ),
  ),
  TRUST_PROXY: optional(integer(0, 10)),
  HSTS: optional(oneOf(['off', 'on', 'subdomains', 'preload'])),
  LOG_LEVEL: optional(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  SEED: optional(oneOf(['sample', 'empty'])),
  SELF_APPROVAL: optional(oneOf(['allow', 'deny'])),
  SMTP_URL: optional(
    z
      .string()
      .check(
        z.refine(
          (value) => readSmtpUrl(value) !== null,
          'must look like smtp://user:password@mail.example:587 or smtps://mail.example',
        ),
      ),
  ),
  MAIL_FROM: optional(
    z
      .string()
      .check(z.refine((value) => readSender(value) !== null, 'must be an e-mail address, or a name and <an address>')),
  ),
  PANEL_URL: optional(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .check(z.refine(isBareAddress, 'must not hold a username, a password, a query or a fragment')),
  ),
  PANEL_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  PANEL_USER_AGENT: optional(z.string().check(z.regex(/^[\x20-\x7e]{1,200}$/, 'must be one line of ASCII text'))),
  PANEL_NEVER_EXPIRES: optional(z.string().check(z.regex(/^\d+(,\d+)*$/, 'must be seconds, separated by commas'))),
  CHAT_PROVIDER: optional(oneOf(['off', 'crisp', 'chatwoot'])),
  CHAT_WEBSITE_ID: optional(z.string()),
  CHAT_URL: optional(z.string()),
  CHAT_SECRET: optional(z.string().check(z.minLength(10, 'must be the key the chat provider shows'))),
  GEOIP_DATABASE: optional(z.string().check(z.endsWith('.mmdb', 'must name an .mmdb file'))),
  METRICS_TOKEN: optional(
    z.string().check(z.regex(/^[\x21-\x7e]{16,200}$/, 'must be at least 16 letters, digits or signs without spaces')),
  ),
  NODE_ENV: optional(z.string()),
  JOURNAL_STREAM: optional(z.string()),
})

/** Every setting there is. */
export const settingNames: readonly string[] = Object.keys(schema.shape)

/** Where lines are checked: the IPTV middleware with an Xtream-compatible API. */
export type PanelConfig = {
  url: string
  /** Whether its address may be a private one. */
  allowPrivate: boolean
  userAgent: string
  /** Expiry dates (seconds) by which this panel says "never". */
  neverExpires: number[]
}

export type Config = {
  port: number
  host: string
  /** How many server processes share the port. */
  processes: number
  publicUrl: string
  /** Whether PUBLIC_URL is set: without it this machine's own names count as the site's. */
  hasPublicUrl: boolean
  secureCookies: boolean
  /** What Strict-Transport-Security says where `publicUrl` is https. */
  hsts: 'off' | 'on' | 'subdomains' | 'preload'
  databaseUrl: string | undefined
  /** The server itself where `databaseUrl` is a pooler that lends connections by the transaction. */
  databaseDirectUrl: string | undefined
  /** The same database as the role that owns its tables: migrations, backups and restores run as that one. */
  databaseOwnerUrl: string | undefined
  /** A server that follows it, to read lists from. */
  databaseReplicaUrl: string | undefined
  dataDir: string
  firstAdmin: { username: string; email: string; password: string | undefined }
  secretKey: string | undefined
  /** Further keys that open what they sealed, and seal nothing. */
  otherKeys: string[]
  rateLimitFactor: number
  trustProxy: number
  logLevel: string
  seed: 'sample' | 'empty'
  selfApproval: 'allow' | 'deny'
  /** Without it mails are kept in the mail log. */
  smtp: SmtpConfig | undefined
  panel: PanelConfig | undefined
  /** Whether the panel that lines are made on may have a private address. */
  panelAllowPrivate: boolean
  /** Until the settings choose another one. */
  chat: { provider: 'off' | 'crisp' | 'chatwoot'; websiteId: string; url: string }
  /** Signs what the chat's provider may believe of a customer. */
  chatSecret: string | undefined
  /** Tells the country of an address: a file in MaxMind's format. */
  geoipDatabase: string | undefined
  /** Opens `/metrics` to whoever has it; without one, only to this machine. */
  metricsToken: string | undefined
  production: boolean
  /** `device:inode` of the journal that systemd connects standard output to. */
  journalStream: string | undefined
}

/** What other programs read from the same environment, and looks like a setting. */
const ofOthers = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE']

/** A sentence for each name in the environment that is no setting and was probably meant to be one. */
export function settingWarnings(env: Record<string, string | undefined> = process.env): string[] {
  const known = settingNames
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !ofOthers.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known)
      return meant && env[meant] === undefined
        ? [`${name} is not a setting and has no effect: was ${meant} meant?`]
        : []
    })
}

/** The only reader of the environment. Throws one error that lists every complaint. An empty value counts as not set. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(given)
  const complaints = parsed.success ? [] : parsed.error.issues.map((i) => `  ${i.path.join('.')} ${i.message}`)
  if (given.SMTP_URL && !given.MAIL_FROM)
    complaints.push('  MAIL_FROM must be set with SMTP_URL: the address that mails come from')
  if (given.PUBLIC_URL?.startsWith('https:') && !(Number(given.TRUST_PROXY ?? 0) > 0))
    complaints.push(
      '  TRUST_PROXY must be 1 or more with an https PUBLIC_URL: a proxy speaks https in front of the app, and without TRUST_PROXY all visitors share its address and its limits',
    )
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'])
    if (given[name] && !given.DATABASE_URL) complaints.push(`  ${name} belongs to DATABASE_URL, which is not set`)
  if (!parsed.success || complaints.length > 0)
    throw new Error(`The settings need attention:\n${complaints.join('\n')}`)
  const v = parsed.data
  const port = v.PORT ?? 3000
  const publicUrl = (v.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return {
    port,
    host: v.HOST ?? '0.0.0.0',
    processes: v.PROCESSES === 'auto' ? Math.min(64, availableParallelism()) : Number(v.PROCESSES ?? 1),
    publicUrl,
    hasPublicUrl: v.PUBLIC_URL !== undefined,
    secureCookies: publicUrl.startsWith('https:'),
    hsts: v.HSTS ?? 'on',
    databaseUrl: v.DATABASE_URL,
    databaseDirectUrl: v.DATABASE_DIRECT_URL,
    databaseOwnerUrl: v.DATABASE_OWNER_URL,
    databaseReplicaUrl: v.DATABASE_REPLICA_URL,
    dataDir: resolve(v.DATA_DIR ?? join(import.meta.dirname, '../../data')),
    firstAdmin: {
      username: v.ADMIN_USERNAME ?? 'admin',
      email: v.ADMIN_EMAIL ?? 'admin@saucetv.example',
      password: v.ADMIN_PASSWORD,
    },
    secretKey: v.SECRET_KEY,
    otherKeys: v.SECRET_KEY_OTHER?.split(',') ?? [],
    rateLimitFactor: v.RATE_LIMIT_FACTOR ?? 1,
    trustProxy: v.TRUST_PROXY ?? 0,
    logLevel: v.LOG_LEVEL ?? 'info',
    seed: v.SEED ?? 'sample',
    selfApproval: v.SELF_APPROVAL ?? 'allow',
    smtp: v.SMTP_URL ? { ...readSmtpUrl(v.SMTP_URL)!, from: readSender(v.MAIL_FROM!)! } : undefined,
    panel: v.PANEL_URL
      ? {
          url: v.PANEL_URL.replace(/\/+$/, ''),
          allowPrivate: v.PANEL_ALLOW_PRIVATE === 'true',
          // Many panels turn unknown players away.
          userAgent: v.PANEL_USER_AGENT ?? 'VLC/3.0.18 LibVLC/3.0.18',
          neverExpires: (v.PANEL_NEVER_EXPIRES ?? '').split(',').filter(Boolean).map(Number),
        }
      : undefined,
    panelAllowPrivate: v.PANEL_ALLOW_PRIVATE === 'true',
    chat: {
      provider: v.CHAT_PROVIDER ?? 'off',
      websiteId: v.CHAT_WEBSITE_ID ?? '',
      url: (v.CHAT_URL ?? '').replace(/\/+$/, ''),
    },
    chatSecret: v.CHAT_SECRET,
    geoipDatabase: v.GEOIP_DATABASE,
    metricsToken: v.METRICS_TOKEN,
    production: v.NODE_ENV !== 'development',
    journalStream: v.JOURNAL_STREAM,
  }
}
