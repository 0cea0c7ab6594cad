import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { themeScript } from './theme-script.ts'

function themeAfter(getItem: () => string | null): string | undefined {
  const dataset: { theme?: string } = {}
  runInNewContext(themeScript, { localStorage: { getItem }, document: { documentElement: { dataset } } })
  return dataset.theme
}

describe('the script before the first paint', () => {
  test('ignores every value but light and dark', () => {
    expect(themeAfter(() => null)).toBeUndefined()
    expect(themeAfter(() => 'system')).toBeUndefined()
    expect(themeAfter(() => '"><img>')).toBeUndefined()
  })
  test('works in a browser that denies storage', () => {
    const refused = () => {
      throw new Error('denied')
    }
    expect(themeAfter(refused)).toBeUndefined()
  })
  test('applies the stored theme', () => {
    expect(themeAfter(() => 'dark')).toBe('dark')
    expect(themeAfter(() => 'light')).toBe('light')
  })
  test('needs no escaping inside a script element', () => expect(themeScript).not.toMatch(/[<&]/))
})
