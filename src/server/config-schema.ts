import * as z from 'zod/mini'
import { readSender, readSmtpUrl } from './mail/smtp-address.ts'

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
const nonEmpty = (what: string) => z.string().check(z.minLength(1, `must be ${what}`))
const isBareAddress = (value: string) => {
  const url = URL.parse(value)
  return url === null || url.username + url.password + url.search + url.hash === ''
}
const postgresUrl = z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))
const factor = 'must be a number above 0, up to 1000000'
/** The schema of the settings, which are environment variables. */
export const schema = z.object({
  PORT: optional(integer(0, 65535)),
  HOST: optional(nonEmpty('an address of this machine')),
  PROCESSES: optional(z.string().check(z.regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or 1 to 64'))),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })),
  DATABASE_URL: optional(postgresUrl),
  DATABASE_DIRECT_URL: optional(postgresUrl),
  DATABASE_OWNER_URL: optional(postgresUrl),
  DATABASE_REPLICA_URL: optional(postgresUrl),
  DATA_DIR: optional(nonEmpty('a folder')),
  ADMIN_USERNAME: optional(
    z.string().check(z.regex(/^[A-Za-z0-9_.-]{3,32}$/, 'must be 3 to 32 letters, digits, dots, dashes or underscores')),
  ),
  ADMIN_EMAIL: optional(z.email('must be an email address')),
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
      .check(z.refine((value) => readSender(value) !== null, 'must be an email address, or a name and <an address>')),
  ),
  PANEL_URL: optional(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .check(z.refine(isBareAddress, 'must not contain a username, a password, a query or a fragment')),
  ),
  PANEL_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  SMTP_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  MAILBOX_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  BTCPAY_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  WEBHOOKS_ALLOW_PRIVATE: optional(oneOf(['true', 'false'])),
  TELEGRAM_URL: optional(
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .check(z.refine(isBareAddress, 'must not contain a username, a password, a query or a fragment')),
  ),
  PANEL_USER_AGENT: optional(z.string().check(z.regex(/^[\x20-\x7e]{1,200}$/, 'must be one line of ASCII text'))),
  PANEL_NEVER_EXPIRES: optional(
    z.string().check(z.regex(/^\d+(,\d+)*$/, 'must be times in Unix seconds, separated by commas')),
  ),
  CHAT_PROVIDER: optional(oneOf(['off', 'crisp', 'chatwoot'])),
  CHAT_WEBSITE_ID: optional(z.string()),
  CHAT_URL: optional(z.string()),
  CHAT_SECRET: optional(z.string().check(z.minLength(10, 'must be the key the chat provider shows'))),
  GEOIP_DATABASE: optional(z.string().check(z.endsWith('.mmdb', 'must name an .mmdb file'))),
  METRICS_TOKEN: optional(
    z.string().check(z.regex(/^[\x21-\x7e]{16,200}$/, 'must be at least 16 printable ASCII characters without spaces')),
  ),
  STREAM_URL: optional(
    z
      .string()
      .check(z.refine((value) => readOrigins(value) !== null, 'must be http or https origins, separated by commas')),
  ),
  STREAM_OFFLOAD: optional(oneOf(['off', 'nginx'])),
  STREAM_HOSTS: optional(
    z.string().check(z.refine((value) => readHosts(value) !== null, 'must be host names, separated by commas')),
  ),
  STREAM_MOST: optional(integer(1, 10_000)),
  STREAM_MEMORY: optional(integer(12, 100_000)),
  NODE_ENV: optional(z.string()),
  JOURNAL_STREAM: optional(z.string()),
})

/** Returns the origins in a string such as `https://s1.tv.example,https://s2.tv.example`; null if a part of it is not an origin. */
export function readOrigins(text: string): string[] | null {
  const urls = text.split(',').map((part) => URL.parse(part.trim()))
  return urls.every((url) => url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href)
    ? urls.map((url) => url!.origin)
    : null
}

/** Returns the hosts in a string such as `cdn.example,*.edge.example`, in lower case; null if a part of it is not a host name or an IPv4 address. */
export function readHosts(text: string): string[] | null {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase())
  return hosts.every((host) => /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host)) ? hosts : null
}

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.shape)
