import { describe, expect, test } from 'vitest'
import { OutboundFailure } from './outbound.ts'
import { assertStreamAddress, mayBePrivate, ownHostsOf, type StreamRules } from './stream-address.ts'

const rules: StreamRules = {
  base: new URL('http://panel.example:8080/c'),
  ownHosts: ownHostsOf({ publicUrl: 'https://tv.example', streamUrls: ['https://s1.tv.example'], port: 3000 }),
  allowPrivate: true,
  userAgent: 'test',
}
const codeOf = (address: string, others: Partial<StreamRules> = {}): string => {
  try {
    assertStreamAddress(new URL(address), { ...rules, ...others })
    return 'allowed'
  } catch (error) {
    return error instanceof OutboundFailure ? error.code : `another error: ${error}`
  }
}

describe('a URL from another server', () => {
  test.each([
    ['http://cdn.example/1.ts', 'allowed'],
    ['https://cdn.example/1.ts', 'allowed'],
    ['http://cdn.example:8000/1.ts', 'allowed'],
    ['http://panel.example:8080/1.ts', 'allowed'],
    ['file:///etc/passwd', 'scheme'],
    ['data:video/mp2t,x', 'scheme'],
    ['ftp://cdn.example/1.ts', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ws://cdn.example/', 'scheme'],
    ['http://user@cdn.example/', 'user_info'],
    ['http://:password@cdn.example/', 'user_info'],
    [`http://cdn.example/${'x'.repeat(4_096)}`, 'too_long'],
    ['https://tv.example/api/user', 'own_host'],
    ['https://tv.example:443/', 'own_host'],
    ['https://s1.tv.example/stream/x', 'own_host'],
    ['http://tv.example:3000/api/user', 'own_host'],
    ['http://s1.tv.example:3000/', 'own_host'],
    ['http://tv.example:8080/live/1.ts', 'allowed'],
    ['http://localhost:3000/api/user', 'own_host'],
    ['http://127.0.0.1:3000/', 'own_host'],
    ['http://2130706433:3000/', 'own_host'],
    ['http://[::1]:3000/', 'own_host'],
    ['http://0.0.0.0:3000/', 'own_host'],
    ['http://cdn.example:22/', 'port'],
    ['http://cdn.example:25/', 'port'],
    ['http://cdn.example:8/', 'port'],
    ['http://cdn.example:5432/', 'port'],
    ['http://cdn.example:6379/', 'port'],
    ['http://cdn.example:9200/', 'port'],
    ['http://cdn.example:11211/', 'port'],
    ['http://panel.example:22/', 'port'],
  ])('such as %s: %s', (address, code) => {
    expect(codeOf(address)).toBe(code)
  })

  test('is never http if the panel is https, and may have the port of the panel', () => {
    const base = new URL('https://panel.example:22/c')
    expect(codeOf('http://cdn.example/', { base })).toBe('downgrade')
    expect(codeOf('https://cdn.example/', { base })).toBe('allowed')
    expect(codeOf('https://panel.example:22/live/1.ts', { base })).toBe('allowed')
  })
})

test('if there is a list of hosts, only these hosts and the panel may be called', () => {
  const hosts = ['cdn.example', '*.edge.example', '192.0.2.7']
  for (const host of [
    'cdn.example',
    'a.edge.example',
    'a.b.edge.example',
    '192.0.2.7',
    'panel.example:8080',
    'panel.example',
  ])
    expect(codeOf(`http://${host}/1.ts`, { hosts }), host).toBe('allowed')
  for (const host of [
    'evil.example',
    'xcdn.example',
    'a.cdn.example',
    'edge.example',
    'xedge.example',
    'cdn.example.evil.example',
    '192.0.2.8',
  ])
    expect(codeOf(`http://${host}/1.ts`, { hosts }), host).toBe('host')
  expect(codeOf('http://cdn.example:22/', { hosts })).toBe('port')
})

test('only the host of the panel may have a private address, and only if that is allowed', () => {
  const at = (address: string, allowPrivate = true) => mayBePrivate(new URL(address), { ...rules, allowPrivate })
  expect(at('http://panel.example:8081/x')).toBe(true)
  expect(at('http://panel.example:8081/x', false)).toBe(false)
  for (const host of ['cdn.example', '10.0.0.1', 'panel.example.evil.example', 'xpanel.example', '[::1]'])
    expect(at(`http://${host}/`), host).toBe(false)
})
