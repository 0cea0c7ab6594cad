import { describe, expect, test } from 'vitest'
import { decodeText, encodingOf } from './server/xtream/epg-text.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the encoding of EPG texts', () => {
  test.each<[string, string[], 'base64' | 'plain' | undefined, 'base64' | 'plain']>([
    ['base64', [base64('Evening news'), '', base64('Été 12')], undefined, 'base64'],
    ['plain text', ['Kids', 'Late film'], undefined, 'plain'],
    [
      'base64 of bytes that are not UTF-8',
      [Buffer.from([0xff, 0xfe, 0xfd]).toString('base64'), base64('News')],
      undefined,
      'plain',
    ],
    ['base64 with non-zero padding bits', ['QR==', base64('Evening news')], undefined, 'plain'],
    ['one short word, on a panel that sent plain text', ['Kids', ''], 'plain', 'plain'],
    ['one short word, on a panel that sent base64', [base64('Hi')], 'base64', 'base64'],
    ['one short word, on an unknown panel', [base64('Hi')], undefined, 'base64'],
    ['base64, on a panel that sent plain text', [base64('Evening news')], 'plain', 'base64'],
    ['empty texts', ['', ''], undefined, 'base64'],
  ])('is detected for %s', (_, texts, before, encoding) => {
    expect(encodingOf(texts, before).encoding).toBe(encoding)
  })

  test('decides whether a text is decoded', () => {
    expect(decodeText('base64', base64('Pattern hour — é'))).toBe('Pattern hour — é')
    expect(decodeText('plain', 'S2lkcw==')).toBe('S2lkcw==')
    expect(decodeText('base64', '')).toBe('')
  })
})
