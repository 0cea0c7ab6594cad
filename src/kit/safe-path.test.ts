import { describe, expect, test } from 'vitest'
import { safePath } from './safe-path.ts'

describe('a redirect leads nowhere but home', () => {
  const schemes = [
    'https://evil.example',
    'http:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'file:///etc/passwd',
    'mailto:a@b.c',
    'ftp://evil.example',
  ]
  const slashes = [
    '//evil.example',
    '///evil.example',
    '////evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\\/evil.example',
    '//\\evil.example',
    '/a\\b',
    '/./\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/.//../evil\\x',
  ]
  const blanks = [
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '/a b',
    ' /dashboard',
    '\t/dashboard',
    '/dashboard\u0000',
    '/\u00a0/evil.example',
    '/\u2028/evil.example',
    '/\u202e/evil.example',
    '/\uff0f/evil.example',
    '/\u3002evil.example',
    '/d\u00e4shboard',
  ]
  const others = [
    '',
    'dashboard',
    '?x=1',
    '#x',
    '@evil.example',
    'evil.example',
    '.evil.example',
    '..',
    'http',
    ':80',
    null,
    undefined,
    0,
    1,
    true,
    {},
    [],
    ['/dashboard'],
    { toString: () => '/dashboard' },
  ]
  test.each([...schemes, ...slashes, ...blanks, ...others])('from %j', (target) => {
    expect(safePath(target)).toBe('/')
  })
})

describe('a redirect leads to a path of this site', () => {
  test.each([
    '/',
    '/dashboard',
    '/checkout?planId=3&invoiceNumber=ORD-A1B2C3',
    '/request-trial',
    '/#pricing',
    '/admin?tab=users&search=%2F%2Fx',
    '/invoice/ORD-A1B2C3',
    '/a@b',
    '/a:b',
    '/channels?next=https://evil.example',
  ])('%s', (target) => {
    expect(safePath(target)).toBe(target)
  })

  test('with its dots resolved before anybody else does it', () => {
    expect(safePath('/a/../dashboard')).toBe('/dashboard')
    expect(safePath('/../../dashboard')).toBe('/dashboard')
  })
})
