import { describe, expect, test } from 'vitest'
import { moreRedirectTargets, redirectTargets } from '../../test/harness/redirect-targets.ts'
import { safePath } from './safe-path.ts'

describe('an unsafe redirect target becomes the home page', () => {
  const others = [null, undefined, 0, 1, true, {}, [], ['/dashboard'], { toString: () => '/dashboard' }]
  test.each([...redirectTargets, ...moreRedirectTargets, ...others])('from %j', (target) => {
    expect(safePath(target)).toBe('/')
  })
})

describe('a path of this site stays the redirect target', () => {
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

  test('with dot segments resolved', () => {
    expect(safePath('/a/../dashboard')).toBe('/dashboard')
    expect(safePath('/../../dashboard')).toBe('/dashboard')
  })
})
