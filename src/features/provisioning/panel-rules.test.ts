import { expect, test } from 'vitest'
import { choosePanel, type PanelChoice } from './panel-rules.ts'

const panel = (id: number, over: Partial<PanelChoice> = {}): PanelChoice => ({
  id,
  acceptsLines: true,
  isDefault: id === 1,
  planIds: [],
  lineLimit: null,
  lines: 0,
  ...over,
})

test('choosing throws if no panel accepts new lines', () => {
  expect(() => choosePanel(5, [panel(1, { acceptsLines: false })])).toThrow('No panel accepts new lines')
})

test('a closed panel gets no lines, not even those of its plan', () => {
  expect(choosePanel(5, [panel(1), panel(2, { acceptsLines: false, planIds: [5] })])).toBe(1)
})

test('the panel of the plan takes precedence over panels with a limit and the default panel', () => {
  const panels = [panel(1), panel(2, { lineLimit: 10 }), panel(3, { planIds: [5] })]
  expect(choosePanel(5, panels)).toBe(3)
  expect(choosePanel(6, panels)).toBe(2)
  expect(choosePanel(null, panels)).toBe(2)
})

test('a panel that has reached its limit is skipped', () => {
  const full = { lineLimit: 10, lines: 10 }
  expect(choosePanel(5, [panel(1), panel(2, { planIds: [5], ...full })])).toBe(1)
  expect(choosePanel(5, [panel(1), panel(2, full), panel(3, { lineLimit: 10, lines: 9 })])).toBe(3)
})

test('the default panel gets the lines that no rule assigns, whatever its number of lines', () => {
  expect(choosePanel(5, [panel(1, { lineLimit: 1, lines: 4 }), panel(2), panel(3, { planIds: [6] })])).toBe(1)
  expect(choosePanel(5, [panel(1, { isDefault: false }), panel(2, { isDefault: true }), panel(3)])).toBe(2)
})
