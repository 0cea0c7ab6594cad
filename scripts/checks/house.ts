import type { Check } from './check.ts'
import { type Import, sourceImports } from './imports.ts'

/** Whose services a room may call: downward only, so that money never waits on a room that waits on money. */
const servicesBelow: Record<string, string[]> = {
  settings: [],
  audit: [],
  iptv: [],
  catalog: ['iptv', 'settings'],
  referrals: ['catalog', 'settings'],
  accounts: ['referrals', 'catalog', 'settings'],
  provisioning: ['iptv', 'settings'],
  subscriptions: ['provisioning', 'accounts', 'catalog', 'settings'],
  billing: ['subscriptions', 'referrals', 'accounts', 'catalog', 'settings'],
  trials: ['provisioning', 'subscriptions', 'accounts', 'catalog', 'settings'],
  reports: ['accounts', 'catalog', 'settings'],
  visitors: ['accounts', 'catalog', 'settings'],
  watchlist: ['accounts', 'catalog', 'settings'],
  inquiries: ['accounts', 'catalog', 'settings'],
  sessions: ['accounts', 'settings'],
  'two-factor': ['accounts', 'settings'],
  passkeys: ['two-factor', 'accounts', 'settings'],
  impersonation: ['accounts', 'settings'],
  chat: ['settings'],
  mails: ['billing', 'accounts', 'settings'],
  installation: ['provisioning', 'settings'],
  customers: ['billing', 'subscriptions', 'referrals', 'accounts', 'catalog', 'settings'],
}

