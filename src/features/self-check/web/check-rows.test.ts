import { expect, test } from 'vitest'
import { workingBrowser } from '../../../../test/harness/check-facts.ts'
import type { BrowserFacts } from '../contract.ts'
import { determineVerdict, jitterOf } from '../rules.ts'
import { rowsInOrder } from './check-rows.ts'
import { reportTexts } from './check-texts.ts'

const browser = (delaysMs: number[]): BrowserFacts => ({ ...workingBrowser, delaysMs })
const networkRow = (delaysMs: number[]) =>
  rowsInOrder({ server: null, browser: browser(delaysMs), verdict: null, brand: 'Harbor', channel: null }).find(
    ({ id }) => id === 'network',
  )!

test.each([
  [[], null, 'Enough for 4K'],
  [[20], null, 'Enough for 4K'],
  [[20, 25, 22], '5 ms', 'Enough for 4K'],
  [[20, 175, 20, 20], '155 ms', 'Fast enough, with uneven delays'],
  [[180, 190], '10 ms', 'Fast enough, with long delays'],
])('a network with the delays %j', (delaysMs, varies, text) => {
  const row = networkRow(delaysMs)
  expect(row.details.find(([label]) => label === 'Delay varies by')?.[1] ?? null).toBe(varies)
  expect(row.text).toBe(text)
})

test('uneven delays alone are not the viewer’s fault', () => {
  expect(jitterOf(browser([20, 900]))).toBe(880)
  expect(determineVerdict(null, browser([20, 900]))).toEqual({ side: 'unknown', cause: 'unreachable' })
})

test('the report says whether a fault was found', () => {
  expect(reportTexts({ side: 'channel', cause: 'off_air' }, false).title).toBe('Tell our team')
  expect(reportTexts({ side: 'unknown', cause: 'not_seen' }, false).title).toBe('Tell our team')
  expect(reportTexts({ side: 'fine', cause: 'works' }, false)).toEqual({
    title: 'Still not right?',
    lead: 'Send us what we measured, and a person will look into it.',
  })
  expect(reportTexts({ side: 'fine', cause: 'works' }, true).title).toBe('Report sent')
})
