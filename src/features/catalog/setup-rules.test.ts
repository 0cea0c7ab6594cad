import { expect, test } from 'vitest'
import { drawingOf, setupSelection, stepPieces } from './setup-rules.ts'

test('a URL selects a tab, a device in its tab, or the first tab', () => {
  const guides = [{ device: 'lg', tab: 'android' } as const]
  expect(setupSelection('android', guides)).toEqual({ tab: 'android' })
  expect(setupSelection('lg', guides), 'a guide that was moved').toEqual({ tab: 'android', device: 'lg' })
  expect(setupSelection('lg', []), 'no guide').toEqual({ tab: 'other', device: 'lg' })
  for (const asked of [undefined, '', 'toaster', '__proto__', 'constructor'])
    expect(setupSelection(asked, guides), asked).toEqual({ tab: 'firestick' })
})

test('placeholders in a step become values, an empty value becomes a missing piece, and other braces stay', () => {
  const values = { app: 'Kiwi Player', code: '' }
  expect(stepPieces('Install {app} with {code}. {constructor} {}', values)).toEqual([
    { text: 'Install ', is: 'text' },
    { text: 'Kiwi Player', is: 'value' },
    { text: ' with ', is: 'text' },
    { text: 'code', is: 'missing' },
    { text: '. ', is: 'text' },
    { text: '{constructor}', is: 'text' },
    { text: ' {}', is: 'text' },
  ])
  // Braces in a value are not replaced.
  expect(stepPieces('{app}', { app: '{code}', code: '1' })).toEqual([{ text: '{code}', is: 'value' }])
})

test('only the keys of `stepDrawings` are drawings', () => {
  expect(drawingOf('store')).toBe('store')
  for (const picture of ['constructor', '/images/a.webp', '']) expect(drawingOf(picture)).toBeUndefined()
})