const contract = /^src\/features\/[^/]+\/(admin-)?contract\.ts$/
const rules = /^src\/features\/[^/]+\/rules\.ts$/
const said = [/^src\/kit\//, contract, rules]
const ground = /^src\/server\//
const uiAndData = [/^src\/web\/(ui|brand)\//, /^src\/web\/(data|live)\.ts$/]

type Row = { files: RegExp; may: (to: string, from: string) => boolean; teach: string }
const any = (to: string, patterns: RegExp[]) => patterns.some((pattern) => pattern.test(to))
const roomOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]

/** The house: the first row whose `files` match says what a file may import. Exceptions are rows of their own. */
const table: Row[] = [
  {
    files: /^src\/(main|serve|cli|every-job|all-invariants)\.ts$/,
    may: (to) =>
      any(to, [...said, ground, /^src\/(serve|every-job|all-invariants)\.ts$/, /^src\/features\/[^/]+\/server\//]),
    teach: 'the process puts server parts together; pages reach it through server/ssr.ts only',
  },
  {
    files: /^src\/server\/app\.ts$/,
    may: (to) => any(to, [...said, ground, /^src\/features\/[^/]+\/server\/routes\.ts$/]),
    teach: 'the app knows the rooms by their routes.ts; anything else belongs behind a route or into serve.ts',
  },
  {
    files: /^src\/server\/mail\/enqueue-mail\.ts$/,
    may: (to) => any(to, [...said, ground, /^src\/features\/mails\/server\/templates\.ts$/]),
    teach: 'the outbox takes the mails that the mails room can write, and knows nothing else of it',
  },
  {
    files: /^src\/server\/audit\.ts$/,
    may: (to) => any(to, [...said, ground]),
    teach:
      'what is written down has a name in the audit room’s rules.ts, and the ground floor knows nothing else of it',
  },
  {
    files: /^src\/server\/db\/(seed\.ts|sample\/)/,
    may: (to) => any(to, [...said, ground]),
    teach: 'sample data follows contracts and rules; rows are written with the tables, not through services',
  },
  {
    files: /^src\/kit\//,
    may: (to) => to.startsWith('src/kit/'),
    teach: 'kit has no product in it: move what needs a noun into that noun’s rules.ts',
  },
  {
    files: /^src\/features\/[^/]+\/[^/]+\.tsx?$/,
    may: (to) => any(to, said),
    teach:
      'contract.ts and rules.ts say and decide, on both sides of the wire: what touches the world goes into server/service.ts, what is shown into web/',
  },
  {
    files: /^src\/features\/[^/]+\/server\//,
    may: (to, from) => any(to, [...said, ground]) || (/\/server\//.test(to) && mayCall(from, to)),
    teach:
      'a service calls other services downward only (servicesBelow in scripts/checks/house.ts): let the upper room call the lower one, or share a decision through rules.ts',
  },
  {
    files: /^src\/features\/[^/]+\/web\//,
    may: (to, from) => any(to, [...said, ...uiAndData]) || to.startsWith(`src/features/${roomOf(from)}/web/`),
    teach:
      'a room shows its own noun: what shows several goes into src/web/pages, what shows none into src/web/ui, what is said on the wire into contract.ts',
  },
  {
    files: ground,
    may: (to) => any(to, [/^src\/kit\//, ground]),
    teach:
      'the ground floor knows no nouns: move it into features/<noun>/server, or hand it in as a parameter from app.ts or serve.ts',
  },
  {
    files: /^src\/web\/(ui|brand)\//,
    may: (to) => any(to, [/^src\/kit\//, /^src\/web\/(ui|brand)\//]),
    teach: 'web/ui has no noun in it: what shows one goes into features/<noun>/web',
  },
  {
    files: /^src\/web\/shell\//,
    may: (to) => any(to, [...said, ...uiAndData, /^src\/web\/(shell\/|styles\/|public-paths\.ts)/]),
    teach: 'the shell is on every page and lands in the first download: let a page bring it in',
  },
  {
    files: /^src\/web\//,
    may: (to) => any(to, [...said, /^src\/web\//, /^src\/features\/[^/]+\/web\//]),
    teach: 'pages never reach into a server wing: say it in a contract.ts and ask for it with query()',
  },
]

function mayCall(from: string, to: string): boolean {
  const [caller, called] = [roomOf(from), roomOf(to)]
  if (caller === called) return true
  return (
    Boolean(caller && called && servicesBelow[caller]?.includes(called)) &&
    !/\/server\/(routes|jobs|mail|live)\.ts$/.test(to)
  )
}

/** Packages that belong to one floor. `only` names who may import them. */
const packages: { name: RegExp; only: RegExp; teach: string }[] = [
  {
    name: /^@base-ui\//,
    only: /^src\/web\/ui\//,
    teach: 'wrap it in src/web/ui, so that it is styled and tested once',
  },
  {
    name: /^(react|react-dom|@tanstack\/.*|lucide-react|@hookform\/.*|react-hook-form|uqr|clsx|@simplewebauthn\/browser)(\/|$)/,
    only: /^src\/(web|features\/[^/]+\/web)\//,
    teach: 'only web/ shows things; decide in rules.ts what it should show',
  },
  {
    name: /^(node:|pg$|pg-boss$|pdfkit$|nodemailer$|hono|@hono\/|drizzle-orm|pino$|ws$|prom-client$|@node-rs\/|rate-limiter-flexible$|otpauth$|@simplewebauthn\/server$|vite$)/,
    only: /^src\/((main|serve|cli)\.ts|server\/|features\/[^/]+\/server\/)/,
    teach: 'only server/ touches the world; hand over what it found through a contract',
  },
]

export const houseCheck: Check = {
  name: 'every import keeps to the house table',
  run: () => sourceImports().flatMap((found) => complaintsOf(found)),
}

/** What one import breaks. */
export function complaintsOf(found: Import): string[] {
  const at = `${found.from}:${found.line} imports ${found.specifier}`
  if (!found.to)
    return packages
      .filter((p) => p.name.test(found.specifier) && !p.only.test(found.from) && !found.typeOnly)
      .map((p) => `${at}: ${p.teach}`)
  const leavesRoom = found.specifier.startsWith('..') && roomRoot(found.from) !== roomRoot(found.to)
  if (leavesRoom) return [`${at}: write #${found.to.slice('src/'.length)}, relative paths stay within one room`]
  const room = roomOf(found.from)
  if (room && !servicesBelow[room])
    return [
      `${found.from}: the room ${room} is not in servicesBelow (scripts/checks/house.ts); say there what it may call`,
    ]
  const row = table.find((entry) => entry.files.test(found.from))
  if (!row) return [`${found.from} stands in no room of the house (docs/architecture.md)`]
  return row.may(found.to, found.from) ? [] : [`${at}: ${row.teach}`]
}

const roomRoot = (file: string): string => /^src\/(features\/[^/]+|[^/]+)/.exec(file)?.[0] ?? ''

export const cycleCheck: Check = {
  name: 'no imports go round in a circle',
  run: () => {
    const graph = Map.groupBy(
      sourceImports().filter((found) => found.to && !found.typeOnly),
      (found) => found.from,
    )
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (file: string, path: string[]) => {
      const start = path.indexOf(file)
      if (start >= 0)
        circles.push(`${[...path.slice(start), file].join(' -> ')}: move what both need into a third file`)
      if (start >= 0 || done.has(file)) return
      for (const next of graph.get(file) ?? []) walk(next.to!, [...path, file])
      done.add(file)
    }
    for (const file of graph.keys()) walk(file, [])
    return circles
  },
}
