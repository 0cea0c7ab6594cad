import { describe, expect, test } from 'vitest'
import { codingOf, textIn } from './server/xtream/epg-text.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the texts of an answer', () => {
  test.each<[string, string[], 'base64' | 'plain' | undefined, 'base64' | 'plain']>([
    ['base64', [base64('Evening news'), '', base64('Été 12')], undefined, 'base64'],
    ['plain text', ['Kids', 'Late film'], undefined, 'plain'],
    [
      'base64 of bytes that are no text',
      [Buffer.from([0xff, 0xfe, 0xfd]).toString('base64'), base64('News')],
      undefined,
      'plain',
    ],
    ['base64 with spare bits', ['QR==', base64('Evening news')], undefined, 'plain'],
    ['one short word, on a panel that sent plain text', ['Kids', ''], 'plain', 'plain'],
    ['one short word, on a panel that sent base64', [base64('Hi')], 'base64', 'base64'],
    ['one short word, on an unknown panel', [base64('Hi')], undefined, 'base64'],
    ['base64, on a panel that sent plain text', [base64('Evening news')], 'plain', 'base64'],
    ['nothing', ['', ''], undefined, 'base64'],
  ])('%s', (_, texts, before, coding) => {
    expect(codingOf(texts, before).coding).toBe(coding)
  })

  test('are decoded only if they are base64', () => {
    expect(textIn('base64', base64('Pattern hour — é'))).toBe('Pattern hour — é')
    expect(textIn('plain', 'S2lkcw==')).toBe('S2lkcw==')
    expect(textIn('base64', '')).toBe('')
  })
})
