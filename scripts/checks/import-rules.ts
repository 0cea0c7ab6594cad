import type { Check } from './check.ts'
import { type Import, sourceImports } from './imports.ts'

/** The features whose services a feature may call. The graph has no cycles, so that locks are always taken in the same order. */
const servicesBelow: Record<string, string[]> = {
  settings: [],
  images: [],
  brand: ['catalog', 'images', 'settings'],
  audit: [],
  iptv: [],
  catalog: ['images', 'iptv', 'settings'],
  referrals: ['catalog', 'settings'],
  accounts: ['referrals', 'catalog', 'settings'],
  provisioning: ['iptv', 'settings'],
  subscriptions: ['provisioning', 'accounts', 'catalog', 'settings'],
  billing: ['subscriptions', 'referrals', 'accounts', 'catalog', 'images', 'settings'],
  receipts: ['payments', 'billing', 'tickets', 'settings', 'accounts', 'two-factor'],
  payments: ['billing', 'subscriptions', 'referrals', 'accounts', 'two-factor', 'catalog', 'settings'],
  trials: ['provisioning', 'subscriptions', 'accounts', 'catalog', 'settings'],
  reports: ['accounts', 'catalog', 'settings'],
  announcements: ['mails', 'accounts', 'catalog', 'settings'],
  incidents: ['reports', 'subscriptions', 'accounts', 'catalog', 'settings'],
  visitors: ['accounts', 'catalog', 'settings'],
  guide: ['catalog', 'iptv', 'settings'],
  watch: ['guide', 'catalog', 'visitors', 'provisioning', 'iptv', 'settings'],
  devices: ['watch', 'guide', 'catalog', 'visitors', 'provisioning', 'iptv', 'accounts', 'settings'],
  'self-check': ['watch', 'reports', 'visitors', 'provisioning', 'iptv', 'catalog', 'settings'],
  'watch-progress': ['watch', 'guide', 'catalog', 'visitors', 'provisioning', 'iptv', 'settings'],
  watchlist: ['accounts', 'catalog', 'settings'],
  inquiries: ['accounts', 'catalog', 'settings'],
  tickets: ['inquiries', 'reports', 'images', 'accounts', 'settings'],
  sessions: ['accounts', 'settings'],
  'two-factor': ['accounts', 'settings'],
  passkeys: ['two-factor', 'accounts', 'settings'],
  impersonation: ['accounts', 'settings'],
  chat: ['settings'],
  mails: ['billing', 'accounts', 'settings'],
  installation: ['provisioning', 'settings'],
  'saved-views': [],
  staff: ['accounts'],
  webhooks: [],
  'api-keys': ['two-factor', 'accounts'],
  desk: ['mails', 'billing', 'accounts', 'payments', 'settings'],
  imports: ['subscriptions', 'provisioning', 'referrals', 'accounts', 'settings'],
  insight: [],
  customers: ['mails', 'billing', 'subscriptions', 'referrals', 'accounts', 'catalog', 'settings'],
}

