import { describe, expect, it } from 'vitest'
import { checkCharacterOf, hasCheckCharacter, invoiceSymbols, repairsOf } from './check-character-rules.ts'

/** Sixty numbers from the whole range, the same in every run. */
const numbers = Array.from({ length: 60 }, (_, index) => {
  let rest = (index * 7_654_321 + 12_345) % 32 ** 5
  let five = ''
  for (let at = 0; at < 5; at++, rest = Math.floor(rest / 32)) five += invoiceSymbols[rest % 32]
  return five + checkCharacterOf(five)
})

describe('the check character of an invoice number', () => {
  it('is correct for known numbers', () => {
    expect(['7F3K2G', 'M4QWTD', 'HC5VD7'].every(hasCheckCharacter)).toBe(true)
    expect(['7F3K2H', 'M4GWTD', '7F3K2', '7F3K20', ''].some(hasCheckCharacter)).toBe(false)
  })

  it('does not match after any change or swap of characters', () => {
    for (const number of numbers) {
      const characters = [...number]
      for (const at of characters.keys()) {
        for (const symbol of invoiceSymbols)
          if (symbol !== characters[at]) expect(hasCheckCharacter(characters.with(at, symbol).join(''))).toBe(false)
        for (let other = at + 1; other < 6; other++) {
          if (characters[at] === characters[other]) continue
          const swapped = characters.with(at, characters[other]!).with(other, characters[at]!).join('')
          expect(hasCheckCharacter(swapped)).toBe(false)
          expect(repairsOf(swapped)).toContain(number)
        }
      }
    }
  })

  it('allows the repair of a changed character, even one that no invoice number contains', () => {
    for (const number of numbers)
      for (const typo of ['Z', '7', 'O', '1']) {
        const typed = `${number.slice(0, 3)}${typo}${number.slice(4)}`
        if (typed !== number) expect(repairsOf(typed)).toContain(number)
      }
  })

  it('cannot be calculated for a prefix of the wrong length or alphabet', () => {
    expect(() => checkCharacterOf('7F3K')).toThrow()
    expect(() => checkCharacterOf('7F3KO')).toThrow()
  })
})
