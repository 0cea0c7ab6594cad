import { describe, expect, test, vi } from 'vitest'
import { adminEndpointsIn, pagesFor } from './bundle.ts'
import { crowdedFolders } from './files.ts'
import { violationsOf } from './import-rules.ts'
import { importsOf } from './imports.ts'
import { shippedPackages } from './licenses.ts'
import { compareVersions, violationsOf as complaintsOfPackage, readFloors } from './lockfile.ts'
import { idiomsIn, pending, retired, retiredIdentifiersIn } from './retired-words.ts'
import { newerThanTv } from './tv-scripts.ts'

const violations = (from: string, text: string) => importsOf(from, text).flatMap(violationsOf)

describe('the import table rejects', () => {
  test.each([
    ['src/kit/money.ts', "import { plan } from '#features/catalog/contract.ts'", /kit has no product nouns/],
    [
      'src/features/billing/contract.ts',
      "import { db } from '#server/db/connect.ts'",
      /contract\.ts, rules\.ts and <noun>-headings\.ts are shared/,
    ],
    [
      'src/features/catalog/server/service.ts',
      "import * as billing from '#features/billing/server/service.ts'",
      /downward only/,
    ],
    [
      'src/features/billing/server/service.ts',
      "import { routes } from '#features/accounts/server/routes.ts'",
      /downward only/,
    ],
    ['src/features/billing/server/service.ts', "import { Card } from '#web/ui/card.tsx'", /downward only/],
    [
      'src/features/billing/web/pay-form.tsx',
      "import { PlanCard } from '#features/catalog/web/plans/plan-card.tsx'",
      /src\/web\/pages/,
    ],
    [
      'src/features/billing/web/pay-form.tsx',
      "const page = () => import('#features/billing/server/service.ts')",
      /exchanged with the server/,
    ],
    ['src/server/http/route.ts', "import type { User } from '#features/accounts/contract.ts'", /has no product nouns/],
    ['src/server/app.ts', "import { service } from '#features/accounts/server/service.ts'", /routes\.ts/],
    ['src/web/ui/card.tsx', "import { plan } from '#features/catalog/contract.ts'", /has no product nouns/],
    ['src/web/ui/card.tsx', "import { formatCents } from '../../kit/money.ts'", /write #kit\/money\.ts/],
    ['src/features/weather/server/service.ts', "import { line } from '#kit/text.ts'", /servicesBelow/],
    ['src/web/data.ts', "import { readFile } from 'node:fs/promises'", /only server\/ accesses/],
    ['src/features/billing/server/service.ts', "import { useState } from 'react'", /only web\/ renders/],
    ['src/features/billing/web/pay-dialog.tsx', "import { Dialog } from '@base-ui/react/dialog'", /src\/web\/ui/],
  ])('in %s: %s', (from, text, message) => {
    expect(violations(from, text)).toEqual([expect.stringMatching(message)])
  })
})

test('the import table accepts allowed imports', () => {
  const text = [
    "import { formatCents } from '#kit/money.ts'",
    "import {\n  type Plan,\n  plan,\n} from '#features/catalog/contract.ts'",
    "import * as accounts from '#features/accounts/server/service.ts'",
    "import * as own from './ledger.ts'",
    "import { users } from '#server/db/tables.ts'",
    "import { invoiceHeadings } from '../invoice-headings.ts'",
    "import { eq } from 'drizzle-orm'",
  ].join('\n')
  expect(importsOf('src/features/billing/server/service.ts', text).map((found) => found.to)).toEqual([
    'src/kit/money.ts',
    'src/features/catalog/contract.ts',
    'src/features/accounts/server/service.ts',
    'src/features/billing/server/ledger.ts',
    'src/server/db/tables.ts',
    'src/features/billing/invoice-headings.ts',
    undefined,
  ])
  expect(violations('src/features/billing/server/service.ts', text)).toEqual([])
})

describe('the lockfile check rejects', () => {
  const right = { name: 'hono', version: '4.13.19', integrity: 'sha512-abc' }
  test.each([
    ['a version below the minimum', { version: '4.13.4' }, /hono 4\.13\.4 is below 4\.13\.5/],
    ['a pre-release of the minimum version', { name: 'ws', version: '8.21.0-beta.1' }, /is below 8\.21\.0/],
    ['a banned package', { name: 'jsonwebtoken' }, /is banned/],
    ['a package whose name has a banned prefix', { name: 'react-server-dom-webpack' }, /is banned/],
    ['a package without its digest', { integrity: undefined }, /has no sha512/],
    ['a weak digest', { integrity: 'sha1-abc' }, /has no sha512/],
    ['a registry URL', { resolved: 'https://mirror.example/hono.tgz' }, /names an address/],
    ['an unlisted install script', { hasInstallScript: true }, /has an install script/],
  ])('%s', (_what, other, message) => {
    expect(complaintsOfPackage({ ...right, ...other } as never, readFloors())).toEqual([expect.stringMatching(message)])
  })

  test('accepts a valid package', () => {
    expect(complaintsOfPackage(right, readFloors())).toEqual([])
  })
})

test('versions are compared as numbers, a pre-release before its release', () => {
  expect(compareVersions('4.13.19', '4.13.5')).toBeGreaterThan(0)
  expect(compareVersions('4.9.0', '4.13.0')).toBeLessThan(0)
  expect(compareVersions('2.1.6', '2.1.6')).toBe(0)
  expect(compareVersions('2.1.6-rc.1', '2.1.6')).toBeLessThan(0)
})

test('the bundle check finds the pages that a route table shows to an audience', () => {
  const table = `
const home = page({ path: '/', who: 'anyone', page: lazyRouteComponent(() => import('./pages/home-page.tsx'), 'HomePage') })
const loose = lazyRouteComponent(() => import('#features/accounts/web/auth-page.tsx'), 'AuthPage')
const auth = page({ path: '/auth', who: 'guest', page: loose })
const till = page({ path: '/checkout', who: 'member', page: lazyRouteComponent(() => import('#features/billing/web/checkout/checkout-page.tsx'), 'CheckoutPage') })
const legal = (path) => page({ path, who: 'anyone', page: lazyRouteComponent(() => import('#features/settings/web/legal-page.tsx'), 'LegalPage') })`
  expect(pagesFor('anyone', table)).toEqual(['src/web/pages/home-page.tsx', 'src/features/settings/web/legal-page.tsx'])
})

test('the bundle check finds a page that loads the admin endpoints through another chunk', () => {
  const manifest = {
    'entry.tsx': { file: 'entry.js', isEntry: true },
    'home.tsx': { file: 'home.js', imports: ['entry.tsx'] },
    'list.tsx': { file: 'list.js', imports: ['_columns.js'] },
    '_columns.js': { file: 'columns.js', imports: ['_admin.js'] },
    '_admin.js': { file: 'admin.js', name: 'admin-endpoints' },
  }
  expect(adminEndpointsIn(manifest, 'entry.tsx', 'home.tsx')).toEqual([])
  expect(adminEndpointsIn(manifest, 'entry.tsx', 'list.tsx')).toEqual([expect.stringContaining('list.tsx loads')])
})

test('a folder with more than 30 files of its own is rejected, regardless of its subfolders', () => {
  const own = (count: number, folder: string) => Array.from({ length: count }, (_, i) => `${folder}/file-${i}.ts`)
  expect(crowdedFolders([...own(30, 'src/web/ui'), ...own(30, 'src/web/ui/table')])).toEqual([])
  expect(crowdedFolders(own(31, 'src/web/ui'))).toEqual([expect.stringContaining('src/web/ui has 31 files')])
})

test('shipped packages are those of the server and of the page bundle with their dependencies, without build tools', () => {
  const names = new Set(shippedPackages().map(({ name }) => name))
  for (const name of [
    'hono',
    'pg-types',
    'react',
    'scheduler',
    'lucide-react',
    '@floating-ui/dom',
    '@fontsource-variable/instrument-sans',
    'tailwindcss',
  ])
    expect(names, name).toContain(name)
  for (const name of ['vite', 'rolldown', '@tailwindcss/vite', 'vitest', '@types/react'])
    expect(names, name).not.toContain(name)
})

test('retired identifiers are found in code, not in comments, strings or longer names', () => {
  const text = "// calm\nconst calm = 'calm'\nconst calmer = 1\n"
  expect(retiredIdentifiersIn('a.ts', text)).toEqual([
    expect.stringMatching(/^a\.ts:2 calm is a retired identifier: use /),
  ])
})

test('retired identifiers are not found in JSX text', () => {
  expect(retiredIdentifiersIn('a.tsx', '<b>The code was given for another invoice.</b>')).toEqual([])
  expect(retiredIdentifiersIn('a.tsx', 'for (const given of list) use(given)')).toHaveLength(2)
})

test('idioms are reported with their line number', () => {
  expect(idiomsIn('a.ts', '\n// Whoever asks is told.')).toEqual([
    expect.stringMatching(/^a\.ts:2 "Whoever"/),
    expect.stringMatching(/^a\.ts:2 "is told"/),
  ])
})

test('no identifier is both retired and pending', () => {
  expect(Object.keys(pending).filter((name) => name in retired)).toEqual([])
})

test('the configuration of the browser tests, which knip reads, loads without a browser', async () => {
  vi.stubEnv('CHROMIUM_PATH', '')
  vi.stubEnv('PATH', '')
  const { default: config } = await import('../../playwright.config.ts')
  vi.unstubAllEnvs()
  expect(config.use?.launchOptions).not.toHaveProperty('executablePath')
})

describe('the check of the /tv scripts and styles', () => {
  test.each([
    ['a?.b', 'syntax that is newer than chrome79'],
    ['a ?? b', 'syntax that is newer than chrome79'],
    ['a ||= b', 'syntax that is newer than chrome79'],
    ['class A { #b() {} }', 'syntax that is newer than chrome79'],
    ['class A { static { b() } }', 'syntax that is newer than chrome79'],
    ['await a', 'await outside of functions'],
    ['for await (const b of a) b()', 'await outside of functions'],
    ['a.at(-1)', '.at('],
    ['a.replaceAll("b", "")', '.replaceAll('],
    ['Object.hasOwn(a, "b")', 'Object.hasOwn'],
    ['crypto.randomUUID()', 'randomUUID('],
    ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
  ])('rejects %s', async (code, found) => {
    expect((await newerThanTv(code)).join()).toContain(found)
  })

  test.each([
    ['@layer base{a{top:0}}', '@layer'],
    ['a:is(b,c){top:0}', ':is'],
    ['a{top:0;inset:0}', 'inset:'],
    ['a{padding-block:1em}', 'padding-block:'],
    ['a{color:oklch(.7 .2 40)}', 'oklch('],
  ])('rejects the style %s', async (sheet, found) => {
    expect((await newerThanTv(sheet, true)).join()).toContain(found)
  })

  test('accepts newer styles in an @supports condition, and styles that Chromium 79 supports', async () => {
    const sheet = '@supports not (inset:0){.a>*{margin:0 1em}}.a{display:grid;place-items:center;width:min(100%,17em)}'
    expect(await newerThanTv(sheet, true)).toEqual([])
  })

  test('accepts what Chromium 79 supports', async () => {
    const code = `import { a } from './a.js'
const load = async () => { for await (const b of a) await b() }
class C { f() { try { return this.d } catch { return 10n } } }
export const g = { ...a, h: (i = 1) => i ** 2, j: () => import('./b.js').catch(() => null), load, C }`
    expect(await newerThanTv(code)).toEqual([])
  })
})
