import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { closestName } from './closest-name.ts'
import { readHosts, readOrigins, schema, settingNames } from './config-schema.ts'
import { readSender, readSmtpUrl, type SmtpConfig } from './mail/smtp-address.ts'

export { settingNames }

/** The IPTV panel whose Xtream-compatible API is used to validate customers' lines. */
export type PanelConfig = {
  url: string
  /** Whether the panel may have a private address. */
  allowPrivate: boolean
  userAgent: string
  /** Expiry dates (Unix seconds) that mean "never" on this panel. */
  neverExpires: number[]
}

export type Config = {
  port: number
  host: string
  /** How many server processes share the port. */
  processes: number
  publicUrl: string
  /** Whether PUBLIC_URL is set. If not, the names of this machine are accepted as hosts. */
  hasPublicUrl: boolean
  secureCookies: boolean
  /** The Strict-Transport-Security policy if `publicUrl` is https. */
  hsts: 'off' | 'on' | 'subdomains' | 'preload'
  databaseUrl: string | undefined
  /** The URL of the database server itself, if `databaseUrl` is that of a pooler in transaction mode. */
  databaseDirectUrl: string | undefined
  /** The URL of the same database for the role that owns the tables, for migrations, backups and restores. */
  databaseOwnerUrl: string | undefined
  /** The URL of a read replica, for lists. */
  databaseReplicaUrl: string | undefined
  dataDir: string
  firstAdmin: { username: string; email: string; password: string | undefined }
  secretKey: string | undefined
  /** Further keys, used for decryption only. */
  otherKeys: string[]
  rateLimitFactor: number
  trustProxy: number
  logLevel: string
  seed: 'sample' | 'empty'
  selfApproval: 'allow' | 'deny'
  /** Takes precedence over the mail server in the settings. */
  smtp: SmtpConfig | undefined
  panel: PanelConfig | undefined
  /** Whether the panel on which lines are provisioned may have a private address. */
  panelAllowPrivate: boolean
  /** Whether the mail server in the settings may have a private address. */
  mailServerAllowPrivate: boolean
  /** Whether the server of the payment mailbox may have a private address. */
  mailboxAllowPrivate: boolean
  /** Whether BTCPay Server may have a private address, and a URL without TLS. */
  btcpayAllowPrivate: boolean
  /** Whether webhooks may have private addresses, and URLs without TLS. */
  webhooksAllowPrivate: boolean
  /** The Bot API server that Telegram webhooks use. */
  telegramUrl: string
  /** The default until an administrator changes it in the settings. */
  chat: { provider: 'off' | 'crisp' | 'chatwoot'; websiteId: string; url: string }
  /** Signs the customer's identity for the chat provider. */
  chatSecret: string | undefined
  /** The path of a file in MaxMind's format that maps IP addresses to countries. */
  geoipDatabase: string | undefined
  /** The bearer token for `/metrics`. Without it, only this machine may read the metrics. */
  metricsToken: string | undefined
  /** The origins that serve streams to the player; empty if the site itself does. */
  streamUrls: string[]
  /** Whether nginx in front of the app fetches segments from the panel itself. */
  streamOffload: 'off' | 'nginx'
  /**
   * The only hosts besides the panel that streams may come from; `*.cdn.example` matches all hosts below `cdn.example`. Empty if streams may come from any
   * public host.
   */
  streamHosts: string[]
  /** How many stream requests a process serves at the same time. */
  streamMost: number
  /** How much memory a process may use for streams that it cuts into segments, in bytes. */
  streamMemory: number
  production: boolean
  /** `device:inode` of the journal socket that systemd connects to standard output. */
  journalStream: string | undefined
}

/** Environment variables of other programs whose names resemble our settings. */
const foreignSettings = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE']

/** Returns a warning for each environment variable that is probably a mistyped setting. */
export function settingWarnings(env: Record<string, string | undefined> = process.env): string[] {
  const known = settingNames
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !foreignSettings.includes(name))
    .flatMap((name) => {
      const closest = closestName(name, known)
      return closest && env[closest] === undefined
        ? [`${name} is not a setting and has no effect. Did you mean ${closest}?`]
        : []
    })
}

/** Reads the settings from the environment. No other code does. An empty value counts as not set. Throws one error that lists all problems. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(values)
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `  ${i.path.join('.')} ${i.message}`)
  if (values.SMTP_URL && !values.MAIL_FROM)
    problems.push('  MAIL_FROM must be set with SMTP_URL: the sender address of all emails')
  if (values.PUBLIC_URL?.startsWith('https:') && !(Number(values.TRUST_PROXY ?? 0) > 0))
    problems.push(
      '  TRUST_PROXY must be 1 or more with an https PUBLIC_URL: https needs a proxy in front of the app, and without TRUST_PROXY all visitors share the IP address and rate limits of the proxy',
    )
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'])
    if (values[name] && !values.DATABASE_URL) problems.push(`  ${name} requires DATABASE_URL, which is not set`)
  if (!parsed.success || problems.length > 0) throw new Error(`Invalid settings:\n${problems.join('\n')}`)
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
          // Many panels reject unknown players.
          userAgent: v.PANEL_USER_AGENT ?? 'VLC/3.0.18 LibVLC/3.0.18',
          neverExpires: (v.PANEL_NEVER_EXPIRES ?? '').split(',').filter(Boolean).map(Number),
        }
      : undefined,
    panelAllowPrivate: v.PANEL_ALLOW_PRIVATE === 'true',
    mailServerAllowPrivate: v.SMTP_ALLOW_PRIVATE === 'true',
    mailboxAllowPrivate: v.MAILBOX_ALLOW_PRIVATE === 'true',
    btcpayAllowPrivate: v.BTCPAY_ALLOW_PRIVATE === 'true',
    webhooksAllowPrivate: v.WEBHOOKS_ALLOW_PRIVATE === 'true',
    telegramUrl: (v.TELEGRAM_URL ?? 'https://api.telegram.org').replace(/\/+$/, ''),
    chat: {
      provider: v.CHAT_PROVIDER ?? 'off',
      websiteId: v.CHAT_WEBSITE_ID ?? '',
      url: (v.CHAT_URL ?? '').replace(/\/+$/, ''),
    },
    chatSecret: v.CHAT_SECRET,
    geoipDatabase: v.GEOIP_DATABASE,
    metricsToken: v.METRICS_TOKEN,
    streamUrls: v.STREAM_URL ? readOrigins(v.STREAM_URL)! : [],
    streamOffload: v.STREAM_OFFLOAD ?? 'off',
    streamHosts: v.STREAM_HOSTS ? readHosts(v.STREAM_HOSTS)! : [],
    streamMost: v.STREAM_MOST ?? 400,
    streamMemory: (v.STREAM_MEMORY ?? 600) * 1024 * 1024,
    production: v.NODE_ENV !== 'development',
    journalStream: v.JOURNAL_STREAM,
  }
}