const contract = /^src\/features\/[^/]+\/(admin-([\w-]+-)?)?contract\.ts$/
const rules = /^src\/features\/[^/]+\/([\w-]+-)?rules\.ts$/
const headings = /^src\/features\/[^/]+\/[\w-]+-headings\.ts$/
const sharedFiles = [/^src\/kit\//, contract, rules, headings]
const serverFiles = /^src\/server\//
const uiAndData = [/^src\/web\/(ui|brand)\//, /^src\/web\/(data|live|pages-of)\.ts$/]

type Rule = { files: RegExp; may: (to: string, from: string) => boolean; hint: string }
const any = (to: string, patterns: RegExp[]) => patterns.some((pattern) => pattern.test(to))
const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]

/** The first rule whose `files` match decides what a file may import. Exceptions are separate rules before the general ones. */
const importTable: Rule[] = [
  {
    files: /^src\/(main|serve|cli|cli-\w+|all-jobs|all-invariants)\.ts$/,
    may: (to) =>
      any(to, [
        ...sharedFiles,
        serverFiles,
        /^src\/(serve|cli-\w+|all-jobs|all-invariants)\.ts$/,
        /^src\/features\/[^/]+\/server\//,
      ]),
    hint: 'only these files compose the server parts',
  },
  {
    files: /^src\/server\/app\.ts$/,
    may: (to) => any(to, [...sharedFiles, serverFiles, /^src\/features\/[^/]+\/server\/routes\.ts$/]),
    hint: 'app.ts imports only the routes.ts of features; put anything else behind a route or into serve.ts',
  },
  {
    files: /^src\/server\/mail\/enqueue-mail\.ts$/,
    may: (to) => any(to, [...sharedFiles, serverFiles, /^src\/features\/mails\/server\/templates\.ts$/]),
    hint: 'the outbox imports only the list of templates from the mails feature',
  },
  {
    files: /^src\/server\/audit\.ts$/,
    may: (to) => any(to, [...sharedFiles, serverFiles]),
    hint: 'the audit log imports only the action names from the audit feature’s rules.ts',
  },
  {
    files: /^src\/server\/queue-notice\.ts$/,
    may: (to) => any(to, [...sharedFiles, serverFiles]),
    hint: 'the queue of notices imports only the kinds from the webhooks feature’s rules.ts',
  },
  {
    files: /^src\/server\/db\/(seed\.ts|sample\/)/,
    may: (to) => any(to, [...sharedFiles, serverFiles]),
    hint: 'sample data follows contracts and rules; rows are written with the tables, not through services',
  },
  {
    files: /^src\/kit\//,
    may: (to) => to.startsWith('src/kit/'),
    hint: 'kit has no product nouns: move code about a noun into that feature’s rules.ts',
  },
  {
    files: /^src\/features\/[^/]+\/[^/]+\.tsx?$/,
    may: (to) => any(to, sharedFiles),
    hint: 'contract.ts, rules.ts and <noun>-headings.ts are shared by server and pages: put side effects into server/service.ts and components into web/',
  },
  {
    files: /^src\/features\/[^/]+\/server\//,
    may: (to, from) => any(to, [...sharedFiles, serverFiles]) || (/\/server\//.test(to) && mayCall(from, to)),
    hint: 'a service calls other services downward only (servicesBelow in scripts/checks/import-rules.ts): let the upper feature call the lower one, or share the decision in rules.ts',
  },
  {
    files: /^src\/features\/[^/]+\/web\//,
    may: (to, from) => any(to, [...sharedFiles, ...uiAndData]) || to.startsWith(`src/features/${featureOf(from)}/web/`),
    hint: 'a component in a feature concerns only that feature: put components about several features into src/web/pages, components about none into src/web/ui, and data exchanged with the server into contract.ts',
  },
  {
    files: serverFiles,
    may: (to) => any(to, [/^src\/kit\//, serverFiles]),
    hint: 'src/server has no product nouns: move it into features/<noun>/server, or pass it as a parameter from app.ts or serve.ts',
  },
  {
    files: /^src\/web\/(ui|brand)\//,
    may: (to) => any(to, [/^src\/kit\//, /^src\/web\/(ui|brand)\//]),
    hint: 'web/ui has no product nouns: components about a noun go into features/<noun>/web',
  },
  {
    files: /^src\/web\/shell\//,
    may: (to) => any(to, [...sharedFiles, ...uiAndData, /^src\/web\/(shell\/|styles\/|public-paths\.ts)/]),
    hint: 'the shell is part of every page’s initial download: import it in a page instead',
  },
  {
    files: /^src\/web\//,
    may: (to) => any(to, [...sharedFiles, /^src\/web\//, /^src\/features\/[^/]+\/web\//]),
    hint: 'pages never import server code: declare an endpoint in a contract.ts and call it with query()',
  },
]

function mayCall(from: string, to: string): boolean {
  const [caller, called] = [featureOf(from), featureOf(to)]
  if (caller === called) return true
  return (
    Boolean(caller && called && servicesBelow[caller]?.includes(called)) &&
    !/\/server\/(routes|jobs|mail|live)\.ts$/.test(to)
  )
}

/** Packages that only some files may import. */
const packages: { name: RegExp; only: RegExp; hint: string }[] = [
  {
    name: /^@base-ui\//,
    only: /^src\/web\/ui\//,
    hint: 'wrap it in src/web/ui, so that it is styled and tested once',
  },
  {
    name: /^(react|react-dom|@tanstack\/.*|lucide-react|@hookform\/.*|react-hook-form|uqr|clsx|@simplewebauthn\/browser)(\/|$)/,
    only: /^src\/(web|features\/[^/]+\/web)\//,
    hint: 'only web/ renders; decide in rules.ts what it should show',
  },
  {
    name: /^(node:|pg$|pg-boss$|pg-copy-streams$|htmlparser2$|pdfkit$|nodemailer$|hono|@hono\/|drizzle-orm|pino$|ws$|prom-client$|@node-rs\/|otpauth$|@simplewebauthn\/server$|vite$)/,
    only: /^src\/((main|serve|cli|cli-\w+)\.ts|server\/|features\/[^/]+\/server\/)/,
    hint: 'only server/ accesses files, network and database; return the result through a contract',
  },
]

export const importCheck: Check = {
  name: 'every import follows the import table',
  run: () => sourceImports().flatMap((found) => violationsOf(found)),
}

/** Returns the rules that an import violates. */
export function violationsOf(found: Import): string[] {
  const at = `${found.from}:${found.line} imports ${found.specifier}`
  if (!found.to)
    return packages
      .filter((p) => p.name.test(found.specifier) && !p.only.test(found.from) && !found.typeOnly)
      .map((p) => `${at}: ${p.hint}`)
  const leavesArea = found.specifier.startsWith('..') && areaOf(found.from) !== areaOf(found.to)
  if (leavesArea)
    return [`${at}: write #${found.to.slice('src/'.length)}, relative paths stay within one feature or folder`]
  const feature = featureOf(found.from)
  if (feature && !servicesBelow[feature])
    return [
      `${found.from}: the feature ${feature} is not in servicesBelow (scripts/checks/import-rules.ts); add the features it may call`,
    ]
  const rule = importTable.find((entry) => entry.files.test(found.from))
  if (!rule) return [`${found.from} matches no rule of the import table (docs/architecture.md)`]
  return rule.may(found.to, found.from) ? [] : [`${at}: ${rule.hint}`]
}

const areaOf = (file: string): string => /^src\/(features\/[^/]+|[^/]+)/.exec(file)?.[0] ?? ''
