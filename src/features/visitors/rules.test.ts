import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { foldSightings, isCrawler, pageName, type Sighting } from './rules.ts'

let serial = 0
const about = (path: string) => ({ username: null, ip: '198.51.100.7', userAgent: 'Firefox', path })
const open = (overrides: Partial<Sighting> = {}, path = '/'): Sighting => ({
  who: `who-${serial++}`,
  trace: `trace-${serial}`,
  isOpen: true,
  ageMs: 1_000,
  about: about(path),
  ...overrides,
})
const request = (overrides: Partial<Sighting> = {}, path = '/'): Sighting => open({ isOpen: false, ...overrides }, path)
const paths = (records: Sighting[]) => records.map((each) => each.about?.path)

describe('the visitors of several processes', () => {
  test('are counted by browser: all its tabs are one visitor, on the page that was used last', () => {
    const tabs = [
      open({ who: 'a', ageMs: 9_000 }, '/faq'),
      open({ who: 'a', ageMs: 2_000 }, '/pricing'),
      open({ who: 'a', ageMs: 5_000 }, '/'),
    ]
    expect(paths(foldSightings(tabs, []))).toEqual(['/pricing'])
  })
  test('have the path of a tab that reported one, even if another tab without a path was used later', () => {
    expect(
      paths(foldSightings([open({ who: 'a', ageMs: 10 }, '/ws'), open({ who: 'a', ageMs: 60_000 }, '/setup')], [])),
    ).toEqual(['/setup'])
    expect(paths(foldSightings([open({ who: 'a' }, '/ws')], []))).toEqual(['/ws'])
  })
  test('are sorted with the latest first', () => {
    expect(
      paths(foldSightings([open({ ageMs: 30 }, '/b'), open({ ageMs: 10 }, '/a'), request({ ageMs: 20 }, '/c')], [])),
    ).toEqual(['/a', '/c', '/b'])
  })
  test('are counted for five minutes after a request', () => {
    expect(foldSightings([request({ ageMs: 299_000 }), request({ ageMs: 301_000 })], [])).toHaveLength(1)
  })
  test('are not counted again for a page request while the same browser has a connection, even to another process', () => {
    expect(
      paths(
        foldSightings([request({ trace: 't', ageMs: 10 }, '/faq'), open({ trace: 't', ageMs: 900 }, '/pricing')], []),
      ),
    ).toEqual(['/pricing'])
  })
  test('are not counted for a page request from before their connection closed, but for a later one', () => {
    const left = [
      { trace: 't', ageMs: 90_000 },
      { trace: 't', ageMs: 20_000 },
    ]
    expect(foldSightings([request({ trace: 't', ageMs: 21_000 })], left)).toEqual([])
    expect(foldSightings([request({ trace: 't', ageMs: 19_000 })], left)).toHaveLength(1)
  })
  test('are counted even without details', () => {
    const { about: _, ...unnamed } = open()
    expect(foldSightings([open(), unnamed], [])).toHaveLength(2)
  })
})

test('crawlers and monitors are distinguished from browsers', () => {
  for (const machine of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Slurp',
    'facebookexternalhit/1.1',
    'Twitterbot/1.0',
    'kube-probe/1.31',
  ])
    expect([machine, isCrawler(machine)]).toEqual([machine, true])
  for (const person of [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'curl/8.5.0',
    '',
    'Mozilla/5.0 (Linux; Android 12; CUBOT P50)',
  ])
    expect([person, isCrawler(person)]).toEqual([person, false])
})

describe('the name of a page', () => {
  test.each([
    ['/', 'Home Page'],
    ['/ws', 'WebSocket Connection'],
    ['/pricing/', 'Pricing'],
    ['/request-trial', 'Free Trial'],
    ['/dashboard', 'My Account'],
    ['/invoice/ORD-AB12CD', 'Invoice ORD-AB12CD'],
    ['/invoices/ORD-AB12CD', 'Invoice ORD-AB12CD'],
    ['/admin/mail-log', 'Admin: Mail Log'],
    ['/wp-admin/setup_config.php', 'Wp Admin / Setup Config.php'],
    ['/caf%C3%A9', 'Café'],
    ['/100%', '100%'],
    ['/constructor', 'Constructor'],
    ['//', '//'],
    ['', ''],
  ])('%s is %s', (path, name) => expect(pageName(path)).toBe(name))

  test('is different for every route', () => {
    const table = ['router', 'account-routes', 'invoice-routes', 'admin-routes']
      .map((name) => readFileSync(new URL(`../../web/${name}.tsx`, import.meta.url), 'utf8'))
      .join('')
    const routes = Array.from(table.matchAll(/\bpath: '([^'$]+)'/g), ([, path]) => path!)
    const names = routes.map(pageName)
    expect(names.length).toBeGreaterThan(14)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name.includes('/'))).toEqual([])
  })
})
