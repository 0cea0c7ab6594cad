import { expect, test } from 'vitest'
import { pagePolicy, scriptHash, setCommonHeaders } from './headers.ts'

const site = { publicUrl: 'https://tv.example', streamUrls: [] }
const directivesOf = (policy: string) =>
  new Map(policy.split('; ').map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1)]))

test('a page may run scripts from files of this site and inline scripts with a listed hash, and must not be framed', () => {
  const hash = scriptHash('start()')
  const policy = directivesOf(pagePolicy(site, [hash]))
  expect(policy.get('script-src')).toEqual(["'self'", `'${hash}'`])
  expect(policy.get('style-src')).toEqual(["'self'"])
  expect(policy.get('connect-src')).toEqual(["'self'", 'wss://tv.example'])
  for (const directive of ['default-src', 'base-uri', 'frame-ancestors', 'object-src'])
    expect(policy.get(directive), directive).toEqual(["'none'"])
  expect([...policy.values()].flat().filter((source) => /unsafe|\*|^https?:/.test(source))).toEqual([])
})

test('third-party sources are added only to the given directives', () => {
  const plain = directivesOf(pagePolicy(site, []))
  const withChat = directivesOf(pagePolicy(site, [], { thirdParties: { 'script-src': ['https://chat.example'] } }))
  expect(withChat.get('script-src')).toEqual(["'self'", 'https://chat.example'])
  for (const [directive, sources] of plain)
    if (directive !== 'script-src') expect(withChat.get(directive), directive).toEqual(sources)
})

test.each([
  ['off', null],
  ['on', 'max-age=63072000'],
  ['subdomains', 'max-age=63072000; includeSubDomains'],
  ['preload', 'max-age=63072000; includeSubDomains; preload'],
] as const)('HSTS=%s sends %s, over https only', (hsts, policy) => {
  const [https, http] = [new Headers(), new Headers()]
  setCommonHeaders(https, { secureCookies: true, hsts })
  setCommonHeaders(http, { secureCookies: false, hsts })
  expect([https.get('strict-transport-security'), http.get('strict-transport-security')]).toEqual([policy, null])
})
