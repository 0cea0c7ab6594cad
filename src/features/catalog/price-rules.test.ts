import { expect, test } from 'vitest'
import type { Plan } from './contract.ts'
import { centsPerMonth, centsPerScreen, planSaving, planTable } from './price-rules.ts'

const plan = (id: number, tier: number, months: number, connections: number, price: number): Plan => ({
  id,
  tier,
  months,
  connections,
  price,
  name: `plan ${id}`,
  billing: '',
  features: [],
  popular: false,
})
const monthly = plan(1, 1, 1, 3, 2999)
const halfYear = plan(2, 3, 6, 3, 14_199)

test('prices per month and per screen are rounded up to the cent', () => {
  expect(centsPerMonth(monthly)).toBe(2999)
  expect(centsPerMonth(halfYear)).toBe(2367)
  expect(centsPerScreen(halfYear)).toBe(789)
})

test('the saving is relative to the monthly plan with the same number of connections, and rounded down', () => {
  expect(planSaving([monthly, halfYear], halfYear)).toBe(21)
  expect(planSaving([monthly, halfYear], monthly)).toBe(0)
  expect(planSaving([halfYear, plan(3, 1, 1, 2, 2299)], halfYear), 'no monthly plan with 3 connections').toBe(0)
  expect(planSaving([{ ...monthly, price: 0 }, halfYear], halfYear), 'a free monthly plan').toBe(0)
  expect(planSaving([monthly], { ...halfYear, price: 99_999 }), 'more expensive than the monthly plan').toBe(0)
})

test('the table has a row for each number of connections and a gap where no plan is on sale', () => {
  const five = plan(3, 1, 1, 5, 4099)
  const { groups, rows } = planTable([five, halfYear, monthly], ['Little Beast', 'Beast', 'Season'])
  expect(groups.map(({ name }) => name)).toEqual(['Little Beast', 'Season'])
  expect(rows).toEqual([
    { connections: 3, plans: [monthly, halfYear] },
    { connections: 5, plans: [five, undefined] },
  ])
})
