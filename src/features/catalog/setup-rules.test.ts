import { expect, test } from 'vitest'
import { askedSetup, drawingOf, stepPieces } from './setup-rules.ts'

test('a URL selects a tab, a device in its tab, or the first tab', () => {
  const guides = [{ device: 'lg', tab: 'android' } as const]
  expect(askedSetup('android', guides)).toEqual({ tab: 'android' })
  expect(askedSetup('lg', guides), 'a guide that was moved').toEqual({ tab: 'android', device: 'lg' })
  expect(askedSetup('lg', []), 'no guide').toEqual({ tab: 'other', device: 'lg' })
  for (const asked of [undefined, '', 'toaster', '__proto__', 'constructor'])
    expect(askedSetup(asked, guides), asked).toEqual({ tab: 'firestick' })
})

test('placeholders of a step become values, an empty value is missing, and other braces stay', () => {
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
  // A value with braces is not replaced again.
  expect(stepPieces('{app}', { app: '{code}', code: '1' })).toEqual([{ text: '{code}', is: 'value' }])
})

test('only the names of drawings are drawings', () => {
  expect(drawingOf('store')).toBe('store')
  for (const picture of ['constructor', '/images/a.webp', '']) expect(drawingOf(picture)).toBeUndefined()
})
